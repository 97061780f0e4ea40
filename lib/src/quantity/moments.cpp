// SPDX-License-Identifier: MIT
#include <isserlis/formula/product_moments.hpp>
#include <isserlis/verify/feasible.hpp>
#include <isserlis/verify/norms.hpp>
#include <isserlis/verify/products.hpp>

#include <algorithm>

#include "quantity/commands.hpp"
#include "quantity/unchecked.hpp"

namespace isserlis::quantity {
namespace {

template <class R, class Count>
bool has_gaussian_fourth_moments(std::vector<LayerRun<R, Count>> const& layers) {
    for (auto const& run : layers) {
        if (!(run.law.has_kurtosis_3())) return false;
    }
    return true;
}

/// A_1 and the steps A_2 .. A_q, for the recursion.
template <class R, class Count, class Run, class ToField, class ToCount>
ProductMoments<R> by_recursion(std::vector<Run> const& layers, ToField const& field, ToCount const& count_of) {
    std::vector<ProductStep<R, Count>> steps;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        Count const count = i == 0 ? count_of(layers[i].count) - Count(1) : count_of(layers[i].count);
        if (count == Count(0)) continue;
        steps.push_back(
            {.inner_width = field(layers[i].fan_in), .fourth_moment = field(layers[i].law.kurtosis()), .count = count});
    }
    return product_moments(R(field(layers.front().law.kurtosis())), std::span<ProductStep<R, Count> const>(steps));
}

ProductMoments<Surd> moments_of(std::vector<LayerRun<Surd, std::uint64_t>> const& layers) {
    if (has_gaussian_fourth_moments(layers)) return gaussian_product_moments(layers);
    auto const m = by_recursion<Rational, std::uint64_t>(
        layers, [](Surd const& x) { return x.to_rational(); }, [](std::uint64_t count) { return count; });
    return {m.second_moment, m.rho, m.gamma, m.nu, m.tau, m.eta};
}

ProductMoments<RationalFunction> moments_of(std::vector<LayerRun<RationalFunction, Exponent>> const& layers) {
    if (has_gaussian_fourth_moments(layers)) return gaussian_product_moments(layers);
    auto const same = [](auto const& x) { return x; };
    bool const endless =
        std::any_of(layers.begin(), layers.end(), [](auto const& run) { return !run.count.is_constant(); });
    if (endless) return by_recursion<RationalFunction, Exponent>(layers, same, same);
    return by_recursion<RationalFunction, std::uint64_t>(
        layers, same, [](Exponent const& count) { return checked_count(numerator_of(count.constant())); });
}

template <class R>
std::vector<std::pair<char const*, R>> by_name(ProductMoments<R> const& m) {
    return {{"second_moment", m.second_moment},
            {"rho", m.rho},
            {"gamma", m.gamma},
            {"nu", m.nu},
            {"tau", m.tau},
            {"eta", m.eta}};
}

void add_moments(NumericModel const& model, Places<std::uint64_t> const& places, Session const& session,
                 Answer& answer) {
    answer.expect(6 * places.size());
    std::optional<monte_carlo::NetworkModel> sampled;
    if (session.samples) {
        sampled = sampling_model(model);
        // Every prefix is sampled by itself; together they have to end.
        double work = 0;
        double all = 0;
        for (std::size_t q = 1; q < sampled->widths.size(); ++q) {
            work += static_cast<double>(sampled->widths[q - 1]) * static_cast<double>(sampled->widths[q]);
            all += work;
        }
        require_feasible(places.size() == 1 ? work : all, *session.samples, session.run_control());
    }
    for (auto const& place : places) {
        auto const layers = up_to(model.net(), place).layers;
        auto const values = by_name(moments_of(layers));
        std::optional<std::vector<Check>> checks;
        if (sampled) {
            std::uint64_t depth = 0;
            for (auto const& run : layers) depth += run.count;
            std::vector<std::size_t> const inner(sampled->widths.begin() + 1,
                                                 sampled->widths.begin() + static_cast<std::ptrdiff_t>(depth));
            std::vector<WeightLaw<double>> const laws(sampled->laws.begin(),
                                                      sampled->laws.begin() + static_cast<std::ptrdiff_t>(depth));
            std::vector<double> exact;
            for (auto const& [name, value] : values) exact.push_back(to_double(value));
            checks = check_product_moments(inner, laws, exact, *session.samples, session.seed, session.run_control());
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::optional<Check> check;
            if (checks) check = (*checks)[i];
            answer.add(values[i].first, {place.label}, values[i].second, check,
                       "the tails of this product are too heavy for these many samples to say anything");
        }
    }
}

void add_moments(SymbolicModel const& model, Places<Exponent> const& places, Session const&, Answer& answer) {
    answer.expect(6 * places.size());
    for (auto const& place : places) {
        for (auto const& [name, value] : by_name(moments_of(up_to(model.net(), place).layers))) {
            answer.add(name, {place.label}, value, {}, not_sampled);
        }
    }
}

void evaluate_moments(NetworksRequest const& request, Session const& session, Bindings const& bindings,
                      Answer& answer) {
    for_each_network(request.networks, session, bindings, {}, answer, [&](ModelText const& text) {
        LawKind const law = text.law.value_or(LawKind::gaussian);
        std::string moment = "fourth moment ";
        moment += text.kurtoses.empty() ? to_string(WeightLaw<Rational>{.kind = law, .kurtosis_value = 0}.kurtosis())
                                        : text.as_typed(text.kurtosis_parameter);
        if (text.law) moment += std::string(", that of the ") + name(law) + " law";
        answer.assume("matrices independent, entries of each i.i.d., mean 0, variance 1, " + moment);
        answer.assume(
            "gamma, tau and eta are of products with two rows or more, nu, tau and eta of two columns or more");
        with_model(text, bindings, [&](auto const& model) {
            add_moments(model, layer_places(model.net().layers, session.layer, answer), session, answer);
        });
    });
}

}  // namespace

Command moments_command() {
    ParameterSet<ModelText> const options = {
        kurtosis_parameter("fourth_moment", "R|LIST",
                           "E a^4 of the unit-variance entries, for all matrices or for each",
                           More{.usual = "3, Gaussian"}),
        law_parameter()};
    CommandOf<NetworksRequest> out;
    out.text = {
        .name = "moments",
        .summary = "Moments of the entries of products of random matrices",
        .positional = "`widths`",
        .positional_help = "d_0,..,d_n: matrix A_q is d_q x d_(q-1); numbers or symbols, 10:3 repeats",
        .most_positionals = 1000,
        .charted = "second_moment",
    };
    out.parameters.add(&NetworksRequest::typed, options);
    out.complete = read_all_networks<NetworksRequest>;
    out.evaluate = evaluate_moments;
    out.expands = true;
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
