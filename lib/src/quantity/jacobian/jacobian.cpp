// SPDX-License-Identifier: MIT
#include <algorithm>
#include <isserlis/error.hpp>

#include "quantity/commands.hpp"
#include "quantity/jacobian/jacobian_budget.hpp"
#include "quantity/jacobian/jacobian_dense_products.hpp"
#include "quantity/jacobian/jacobian_request.hpp"
#include "quantity/jacobian/jacobian_solve.hpp"
#include "quantity/known_queries.hpp"
#include "quantity/wired/wired.hpp"
#include "question/model_statement.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

void state_meaning(ModelText const& text, JacobianRequest const& request, Answer& answer) {
    if (text.target_second && (request.by_input || request.by_block || request.positive_part)) {
        answer.warn(std::string("`target_second_moment` has no effect with ") +
                    (request.by_input   ? "`wrt` input"
                     : request.by_block ? "`block`"
                                        : "`part`") +
                    ", which prints no gradient");
    }
    std::string const y = text.wiring != Wiring::residual && text.gated_head ? "the gated output" : "the output";
    if (request.by_input) {
        answer.assume("J = dy/dx, y " + y +
                      (sides_of(text.activation) == WeightSides::one
                           ? "; no coordinate of x is 0 where an activation acts on it"
                           : "; one-sided derivatives by coordinates of x that are 0"));
        return;
    }
    bool const by_theta = text.has_unit_parameters();
    if (request.positive_part) {
        answer.assume("J = dy/dP alone, y " + y +
                      (by_theta ? "; derivatives by theta of P = sqrt(variance) theta" : ""));
        return;
    }
    bool const two_sides = sides_of(text.activation) != WeightSides::one;
    std::string const matrix = two_sides ? "matrices P and N" : "matrix";
    answer.assume((by_theta ? "J = dy/dtheta by all entries of theta, W = sqrt(variance) theta the " + matrix
                            : "J = dy/dW by all entries of the " + matrix) +
                  ", y " + y + (request.by_block ? "" : "; reduced: nothing passes the matrix by"));
    if (request.by_block) {
        answer.assume("blocks: J by the weights of one source alone; the index is k and the source");
        return;
    }
    answer.assume(
        std::string("gradient ") + (by_theta ? "by theta " : "") +
        "of |y - target|^2/2, targets independent of the weights, mean 0, " +
        (text.gated_head && text.wiring != Wiring::residual ? "those of different outputs uncorrelated, " : "") +
        target_moment(text, "E|target|^2"));
}

constexpr ModelParameters jacobian_parameters{.wiring = true,
                                              .activation = true,
                                              .variance = true,
                                              .law = true,
                                              .matrix_laws = true,
                                              .bias = true,
                                              .input = true,
                                              .precision = true};

/// What `jacobian` is asked.
struct JacobianQuestion {
    ModelText typed;
    std::vector<ModelText> networks;
    std::vector<std::string> alphas;  ///< as typed
    JacobianRequest request;
    bool budget = false;
};

/// Closed forms are of fully connected, residual and dense networks of independent weights without biases, whose branches
/// nothing multiplies; the others go by strands.
bool is_by_strands(ModelText const& text) {
    return text.wiring == Wiring::file || text.projections || text.multiplier || text.has_biases() ||
           text.has_orthogonal();
}

void evaluate_networks(JacobianQuestion const& options, std::vector<ModelText> const& networks, Session const& session,
                       Bindings const& bindings, Answer& answer) {
    for_each_network(networks, session, bindings, jacobian_parameters, answer, [&](ModelText const& text) {
        if (is_by_strands(text)) {
            answer.assume(text.has_unit_parameters()
                              ? "J = dz/dtheta by all entries of theta, W = sqrt(variance) theta, z the output"
                              : "J = dz/dW by all entries of the matrix, z the output");
            with_model(text, bindings, [&](auto const& model) {
                begin_wired(model, text, session, answer);
                if (text.wiring == Wiring::file && text.file.has_label_factors())
                    answer.warn("label factors of the file have no effect: J is by the weights as they are");
                add_wired_jacobian(model, session, answer);
            });
            return;
        }
        if (options.budget) {
            add_budget(text, bindings, answer);
            return;
        }
        JacobianRequest const request = at_layer(options.request, session, text);
        if (solves_scale(session)) {
            add_solved_scale(session, request, text, bindings, answer);
            return;
        }
        state_meaning(text, request, answer);
        if (has_open_dense_depth(text, bindings)) {
            add_dense_products({.text = text, .request = request, .session = session, .answer = answer}, bindings);
            return;
        }
        with_model(text, bindings, [&](auto const& model) {
            add_jacobian({.text = text, .request = request, .session = session, .answer = answer}, model);
            if constexpr (std::is_same_v<std::decay_t<decltype(model)>, NumericModel>) {
                emit_jacobian_test(model, text, session, answer);
            } else {
                refuse_symbols_in_test(session);
            }
        });
    });
}

/// One answer for each entry of a list `alpha`, which comes before the other indices.
void evaluate_jacobian(JacobianQuestion const& options, Session const& session, Bindings const& bindings,
                       Answer& answer) {
    if (options.alphas.size() < 2) {
        evaluate_networks(options, options.networks, session, bindings, answer);
        return;
    }
    for (auto const& alpha : options.alphas) {
        auto networks = options.networks;
        networks.front().alpha = parse_formula(alpha, "alpha");
        networks.front().typed["alpha"] = alpha;
        auto prefix = session.sweep_prefix(bindings);
        prefix.push_back(alpha);
        answer.set_index_prefix(prefix);
        answer.name_index_prefix("alpha");
        answer.warn("several alpha: the first index of a network is alpha");
        evaluate_networks(options, networks, session, bindings, answer);
    }
}

/// Errors  UnsupportedError for what only closed forms have.
void require_strands_serve(ModelText const& text, Session const& session) {
    for (char const* parameter :
         {"block", "part", "bounds", "wrt", "limit", "budget", "solve", "printed", "layer", "target_second_moment"}) {
        if (session.question.parameters.count(parameter) != 0)
            throw UnsupportedError(named(parameter) + ": for " +
                                       (text.has_biases()       ? "`bias_variance`"
                                        : text.has_orthogonal() ? "`law` orthogonal"
                                        : text.projections      ? "`projections`"
                                        : text.multiplier       ? "`multiplier`"
                                                                : "network files") +
                                       " Jacobians by each weight matrix are served, and nothing else; leave it out",
                                   parameter);
    }
}

void complete_jacobian(JacobianQuestion& options, Session const& session) {
    if (options.alphas.size() > 1) {
        if (session.test) throw ParseError("`alpha`: a test has one network; give one alpha", "alpha");
        if (session.question.words.size() > 1)
            throw ParseError("`alpha`: a list is served for one network; several are compared at one alpha", "alpha");
    }
    for (auto const& alpha : options.alphas) options.typed.alpha = parse_formula(alpha, "alpha");
    options.networks = read_networks(options.typed, session, true);
    options.request.printed = session.printed;
    for (auto const& text : options.networks) {
        if (is_by_strands(text)) {
            require_strands_serve(text, session);
            continue;
        }
        check_jacobian_request(options.request, session, text);
        if (solves_scale(session)) check_solved_scale(session, text);
    }
}

ParameterSet<JacobianQuestion> own_parameters() {
    ParameterSet<ModelText> of_model = model_parameters(jacobian_parameters);
    of_model.add({"branch_widths", "LIST", "Hidden widths of a residual branch: one for all or one for each",
                  &ModelText::branch_widths, formulas()});
    of_model.add(multiplier_parameter());
    of_model.add({"projections",
                  "Residual networks: `widths` are d_0, y^0..y^L and the output, which plain matrices join",
                  &ModelText::projections, More{.needs = {"network"}}});
    of_model.add({"first_source", "0|1", "Where the sum of a dense layer starts: y^0 or y^1",
                  [](ModelText& into, std::string const& text) {
                      into.first_source = static_cast<unsigned>(parse_count(text, "first_source", 0, 1));
                  },
                  More{.usual = "0", .choices = {"0", "1"}}});
    of_model.add({"target_second_moment", "R", "E|target|^2 over all outputs, for the gradient",
                  &ModelText::target_second, formula(), More{.usual = "1"}});
    ParameterSet<JacobianRequest> request = {
        {"block", "Dense networks: by the block of W^k that each layer below feeds, index k,source",
         &JacobianRequest::by_block},
        {"part", "Concatenated ReLU: by the weights P alone", &JacobianRequest::positive_part,
         choice<bool>("", {{"P", true}})},
        {"bounds", "Bounds of the variance by |y_(k)|^2, or by widths alone: Lemma 2, Theorems 2 and 3",
         &JacobianRequest::growth_bounds, choice<bool>("", {{"theorem1", false}, {"growth", true}}),
         More{.usual = "theorem1"}},
        {"wrt", "Differentiate by each weight matrix or by the input", &JacobianRequest::by_input,
         choice<bool>("", {{"weights", false}, {"input", true}}), More{.usual = "weights"}}};
    ParameterSet<JacobianQuestion> out;
    out.add(&JacobianQuestion::typed, of_model);
    out.add({"alpha", "A|LIST", "Multiplies every variance of the scheme; a list gives one answer for each",
             &JacobianQuestion::alphas,
             Reader<std::vector<std::string>>{[](std::string const& list, std::string const&) { return split(list); }},
             More{.usual = "1"}});
    out.add(&JacobianQuestion::request, request);
    out.add({"budget", "Compare with concatenated ReLU, residual and dense networks of as many parameters",
             &JacobianQuestion::budget,
             More{.refusals = {{{"network", "activation", "variance", "branch_widths", "first_source", "block", "part",
                                 "wrt", "bounds", "solve", "layer", "input", "law", "kurtosis", "of", "target",
                                 "target_second_moment", "input_fourth"},
                                "{} has no meaning with `budget`, which compares Gaussian networks of its own"}}}});
    return out;
}

}  // namespace

Command jacobian_command() {
    CommandOf<JacobianQuestion> out;
    out.text = {
        .name = "jacobian",
        .summary = "Per-layer Jacobian norms: exact mean and variance, beside the bounds of the paper",
        .positional = "`widths`",
        .positional_help = "d_0,..,d_n or y^0..y^L; numbers or symbols, 10:3 repeats",
        .most_positionals = 1000,
        .parameters = emit_parameters({{{"budget", "solve"}, "{}: `emit_test` tests one network; leave it out"},
                                       {{"layer", "wrt", "block", "part", "bounds", "limit", "target_second_moment"},
                                        "{}: `emit_test` tests |dz/dW|^2 of every layer and |z|^2; leave it out"}}),
        .charted = "jacobian_variance",
    };
    out.text.parameters.push_back(printed_parameter());
    out.parameters = own_parameters();
    out.complete = complete_jacobian;
    out.evaluate = evaluate_jacobian;
    out.expands = true;
    out.solves = {solved_scale};
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
