// SPDX-License-Identifier: MIT
#include <isserlis/formula/scaling_factor.hpp>
#include <isserlis/model/exact_cost.hpp>

#include <variant>

#include "quantity/commands.hpp"
#include "quantity/unchecked.hpp"
#include "question/model_statement.hpp"

namespace isserlis::quantity {
namespace {

template <class R>
void add_factors(ScalingFactor<R> const& factor, R const& value, std::string const& k, Answer& answer) {
    answer.add("scaling_factor", {k}, value, {}, not_random);
    answer.add("width_sum", {k}, factor.width_sum, {}, not_random);
    answer.add("depth_product", {k}, factor.depth_product, {}, not_random);
}

using Number = std::variant<Surd, RationalFunction>;

RationalFunction as_formula(Number const& x) {
    if (auto const* s = std::get_if<Surd>(&x)) return RationalFunction(*s);
    return std::get<RationalFunction>(x);
}

Value relative_rate(Number const& first, Number const& other) {
    auto const* a = std::get_if<Surd>(&first);
    auto const* b = std::get_if<Surd>(&other);
    if (a == nullptr || b == nullptr) return Value(as_formula(first) / as_formula(other));
    try {
        return Value(*a / *b);
    } catch (UnsupportedError const&) {
        return Value::quotient(*a, *b);
    }
}

void evaluate_scaling(NetworksRequest const& request, Session const& session, Bindings const& bindings,
                      Answer& answer) {
    auto const& networks = request.networks;
    answer.assume(
        "a rule of thumb: derived for deep linear networks with proportional initialisation and constant gradients");
    std::vector<Number> factors;
    std::vector<std::pair<std::string, std::string>> ends;
    std::uint64_t const only = session.layer ? parse_count(*session.layer, "layer", 1, networks.size()) : 0;
    answer.expect(4 * networks.size());
    for (std::size_t i = 0; i < networks.size(); ++i) {
        std::string const k = std::to_string(i + 1);
        declare_symbols(networks[i], bindings, answer);
        // All networks are evaluated: rates are relative to the first.
        with_model(networks[i], bindings, [&](auto const& model) {
            if constexpr (std::is_same_v<std::decay_t<decltype(model)>, NumericModel>)
                require_moderate_digits(model.graph());
            auto const factor = scaling_factor(model.net().layers);
            auto const value = factor.value();
            ends.emplace_back(to_string(model.net().input_width()), to_string(model.net().output_width()));
            factors.emplace_back(value);
            if (only != 0 && only != i + 1) return;
            add_factors(factor, value, k, answer);
            answer.add("relative_rate", {k}, i == 0 ? Value(Surd(1)) : relative_rate(factors.front(), factors.back()),
                       {}, not_random);
        });
        if (ends[i] != ends[0])
            answer.warn("network " + k +
                        " has another input or output width than the first; the rule compares networks with equal "
                        "ends");
    }
}

}  // namespace

Command scaling_factor_command() {
    return bound<NetworksRequest>(
        {.text = {.name = "scaling-factor",
                  .summary = "Learning-rate transfer between architectures",
                  .positional = "`widths`",
                  .positional_help = "One network or several; rates are relative to the first",
                  .most_positionals = 100'000},
         .complete = read_all_networks<NetworksRequest>,
         .evaluate = evaluate_scaling,
         .expands = true});
}

}  // namespace isserlis::quantity
