// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace isserlis {

/// The input vectors of a network, as far as they are known: coordinates, a Gram matrix, or |x|^2 and sum x_i^4 of one.
template <class R>
struct NetworkInputs {
    std::vector<std::string> names{};       ///< what @ calls them; the first is meant without @
    std::vector<std::vector<R>> vectors{};  ///< one for each input, or none
    std::vector<std::vector<R>> gram{};     ///< <x^a, x^b>, or empty
    std::optional<R> squared_norm{};        ///< of the one input
    std::optional<R> fourth{};              ///< sum x_i^4 of the one input
    /// Of inputs that are drawn together, in place of all that: the mean of a product of sums over coordinates, by the
    /// inputs that meet in each, sorted; sorted too.
    std::map<std::vector<std::vector<unsigned>>, R> means{};
    static constexpr auto members =
        std::tuple{&NetworkInputs::names,        &NetworkInputs::vectors, &NetworkInputs::gram,
                   &NetworkInputs::squared_norm, &NetworkInputs::fourth,  &NetworkInputs::means};

    /// sum_j of the product of x^a_j over `inputs`, or the product at the neuron `fixed` (from 1).
    /// Errors  DomainError naming what has to be given.
    [[nodiscard]] R part(std::vector<unsigned> const& inputs, std::size_t fixed) const {
        if (!vectors.empty()) {
            R sum(0);
            std::size_t const size = vectors.front().size();
            if (fixed > size) throw DomainError("`query`: the input has no neuron " + std::to_string(fixed), "query");
            for (std::size_t j = fixed == 0 ? 0 : fixed - 1; j < (fixed == 0 ? size : fixed); ++j) {
                R product(1);
                for (unsigned const a : inputs) product = product * vectors[a][j];
                sum = sum + product;
            }
            return sum;
        }
        if (fixed != 0) throw DomainError("`input`: coordinates of the input are needed", "input");
        if (inputs.size() == 2) {
            if (!gram.empty()) return gram[inputs[0]][inputs[1]];
            if (squared_norm) return *squared_norm;
        }
        if (inputs.size() == 4 && gram.empty() && fourth) return *fourth;
        if (inputs.size() == 4 && gram.empty())
            throw DomainError("`input_fourth`: sum x_i^4 is needed; give it, or the input itself by `input`",
                              "input_fourth");
        throw DomainError("`input`: the sum of x_j^" + std::to_string(inputs.size()) +
                              " over the input is needed; give the input vector",
                          "input");
    }

    /// The product of `part` over all parts, or its mean where inputs are drawn together.
    /// Errors  those of `part`.
    [[nodiscard]] R product(std::vector<std::pair<std::vector<unsigned>, std::size_t>> const& parts) const {
        R out(1);
        if (means.empty()) {
            for (auto const& [inputs, fixed] : parts) out = out * part(inputs, fixed);
            return out;
        }
        std::vector<std::vector<unsigned>> meeting;
        for (auto const& [inputs, fixed] : parts) {
            meeting.push_back(inputs);
            std::sort(meeting.back().begin(), meeting.back().end());
        }
        std::sort(meeting.begin(), meeting.end());
        auto const at = means.find(meeting);
        if (at == means.end()) throw DomainError("`input`: a mean of products of inputs is not known", "input");
        return at->second;
    }
};

/// A constant vector (one row) or symmetric matrix.
template <class R>
using ConstantValue = std::vector<std::vector<R>>;

/// Everything besides the network that an expectation depends on.
template <class R>
struct ObservableSetting {
    NetworkInputs<R> inputs{};
    R target_mean = R(0);              ///< E y_i of each output
    R target_second = R(1);            ///< E|y|^2 over all outputs
    std::optional<R> target_third{};   ///< sum_i E y_i^3
    std::optional<R> target_fourth{};  ///< sum_i E y_i^4
    std::map<std::string, R> parameters{};
    std::map<std::string, ConstantValue<R>> constants{};

    [[nodiscard]] bool targets_have_mean() const { return !(target_mean == R(0)); }
    static constexpr auto members = std::tuple{&ObservableSetting::inputs,        &ObservableSetting::target_mean,
                                               &ObservableSetting::target_second, &ObservableSetting::target_third,
                                               &ObservableSetting::target_fourth, &ObservableSetting::parameters,
                                               &ObservableSetting::constants};
};

}  // namespace isserlis
