// SPDX-License-Identifier: MIT
#include "quantity/jacobian/jacobian_request.hpp"

#include <isserlis/error.hpp>
#include "question/readers.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {

void check_jacobian_request(JacobianRequest const& request, Session const& session, ModelText const& text) {
    if (request.positive_part) {
        bool const two_parts = sides_of(text.activation) != WeightSides::one;
        if (!two_parts) throw ParseError("`part` P: `activation` crelu and crelu-tied alone have the part P", "part");
        if (request.by_input) throw ParseError("`part` P: the Jacobian by the input has no parts", "part");
        if (request.by_block) throw UnsupportedError("`part` P: served for whole matrices", "part");
    }
    if (text.has("bounds") && (request.by_input || request.positive_part || request.by_block))
        throw ParseError("`bounds`: there are bounds for whole weight matrices only", "bounds");
    if (request.printed) {
        for (char const* parameter : {"wrt", "part", "block", "limit", "solve", "budget"}) {
            if (parameter == std::string("wrt") ? request.by_input : text.has(parameter))
                throw ParseError(
                    std::string("`printed`: the paper prints bounds, of which ") + named(parameter) + " has none",
                    "printed");
        }
    }
    if (request.by_block && text.wiring != Wiring::dense)
        throw ParseError("`block`: the matrices of `network` densenet alone have a block for each layer below",
                         "block");
    if (request.by_block && request.by_input)
        throw ParseError("`block`: the Jacobian by the input has no blocks", "block");
    if (session.layer && request.by_input)
        throw ParseError("`layer`: the Jacobian by the input belongs to no layer", "layer");
}

JacobianRequest at_layer(JacobianRequest out, Session const& session, ModelText const& text) {
    if (!session.layer) return out;
    std::size_t const comma = session.layer->find(',');
    out.layer = session.layer->substr(0, comma);
    if (comma == std::string::npos) return out;
    std::string const matrix = session.layer->substr(comma + 1);
    if (out.by_block) {
        out.source = static_cast<std::size_t>(parse_count(matrix, "layer", text.first_source, max_layers));
        return out;
    }
    if (text.wiring != Wiring::residual)
        throw DomainError("`layer` " + printable(*session.layer) +
                              ": layers have one matrix each; a pair k,k' names matrix k' of residual block k",
                          "layer");
    Integer const number = parse_integer(matrix, "layer");
    if (number < 1 || number > text.branch_matrices) {
        throw DomainError("`layer` " + printable(*session.layer) + ": branches have the matrices 1 .. " +
                              std::to_string(text.branch_matrices),
                          "layer");
    }
    out.matrix = static_cast<std::size_t>(number);
    return out;
}

}  // namespace isserlis::quantity
