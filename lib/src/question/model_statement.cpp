// SPDX-License-Identifier: MIT
#include "question/model_statement.hpp"

#include <algorithm>
#include <filesystem>
#include <isserlis/error.hpp>
#include <isserlis/ring/parse.hpp>

#include "question/fan_words.hpp"
#include "question/names.hpp"
#include "question/requirements.hpp"

namespace isserlis::quantity {

bool gates_can_tie(ModelText const& text) {
    if (text.wiring == Wiring::file) {
        auto const& edges = text.file.edges;
        return std::any_of(edges.begin(), edges.end(), [&](auto const& edge) {
            return (edge.law == LawKind::rademacher || edge.kurtosis) && text.file.nodes[edge.to].gated;
        });
    }
    return has_gate(text.activation) &&
           (text.law == LawKind::rademacher || !text.kurtoses.empty() ||
            std::find(text.layer_laws.begin(), text.layer_laws.end(), LawKind::rademacher) != text.layer_laws.end());
}
void state_label_factors(ModelText const& text, Answer& answer) {
    std::string const by_theta = text.has_unit_parameters() ? " on derivatives by theta"
                                 : text.parametrisation     ? " on derivatives by w, times n^-C"
                                                            : "";
    if (text.effective) {
        answer.assume((text.label_factors.empty() ? "label factors 1/n_(l-1) (eta^2 = 1)"
                                                  : "label factors (eta^(l))^2/n_(l-1), eta^2 = " +
                                                        text.as_typed(text.label_factor_parameter)) +
                      by_theta);
    } else if (!text.label_factors.empty()) {
        answer.assume("label factors " + text.as_typed(text.label_factor_parameter) + by_theta);
    } else if (text.parametrisation) {
        answer.assume("label factors n^-C, the rates: derivatives by w");
    } else {
        answer.assume(text.has_unit_parameters() ? "label factors 1: derivatives by theta"
                                                 : "label factors 1: plain derivatives");
    }
}

void state_sampled_input(NumericModel const& model, Answer& answer) {
    if (!model.input.empty()) return;
    answer.assume(model.fourth && !(model.graph().input_width == Surd(1))
                      ? "sampled with the x of these sums that has one entry larger and all others equal"
                      : "sampled with an x of equal entries");
}

std::string mean_of_target(ModelText const& text, bool of_outputs) {
    bool const plain = text.wiring == Wiring::vanilla || (text.wiring == Wiring::residual && text.projections);
    return plain ? of_outputs
                       ? "below the outputs its mean does not enter; at the outputs it is 0, with equal second moments"
                       : "its mean does not enter"
                 : "its mean is 0, its coordinates are uncorrelated and have equal second moments";
}

std::string target_moment(ModelText const& text, std::string const& of) {
    std::string out = of + " = " + (text.target_second ? text.as_typed("target_second_moment") : "1");
    if (text.target_third) out += ", sum_i E y_i^3 = " + text.as_typed("target_third_moment");
    if (text.target_fourth) out += ", sum_i E y_i^4 = " + text.as_typed("target_fourth_moment");
    return out;
}

void state_gated_output(ModelText const& text, Answer& answer) {
    if (text.wiring == Wiring::file && text.file.nodes.back().gated)
        answer.assume("the output z is the pre-activation of " + text.file.nodes.back().name +
                      ", before its own activation");
}

void state_symbols(std::set<std::string> symbols, ModelText const& text, Bindings const& bindings, Answer& answer) {
    for (auto const& item : text.widths) {
        symbols.erase(item.width.text);
        symbols.erase(item.count.text);
    }
    bool const all_bound =
        std::all_of(symbols.begin(), symbols.end(), [&](auto const& s) { return bindings.count(s) != 0; });
    if (!all_bound) answer.assume("symbols stand for the numbers of their ranges");
    declare_symbols(text, bindings, answer);
}

namespace {

/// What a repeated width has to stand for at least, so that with the others, of which symbols stand for 1 or more, there
/// are an input and an output, and between plain matrices a block: d_0, y^0, y^1 and the output.
std::string fewest_beside_others(ModelText const& text, Bindings const& bindings) {
    Rational missing = text.projections ? 4 : 2;
    for (auto const& item : text.widths) {
        auto const at = bindings.find(item.count.text);
        missing -= !item.count.is_symbol  ? parse_rational(item.count.text, "widths")
                   : at != bindings.end() ? at->second
                                          : Rational(1);
    }
    return to_string(std::max<Rational>(1, missing + 1));
}

}  // namespace

void declare_symbols(ModelText const& text, Bindings const& bindings, Answer& answer) {
    auto const is_free = [&](std::string const& symbol) { return bindings.count(symbol) == 0; };
    auto const declare = [&](std::string const& symbol, SymbolRole role) {
        if (is_free(symbol)) answer.declare({.symbol = symbol}, role);
    };
    auto const declare_widths = [&](Expression const& e) {
        if (e.kind() == Expression::Kind::symbol) declare(e.symbol(), SymbolRole::width);
    };
    for (auto const& item : text.widths) {
        if (item.width.is_symbol) declare(item.width.text, SymbolRole::width);
    }
    for (auto const& e : text.branch_widths) declare_widths(e);
    for (auto const& node : text.file.nodes) declare_widths(node.width);
    for (auto const& item : text.widths) {
        if (item.count.is_symbol && is_free(item.count.text))
            answer.declare({.symbol = item.count.text, .least = fewest_beside_others(text, bindings)},
                           SymbolRole::depth);
    }
    try {
        if (auto const free = text.symbols(); std::any_of(free.begin(), free.end(), is_free)) {
            auto const model = symbolic_model(text, bindings);
            auto requirements = model.requirements;
            for (auto const& factor : model.derivatives.factors) {  // they multiply squares
                if (!sign_of(factor)) requirements.push_back({.value = factor, .strict = false});
            }
            declare_requirements(requirements, answer);
        }
    } catch (Error const&) {  // no such model, as its command will say
    }
}

namespace {

/// "one fixed input with |x|^2 = n"
std::string stated_input(ModelText const& text) {
    if (text.input) {
        std::error_code error;
        bool const is_file = std::filesystem::is_regular_file(text.as_typed("input"), error);
        constexpr std::size_t most_shown = 20;
        if (is_file) return "one fixed input, that of " + text.as_typed("input");
        if (text.input->entries.size() > most_shown)
            return "one fixed input of " + std::to_string(text.input->entries.size()) + " coordinates, as typed";
        return "one fixed input x = (" + text.as_typed("input") + ")";
    }
    std::string out = "one fixed input with |x|^2 = " + (text.squared_norm ? text.as_typed("input_squared_norm") : "1");
    if (text.fourth) out += " and sum x_i^4 = " + text.as_typed("input_fourth");
    return out;
}

/// "parametrisation mup: .."
void state_parametrisation(ModelText const& text, Answer& answer) {
    auto const& p = *text.parametrisation;
    auto const info = std::find_if(parametrisations.begin(), parametrisations.end(),
                                   [&](auto const& known) { return p.name == known.name; });
    answer.assume("parametrisation " + (info == parametrisations.end() ? "" : p.name + " ") +
                  "A,B,C = " + exponents_text(p, &WidthExponents::a) + "," + exponents_text(p, &WidthExponents::b) +
                  "," + exponents_text(p, &WidthExponents::c) +
                  " (input:hidden:output): " + (p.unit_parameters ? "W = sqrt(constant) n^-A w" : "W = n^-A w") +
                  ", w of variance " + (p.unit_parameters ? "" : "constant*") + "n^(-2B), rates eta n^-C");
    if (text.wiring == Wiring::file) {
        answer.assume(
            "edges from the input are input layers, other edges into the output output layers, the rest hidden ones");
        answer.assume(
            "n: in input layers the fan-out, else the fan-in of all edges into the node but those from the input");
        answer.assume(
            "constant: 1/(g2 n_0) in input layers, n_0 the fan-in of all edges from the input into the node, 1/g2 in "
            "hidden ones, 1 at the output; g2 = (1 + s^2)/2 of the node that the edge leads into, 1 without a gate");
        return;
    }
    std::string const alpha = text.alpha ? "alpha = " + text.as_typed("alpha") + " times " : "";
    if (text.wiring == Wiring::dense)
        answer.assume(
            "the first layer, which reads the input alone, is the input layer, the last one the output layer");
    if (text.wiring != Wiring::residual) {
        answer.assume("n: the fan-in of a layer, in the input layer its fan-out; constant: " + alpha +
                      (alpha.empty() ? "" : "(") +
                      "1/(g2 n_0) in the input layer, 1/g2 in hidden ones, 1 at the output" +
                      (alpha.empty() ? ", " : "), ") + "g2 = (1 + s^2)/2");
        return;
    }
    answer.assume(std::string("hidden: the matrices of branches, n their own fan-in") +
                  (text.projections ? "; input and output: the two plain matrices, n the width of y^k"
                                    : "; there is no input and no output layer") +
                  "; constant: " + alpha +
                  "1/g2 in branches, g2 = 1 for the last matrix of a branch, else (1 + s^2)/2" +
                  (text.projections ? "; 1/n_0 in the input layer, 1 at the output" : ""));
}

}  // namespace

void state_assumptions(ModelText const& text, ModelParameters const& which, Answer& answer) {
    for (auto const& fact : text.idle) answer.warn(fact);
    if (text.wiring == Wiring::file) {
        answer.assume("network " + text.wiring_text +
                      (text.has_biases()
                           ? ", biases as in the file (default Gaussian, of nodes without a variance 0), not "
                             "differentiated by"
                           : ", zero biases"));
        answer.assume(std::string("independent weights, laws as in the file (default Gaussian") +
                      (text.parametrisation ? ")"
                                            : " of variance 1/(g2*fan_in), g2 = (1 + s^2)/2 of the node that the edge "
                                              "leads into, 1 without a gate)"));
    }
    if (which.activation && text.wiring != Wiring::file) {
        std::string activation = name(text.activation);
        if (text.activation == ActivationKind::leaky) activation += " (slope " + text.slope_text + ")";
        std::string wiring = "fully connected, ";
        if (text.wiring == Wiring::residual)
            wiring = "residual blocks of " + std::to_string(text.branch_matrices) +
                     (text.branch_matrices == 1 ? " matrix" : " matrices") +
                     (text.branch_widths.empty() ? "" : " by hidden widths " + text.as_typed("branch_widths")) +
                     ", no gate after the last one, " + (text.projections ? "between two plain matrices, " : "");
        if (text.wiring == Wiring::dense)
            wiring = text.first_source == 0 ? "dense blocks that meet all layers below and the input, "
                                            : "dense blocks that meet all layers below, the first one the input, ";
        answer.assume(wiring + activation + " activation" +
                      (text.wiring == Wiring::residual ? ""
                       : text.gated_head               ? ", gated head"
                                                       : ", linear head") +
                      (text.has_biases() ? "" : ", zero biases"));
        if (text.has_biases())
            answer.assume("independent " + std::string(name(text.bias_law)) + " biases of variance " +
                          (text.has("bias_variance") ? text.as_typed("bias_variance") : torch_bias_variance) +
                          (text.bias_label_factors.empty() ? ", not differentiated by" : ""));
    }
    if (text.multiplier)
        answer.assume("y^k = y^(k-1) + m F, F the branch, m = " + text.as_typed("multiplier") +
                      "; derivatives and rates are those of the matrices, beside which m stands" +
                      (text.has_biases() ? "; m multiplies the biases of its last matrix too" : ""));
    if (text.speaks_of_blocks()) answer.assume("blocks: the number of residual blocks");
    if (text.parametrisation) state_parametrisation(text, answer);
    if (which.variance && text.wiring != Wiring::file && !text.parametrisation) {
        if (text.wiring == Wiring::residual && text.scheme == Scheme::he)
            answer.assume(text.projections ? "g2 = 1 for the last matrix of a branch and for the two plain ones"
                                           : "g2 = 1 for the last matrix of a branch");
        if (text.wiring == Wiring::residual && text.scheme == Scheme::mean_field)
            answer.assume(text.projections
                              ? "g2 = 1 for the last matrix of a branch and for the first plain one; the last layer is "
                                "the other plain one"
                              : "g2 = 1 for the last matrix of a branch; there is no last layer besides");
        answer.assume(text.scheme ? "scheme " + std::string(info(*text.scheme).name) + " (variance " +
                                        info(*text.scheme).variance + ")" +
                                        (text.alpha ? std::string(text.projections ? ", in branches" : "") +
                                                          " times alpha = " + text.as_typed("alpha")
                                                    : "")
                                  : "weight variances " + text.as_typed("variance"));
        bool const has_gain = text.scheme == Scheme::he || text.scheme == Scheme::mean_field;
        if (has_gain && sides_of(text.activation) != WeightSides::one) answer.assume("g2 = 1 for concatenated ReLU");
        if (text.has_unit_parameters() && text.alpha)
            answer.assume("alpha in the scale of the network: W = sqrt(alpha/fan_in) theta");
    }
    if (text.has_fan_words()) {
        answer.assume(std::string("fan_in and fan_out: the columns and the rows of a weight matrix") +
                      (text.wiring == Wiring::file    ? ", fan_in of all matrices that lead into a node together"
                       : text.wiring == Wiring::dense ? ", fan_in of all that a dense layer meets together"
                                                      : ""));
    }
    if (which.law && text.wiring != Wiring::file) {
        LawKind const law = text.law.value_or(LawKind::gaussian);
        std::string const orthogonal =
            "weight matrices sqrt(max(fan_in, fan_out)*variance) Q, Q the first rows or columns of a Haar-orthogonal "
            "matrix";
        bool const some = text.has_orthogonal();
        answer.assume(text.orthogonal            ? "independent " + orthogonal
                      : !text.layer_laws.empty() ? "independent weights of laws " + text.as_typed("law") +
                                                       ", layer by layer" + (some ? "; orthogonal: " + orthogonal : "")
                      : text.kurtoses.empty()
                          ? "independent " + std::string(name(law)) + " weights"
                          : "independent symmetric weights of kurtosis " + text.as_typed(text.kurtosis_parameter));
    }
    if (which.law && which.activation && gates_can_tie(text))
        answer.assume("a pre-activation of exactly 0 opens its gate with probability 1/2");
    if (which.input) {
        answer.assume(stated_input(text));
    }
    state_precision(text.precision, answer);
}

void state_precision(monte_carlo::Precision precision, Answer& answer) {
    if (precision == monte_carlo::Precision::float32)
        answer.assume(
            "sampled in float: weights are floats, and what they multiply is rounded to floats; means and standard "
            "errors are doubles and leave that rounding out, some 1e-7 of the size of a network's numbers");
}

}  // namespace isserlis::quantity
