// SPDX-License-Identifier: MIT
#include "jacobian_request.hpp"

#include <isserlis/error.hpp>

namespace isserlis::cli {

JacobianRequest read_jacobian_request(Session const& session, ModelText const& text) {
    JacobianRequest out;
    auto const& arguments = session.arguments;
    if (auto const t = arguments.value("--wrt")) {
        if (*t != "weights" && *t != "input")
            throw ParseError("--wrt: '" + printable(*t) + "' is not weights or input", "--wrt");
        out.by_input = *t == "input";
    }
    if (auto const t = arguments.value("--part")) {
        if (*t != "P") throw ParseError("--part: '" + printable(*t) + "' is not P", "--part");
        bool const two_parts =
            text.activation == ActivationKind::crelu || text.activation == ActivationKind::crelu_tied;
        if (!two_parts) throw ParseError("--part P: --activation crelu and crelu-tied alone have the part P", "--part");
        if (out.by_input) throw ParseError("--part P: the Jacobian by the input has no parts", "--part");
        if (arguments.has("--block")) throw UnsupportedError("--part P: served for whole matrices", "--part");
        out.positive_part = true;
    }
    if (auto const t = arguments.value("--bounds")) {
        if (*t != "theorem1" && *t != "growth")
            throw ParseError("--bounds: '" + printable(*t) + "' is not theorem1 or growth", "--bounds");
        out.growth_bounds = *t == "growth";
        if (out.by_input || out.positive_part || arguments.has("--block"))
            throw ParseError("--bounds: there are bounds for whole weight matrices only", "--bounds");
    }
    if (arguments.has("--printed")) {
        for (char const* option : {"--wrt", "--part", "--block", "--limit", "--solve", "--budget"}) {
            if (option == std::string("--wrt") ? out.by_input : arguments.has(option))
                throw ParseError(std::string("--printed: the paper prints bounds, of which ") + option + " has none",
                                 "--printed");
        }
        out.printed = true;
    }
    if (auto const t = arguments.value("--limit")) {
        if (*t != "wide" && *t != "double-scaling" && *t != "deep")
            throw ParseError("--limit: '" + printable(*t) + "' is not wide, double-scaling or deep", "--limit");
        for (char const* option :
             {"--block", "--part", "--bounds", "--wrt", "--solve", "--budget", "--target-second-moment"}) {
            if (arguments.has(option)) throw ParseError(std::string(option) + " has no meaning with --limit", option);
        }
        out.limit = *t;
    }
    out.by_block = arguments.has("--block");
    if (out.by_block && text.wiring != Wiring::dense)
        throw ParseError("--block: the matrices of --network densenet alone have a block for each layer below",
                         "--block");
    if (out.by_block && out.by_input) throw ParseError("--block: the Jacobian by the input has no blocks", "--block");
    if (!session.layer) return out;
    if (out.by_input) throw ParseError("--layer: the Jacobian by the input belongs to no layer", "--layer");
    std::size_t const comma = session.layer->find(',');
    out.layer = session.layer->substr(0, comma);
    if (comma == std::string::npos) return out;
    std::string const matrix = session.layer->substr(comma + 1);
    if (out.by_block) {
        out.source = static_cast<std::size_t>(parse_count(matrix, "--layer", text.first_source, max_layers));
        return out;
    }
    if (text.wiring != Wiring::residual)
        throw DomainError("--layer " + printable(*session.layer) +
                              ": layers have one matrix each; a pair k,k' names matrix k' of residual block k",
                          "--layer");
    Integer const number = parse_integer(matrix, "--layer");
    if (number < 1 || number > text.branch_matrices) {
        throw DomainError("--layer " + printable(*session.layer) + ": branches have the matrices 1 .. " +
                              std::to_string(text.branch_matrices),
                          "--layer");
    }
    out.matrix = static_cast<std::size_t>(number);
    return out;
}

}  // namespace isserlis::cli
