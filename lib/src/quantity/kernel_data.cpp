// SPDX-License-Identifier: MIT
#include "quantity/kernel_data.hpp"

#include <isserlis/observable/observable.hpp>
#include <isserlis/verify/observable.hpp>
#include <map>

#include "quantity/kernel_check.hpp"
#include "quantity/kernel_values.hpp"

namespace isserlis::quantity {
namespace {

/// Two samples, or one with itself, which is the first of two at a right angle.
struct PairOfSamples {
    std::size_t k, l;
    bool is_one;
    Kernels kernels;

    [[nodiscard]] Value kernel(std::uint64_t layer) const {
        constexpr char const* form = "K(x,y)";
        if (is_one)
            return kernels.value(
                layer, [](auto const& x) -> Enclosed const& { return x.kernel.uu; }, form);
        return kernels.value(
            layer, [](auto const& x) -> Enclosed const& { return x.kernel.uv; }, form);
    }
    [[nodiscard]] Value tangent(std::uint64_t layer) const {
        constexpr char const* form = "Theta(x,y)";
        if (is_one)
            return kernels.value(
                layer, [](auto const& x) -> Enclosed const& { return x.tangent.uu; }, form);
        return kernels.value(
            layer, [](auto const& x) -> Enclosed const& { return x.tangent.uv; }, form);
    }
};

std::vector<PairOfSamples> pairs_of(LayersOfUnit const& of, DataSet const& data) {
    auto products = gram(data);
    Rational const width{Integer(data.input_width())};
    for (auto& row : products)
        for (auto& x : row) x /= width;
    std::vector<PairOfSamples> out;
    for (std::size_t k = 0; k < products.size(); ++k) {
        for (std::size_t l = k; l < products.size(); ++l) {
            bool const is_one = products[k][k] == products[k][l] && products[l][l] == products[k][l];
            InputGram const inputs{
                .xx = products[k][k], .xy = is_one ? Rational(0) : products[k][l], .yy = products[l][l]};
            out.push_back({.k = k, .l = l, .is_one = is_one, .kernels = Kernels(of.network, inputs, {}, false)});
        }
    }
    return out;
}

std::string name_of(std::size_t sample) { return "s" + std::to_string(sample + 1); }

/// Kernel and tangent kernel of each pair in the layers whose means these are at any width, by networks that read the data.
std::map<std::uint64_t, std::vector<Check>> checks_of(LayersOfUnit const& of, DataSet const& data,
                                                      std::vector<PairOfSamples> const& pairs, Session const& session) {
    std::map<std::uint64_t, std::vector<Check>> out;
    auto const* gate = std::get_if<Gate<Rational>>(&of.network.unit);
    if (!session.samples || gate == nullptr) return out;
    monte_carlo::ObservableSettings settings;
    auto const inputs = input_doubles(data);
    for (std::size_t k = 0; k < inputs.size(); ++k) settings.inputs[name_of(k)] = inputs[k];
    for (auto const layer : of.layers) {
        if (layer > last_exact_layer) continue;
        std::vector<ExactMean> means;
        for (auto const& pair : pairs) {
            std::string const x = name_of(pair.k);
            std::string const y = name_of(pair.l);
            auto const add = [&](std::string const& query, Value const& value) {
                means.push_back(
                    {.query = parse_query(query), .mean = value.to_double(), .second_moment = std::nullopt});
            };
            add("z[1]@" + x + " z[1]@" + y, pair.kernel(layer));
            add("z[1;m]@" + x + " z[1;m]@" + y, pair.tangent(layer));
        }
        out[layer] = check_observables(sampled_network(*gate, of.network, data.input_width(), layer), means, settings,
                                       *session.samples, session.seed, session.run_control());
    }
    return out;
}

}  // namespace

void add_kernels_of_samples(LayersOfUnit const& of, DataSet const& data, Session const& session, Answer& answer) {
    auto const pairs = pairs_of(of, data);
    auto const checks = checks_of(of, data, pairs, session);
    std::string const why = std::holds_alternative<SmoothUnit>(of.network.unit)
                                ? not_of_smooth_units
                                : "a limit of infinite width, which finite networks meet up to 1/width";
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        auto const& pair = pairs[p];
        for (auto const layer : of.layers) {
            std::vector<std::string> const index{std::to_string(pair.k + 1), std::to_string(pair.l + 1),
                                                 std::to_string(layer), of.unit};
            auto const sampled = checks.find(layer);
            auto const check = [&](std::size_t row) {
                return sampled == checks.end() ? std::nullopt : std::optional(sampled->second[2 * p + row]);
            };
            answer.add("kernel", index, pair.kernel(layer), check(0), why);
            if (pair.k != pair.l)
                answer.add("kernel_correlation", index, pair.is_one ? Value(Surd(1)) : pair.kernels.correlation(layer),
                           {}, "made of rows that are sampled where they can be");
            answer.add("tangent_kernel", index, pair.tangent(layer), check(1), why);
        }
    }
}

}  // namespace isserlis::quantity
