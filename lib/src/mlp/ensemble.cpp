// SPDX-License-Identifier: MIT
#include <isserlis/mlp/ensemble.hpp>

#include <isserlis/error.hpp>
#include <string>

namespace isserlis::mlp {
namespace {

void require_members(std::size_t members) {
    if (members == 0) throw DomainError("ensemble: there are no members; at least 1 is needed", "members");
}

}  // namespace

template <class T>
Matrix<T> ensemble_outputs(Architecture const& architecture, std::span<std::vector<T> const> members,
                           Matrix<T> const& inputs) {
    require_members(members.size());
    Matrix<T> out = network_outputs<T>(architecture, members.front(), inputs);
    for (auto const& parameters : members.subspan(1)) out += network_outputs<T>(architecture, parameters, inputs);
    return out / static_cast<T>(members.size());
}

double ensemble_variance(std::size_t members, double variance, double correlation) {
    require_members(members);
    auto const m = static_cast<double>(members);
    if (!(variance >= 0))
        throw DomainError("ensemble: variance = " + std::to_string(variance) + "; at least 0 is required", "variance");
    double const share = correlation + (1 - correlation) / m;
    if (!(correlation <= 1) || (members > 1 && !(correlation * (m - 1) >= -1)))
        throw DomainError("ensemble: correlation = " + std::to_string(correlation) + "; " + std::to_string(members) +
                              " variables have one from -1/(M - 1) to 1",
                          "correlation");
    return variance * share;
}

template Matrix<float> ensemble_outputs(Architecture const&, std::span<std::vector<float> const>, Matrix<float> const&);
template Matrix<double> ensemble_outputs(Architecture const&, std::span<std::vector<double> const>,
                                         Matrix<double> const&);

}  // namespace isserlis::mlp
