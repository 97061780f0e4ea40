// SPDX-License-Identifier: MIT
#include <isserlis/train/initial.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/random/unit_weight.hpp>
#include <span>
#include <string>

namespace isserlis::train {

std::vector<double> variances_by_fan_in(mlp::Architecture const& architecture, double c) {
    std::vector<double> out;
    auto const& wiring = architecture.wiring();
    for (auto const& edge : wiring.edges())
        if (edge.weighted) out.push_back(c / static_cast<double>(wiring.nodes()[edge.from].width));
    return out;
}

template <class T>
std::vector<T> initial_parameters(mlp::Architecture const& architecture, std::vector<double> const& variances,
                                  std::uint64_t seed, std::uint64_t sample, WeightLaw<double> const& law) {
    auto const& wiring = architecture.wiring();
    auto parameters = architecture.neutral_parameters();
    UnitWeight const unit(law);
    Stream stream(seed, sample);
    std::size_t k = 0;
    for (auto const& edge : wiring.edges()) {
        if (!edge.weighted) continue;
        if (k == variances.size() || !(variances[k] >= 0) || !std::isfinite(variances[k]))
            throw DomainError("initial_parameters: the variance of edge " + printable(edge.name) +
                                  (k == variances.size() ? " is missing" : " is negative or not finite") +
                                  "; one is needed for each weight edge",
                              "variances");
        std::size_t const entries = wiring.entries(edge);
        bool const both = wiring.concatenated() && !wiring.tied();
        auto const drawn = std::span(parameters).subspan(edge.first, both ? 2 * entries : entries);
        unit.fill(stream, drawn);
        double const deviation = wiring.unit_parameters() ? 1 : std::sqrt(variances[k]);
        for (double& w : drawn) w *= deviation;
        if (wiring.tied())
            std::copy_n(parameters.begin() + static_cast<std::ptrdiff_t>(edge.first), entries,
                        parameters.begin() + static_cast<std::ptrdiff_t>(edge.negative));
        ++k;
    }
    if (k != variances.size())
        throw DomainError("initial_parameters: " + std::to_string(variances.size()) + " variances for " +
                              std::to_string(k) + " weight edges",
                          "variances");
    return {parameters.begin(), parameters.end()};
}

template std::vector<float> initial_parameters(mlp::Architecture const&, std::vector<double> const&, std::uint64_t,
                                               std::uint64_t, WeightLaw<double> const&);
template std::vector<double> initial_parameters(mlp::Architecture const&, std::vector<double> const&, std::uint64_t,
                                                std::uint64_t, WeightLaw<double> const&);

}  // namespace isserlis::train
