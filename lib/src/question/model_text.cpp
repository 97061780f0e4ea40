// SPDX-License-Identifier: MIT
#include "question/model_text.hpp"

#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/network/widths.hpp>

#include "question/block_word.hpp"
#include "question/fan_words.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

void gather(std::set<std::string>& into, std::vector<Expression> const& list) {
    for (auto const& e : list) into.merge(e.symbols());
}
void gather(std::set<std::string>& into, std::optional<Expression> const& e) {
    if (e) into.merge(e->symbols());
}

}  // namespace

Expression parse_formula(std::string_view text, std::string_view parameter) {
    auto out = Expression::parse(text, parameter);
    for (auto const& symbol : out.symbols()) check_symbol(symbol, parameter);
    return out;
}

std::vector<Expression> parse_list(std::string const& text, std::string const& parameter) {
    std::vector<Expression> out;
    for (auto const& entry : split(text)) out.push_back(parse_formula(entry, parameter));
    return out;
}

bool ModelText::has_fan_words() const {
    auto const in_file = [](auto const& e) { return !e.skip && (!e.variance || speaks_of_fans(*e.variance)); };
    return std::any_of(variances.begin(), variances.end(), speaks_of_fans) ||
           std::any_of(bias_variances.begin(), bias_variances.end(), speaks_of_fans) ||
           std::any_of(file.edges.begin(), file.edges.end(), in_file) ||
           std::any_of(file.nodes.begin(), file.nodes.end(),
                       [](auto const& n) { return n.bias_variance && speaks_of_fans(*n.bias_variance); });
}

bool ModelText::speaks_of_blocks() const {
    return quantity::speaks_of_blocks(alpha) || quantity::speaks_of_blocks(multiplier);
}

bool ModelText::has_biases() const {
    auto const is_zero = [](auto const& e) { return is_number(e, 0); };
    if (bias_variances.empty() && named_scheme && draws_biases(named_scheme->scheme)) return true;
    bool const some = !std::all_of(bias_variances.begin(), bias_variances.end(), is_zero);
    return some || (!bias_variances.empty() && !bias_label_factors.empty()) || file.has_biases();
}

bool ModelText::has_kurtosis_three() const {
    auto const is_three = [](auto const& e) { return is_number(e, 3); };
    if (wiring == Wiring::file) {
        return std::all_of(file.edges.begin(), file.edges.end(), [&](auto const& e) {
            return e.law.value_or(LawKind::gaussian) == LawKind::gaussian && (!e.kurtosis || is_three(*e.kurtosis));
        });
    }
    auto const is_gaussian = [](auto const& l) { return l.value_or(LawKind::gaussian) == LawKind::gaussian; };
    return is_gaussian(law) && std::all_of(layer_laws.begin(), layer_laws.end(), is_gaussian) &&
           std::all_of(kurtoses.begin(), kurtoses.end(), is_three);
}

std::set<std::string> ModelText::symbols() const {
    std::set<std::string> out;
    for (auto const& item : widths) {
        if (item.width.is_symbol) out.insert(item.width.text);
        if (item.count.is_symbol) out.insert(item.count.text);
    }
    gather(out, slope);
    for (auto const& e : variances) out.merge(symbols_of_variance(e));
    for (auto const& e : bias_variances) out.merge(symbols_of_variance(e));
    gather(out, kurtoses);
    if (input) out.insert(input->symbols.begin(), input->symbols.end());
    gather(out, squared_norm);
    gather(out, fourth);
    gather(out, data_scale);
    out.merge(symbols_of_branches(alpha));
    out.merge(symbols_of_branches(multiplier));
    gather(out, branch_widths);
    gather(out, label_factors);
    gather(out, bias_label_factors);
    gather(out, target_second);
    gather(out, target_third);
    gather(out, target_fourth);
    file.gather_symbols(out);
    return out;
}

std::set<std::string> symbols_of(std::vector<ModelText> const& networks) {
    std::set<std::string> out;
    for (auto const& text : networks) out.merge(text.symbols());
    return out;
}

namespace {

void require_vanilla(ModelText const& text, std::string const& widths, std::string const& command) {
    if (text.wiring_text == "vanilla") return;
    std::string const way =
        command == "loss-curve"
            ? "; isserlis expect '(D[m] loss)^2' " + widths + " `network` " + text.wiring_text +
                  " is minus the slope of half the squared error of one input, and isserlis jacobian has "
                  "`solve` for scales of the branches"
            : "";
    throw UnsupportedError(
        "`network` " + text.wiring_text + ": " + command + " serves fully connected (vanilla) networks" + way,
        "network");
}

/// The scheme, and the law and biases where its name fixes them; `bias_variance` says other ones.
/// Errors  ParseError where `law` or the kurtosis says another law.
void fix_scheme(ModelText& text) {
    if (!text.named_scheme) {
        text.scheme = default_scheme(text.activation);
        return;
    }
    auto [scheme, law] = *text.named_scheme;
    text.scheme = scheme;
    if (draws_biases(scheme) && text.bias_variances.empty()) {
        text.bias_variances.push_back(Expression::parse(torch_bias_variance, "scheme"));
        text.bias_law = law_of(scheme);
    }
    if (!law && law_of(scheme) != LawKind::gaussian) law = law_of(scheme);
    if (!law) return;
    if (!text.kurtoses.empty() || text.orthogonal || !text.layer_laws.empty() || (text.law && *text.law != *law)) {
        throw ParseError("`scheme` " + printable(text.as_typed("scheme")) + " fixes the law (" + name(*law) +
                             "); leave `law` and " + named(text.kurtosis_parameter) + " out",
                         "scheme");
    }
    text.law = law;
}

/// The networks whose layers the rules of a parametrisation speak of.
void require_parametrised(ModelText const& text) {
    for (auto const& edge : text.file.edges) {
        if (edge.variance)
            throw ParseError("`parametrisation`: edge \"" + printable(edge.name) +
                                 "\" of the network file has a variance already; leave one of them out",
                             "parametrisation");
        if (!edge.skip && edge.from == 0 && edge.to + 1 == text.file.nodes.size())
            throw DomainError("`parametrisation`: edge \"" + printable(edge.name) +
                                  "\" of the network file leads from the input to the output, and so has no width; "
                                  "variances and label factors in the file serve it",
                              "network");
    }
    if (sides_of(text.activation) != WeightSides::one)
        throw UnsupportedError("`parametrisation`: relu, leaky and linear units are served, no concatenated ones",
                               "activation");
}

void check_branches(ModelText const& text) {
    if (text.wiring != Wiring::vanilla && (text.orthogonal || !text.layer_laws.empty()))
        throw UnsupportedError("`law` " + printable(text.as_typed("law")) +
                                   ": orthogonal matrices, and one law for each layer, are served in fully connected "
                                   "(vanilla) networks; leave `network` out",
                               "law");
    if (!text.branch_widths.empty()) {
        if (text.wiring != Wiring::residual || text.branch_matrices < 2)
            throw ParseError("`branch_widths` means something in branches of two matrices or more, `network` resnet:2",
                             "branch_widths");
        if (text.branch_widths.size() != 1 && text.branch_widths.size() + 1 != text.branch_matrices)
            throw ParseError("`branch_widths`: " + std::to_string(text.branch_widths.size()) + " widths for the " +
                                 std::to_string(text.branch_matrices - 1) +
                                 " hidden layers of a branch; give one for all or one for each",
                             "branch_widths");
    }
    if (text.projections && text.wiring != Wiring::residual)
        throw ParseError("`projections` means something with `network` resnet:M only", "projections");
    if (text.projections && default_scheme(text.activation) == Scheme::proportional)
        throw UnsupportedError(
            "`activation`: concatenated ReLU has two matrices a layer, and residual networks between plain ones have "
            "relu, leaky or linear units",
            "activation");
    if (text.alpha && text.wiring == Wiring::file)
        throw ParseError("`alpha`: a network file says the variance of each edge; leave it out", "alpha");
    if (text.multiplier && text.wiring != Wiring::residual)
        throw ParseError("`multiplier` means something in residual blocks y + m F(y), `network` resnet:M, only",
                         "multiplier");
    if (text.speaks_of_blocks()) {
        if (text.wiring != Wiring::residual)
            throw ParseError("`alpha`: blocks are those of residual networks, `network` resnet:M", "alpha");
        auto const is_blocks = [](auto const& item) {
            return item.width.text == blocks_word || item.count.text == blocks_word;
        };
        if (std::any_of(text.widths.begin(), text.widths.end(), is_blocks))
            throw ParseError(
                "`widths`: blocks is the number of residual blocks in `alpha` and `multiplier`; give the "
                "width or the count another name",
                "widths");
    }
    if (text.effective && text.wiring != Wiring::vanilla)
        throw UnsupportedError(std::string("`effective`: fully connected (vanilla) networks are served; ") +
                                   (text.wiring == Wiring::file ? "a network file gives each edge its label_factor"
                                                                : "give `label_factor`"),
                               "effective");
    if (text.has("first_source") && text.wiring != Wiring::dense)
        throw ParseError("`first_source` means something with `network` densenet only", "first_source");
}

/// Do coordinates of the input come to a node as they are? Then fourth powers there have sum x_i^4 in them.
bool skips_from_input(ModelText const& text) {
    if (text.wiring == Wiring::residual) return !text.projections;
    return std::any_of(text.file.edges.begin(), text.file.edges.end(),
                       [](auto const& edge) { return edge.skip && edge.from == 0; });
}

/// Errors  UnsupportedError for a gate behind the output layer that doubles its width.
void require_output_width(ModelText const& text) {
    if (text.gated_head && sides_of(text.activation) != WeightSides::one)
        throw UnsupportedError(
            "`head`: a concatenated ReLU makes two units of each neuron, so that the outputs would be "
            "twice as many as `widths` says; choose linear",
            "head");
}

void note_idle(ModelText& text, std::string const& command) {
    if (text.gated_head && text.wiring == Wiring::residual)
        text.idle.emplace_back("`head` has no effect with `network` resnet: the output is a sum, without a gate");
    if (text.has("activation") && text.activation != ActivationKind::linear && text.wiring == Wiring::residual &&
        text.branch_matrices == 1)
        text.idle.emplace_back("`activation` has no effect: branches of one matrix have no gate");
    bool const sampled = text.has("check") || text.has("emit_test");
    bool const has_fourth_powers = command == "expect" || command == "mup" || command == "claim";
    if (text.fourth && !sampled && text.has_kurtosis_three() && !(has_fourth_powers && skips_from_input(text)))
        text.idle.emplace_back("`input_fourth` has no effect with a kurtosis of 3, that of Gaussian weights");
}

/// A letter of one's own in `layer` is any layer, and stands for nothing else.
void require_free_letters(ModelText const& text, Session const& session) {
    if (!session.layer) return;
    auto const known = text.symbols();
    for (auto const& entry : split(*session.layer)) {
        if (!is_identifier(entry) || known.count(entry) == 0) continue;
        bool const is_size = std::any_of(text.widths.begin(), text.widths.end(), [&](WidthItem const& item) {
            return item.width.text == entry || item.count.text == entry;
        });
        if (is_size) continue;
        throw DomainError("`layer` " + printable(*session.layer) + ": " + entry +
                              " is a symbol of this question already; another letter stands for any layer",
                          "layer");
    }
}

}  // namespace

ModelText read_network(ModelText typed, std::string const& widths, Session const& session, bool any_wiring) {
    ModelText& out = typed;
    for (auto const& [parameter, values] : session.question.parameters) out.typed[parameter] = values.back();
    if (!any_wiring) require_vanilla(out, widths, session.question.command);
    if (out.wiring == Wiring::file) {
        if (!widths.empty())
            throw ParseError("`widths`: the widths are in the file of `network` already; leave them out", "widths");
        for (std::string const& parameter :
             {std::string("activation"), std::string("head"), std::string("scheme"), std::string("variance"),
              std::string("law"), out.kurtosis_parameter, std::string("label_factor"), std::string("bias_variance"),
              std::string("bias_law")}) {
            if (out.has(parameter))
                throw ParseError(named(parameter) + ": a network file says this for each node or edge", parameter);
        }
        if (out.label_factors.size() > 1)
            throw ParseError(named(out.label_factor_parameter) +
                                 ": one for the whole network file, times the label_factor of each edge that has one",
                             out.label_factor_parameter);
    } else {
        out.widths = parse_widths(widths);
    }
    if (out.parametrisation) {
        require_parametrised(out);
    } else if (out.variances.empty()) {
        fix_scheme(out);
    }
    if (!out.kurtoses.empty() && (out.orthogonal || !out.layer_laws.empty()))
        throw ParseError(named(out.kurtosis_parameter) + " and `law` " + out.as_typed("law") +
                             " both fix the law of the entries; give one of them",
                         out.kurtosis_parameter);
    if (!out.kurtoses.empty() && out.law) {
        std::string const& parameter = out.kurtosis_parameter;
        throw ParseError(named(parameter) + " and `law` both fix the fourth moment (" + name(*out.law) +
                             " has kurtosis " +
                             to_string(WeightLaw<Rational>{.kind = *out.law, .kurtosis_value = 0}.kurtosis()) +
                             "); give one of them",
                         parameter);
    }
    check_branches(out);
    if (session.question.command != "norm") require_output_width(out);  // of |h|, both units together
    require_free_letters(out, session);
    note_idle(out, session.question.command);
    return typed;
}

std::vector<ModelText> read_networks(ModelText const& typed, Session const& session, bool any_wiring) {
    auto const& widths = session.question.words;
    if (widths.empty() && any_wiring && typed.wiring == Wiring::file) {
        std::vector<ModelText> out{read_network(typed, "", session, any_wiring)};
        check_bindings(symbols_of(out), session);
        return out;
    }
    if (widths.empty()) {
        throw ParseError("`widths` is missing; list the layers from the input on, such as isserlis " +
                             session.question.command + " 2,10:3,1",
                         "widths");
    }
    std::vector<ModelText> out;
    for (auto const& w : widths) out.push_back(read_network(typed, w, session, any_wiring));
    check_bindings(symbols_of(out), session);
    return out;
}

void check_bindings(std::set<std::string> const& symbols, Session const& session) {
    auto const layers = session.layer ? split(*session.layer) : std::vector<std::string>{};
    auto check = [&](std::string const& symbol, char const* parameter, std::string const& value) {
        if (symbols.count(symbol) != 0) return;
        if (std::find(layers.begin(), layers.end(), symbol) != layers.end())
            throw DomainError(named(parameter) + ": " + symbol +
                                  " is the layer, any one, and no symbol of the query; `layer` " + value +
                                  " chooses it",
                              parameter);
        std::string known;
        for (auto const& s : symbols) known += (known.empty() ? "" : ", ") + s;
        throw DomainError(named(parameter) + ": the query has no symbol '" + symbol + "'" +
                              (known.empty() ? "; it has numbers only" : "; its symbols are " + known),
                          parameter);
    };
    for (auto const& [symbol, value] : session.bindings)
        check(symbol, "set", value > 0 && is_integer(value) ? to_string(value) : "K");
    for (auto const& s : session.sweeps) check(s.symbol, "table", "K");
}

}  // namespace isserlis::quantity
