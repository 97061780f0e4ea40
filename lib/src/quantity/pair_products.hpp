// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/mean_loss_hessian.hpp>
#include <isserlis/ring/enclosed.hpp>
#include <isserlis/ring/members.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "quantity/given_samples.hpp"
#include "question/model_text.hpp"

namespace isserlis::quantity {

/// Are several samples served here through gates: of fully connected networks of independent Gaussian weights, without biases or
/// with Gaussian ones through one hidden layer? The law matters: of signs the gates of two inputs open together more often.
[[nodiscard]] bool gates_meet_samples(ModelText const& text);
inline constexpr char const* where_gates_meet_samples =
    "fully connected (vanilla) networks of independent Gaussian weights, without biases or with Gaussian ones through "
    "one hidden layer";

/// The parameter that is in the way where they are not served: of the weights, of biases or of the units.
[[nodiscard]] char const* parts_gates_from_samples(ModelText const& text);

/// Products of two inputs as gates need them, whose angles are known of rational ones; none unless all are.
/// Errors  DomainError for an input of 0, unless there are biases.
[[nodiscard]] std::optional<Rows<Rational>> rational_products(Rows<Surd> const& products, bool biased);
[[nodiscard]] std::optional<Rows<Rational>> rational_products(Rows<RationalFunction> const& products, bool biased);

/// Why means at two samples of a network of one hidden layer are not closed; empty where they are, exactly or by enclosures.
template <class R>
[[nodiscard]] std::string why_open(FullyConnected<R, std::uint64_t> const& net) {
    if (!bias_in_products(net))
        return "the variance of the first biases over that of the first weights has to be a rational number";
    auto const gate = net.activation.gate();
    if (gate.positive == gate.negative || has_gaussian_first_layer(net)) return "";
    return "through gates the weights and biases of the first layer have to be Gaussian";
}

/// E y_k.y_l of the targets.
template <class R>
struct TargetProducts {
    Rows<R> exact;                                       ///< none where they are no sums of square roots
    std::function<Rows<Enclosed>(unsigned)> enclosed{};  ///< at so many bits, for a model of numbers
};

/// Those that are known exactly.
template <class R>
[[nodiscard]] TargetProducts<R> exact_products(Rows<R> products) {
    TargetProducts<R> out{.exact = std::move(products)};
    if constexpr (std::is_same_v<R, Surd>) {
        out.enclosed = [exact = out.exact](unsigned bits) {
            Rows<Enclosed> rows;
            for (auto const& row : exact) {
                rows.emplace_back();
                for (auto const& x : row) rows.back().push_back(isserlis::enclosed(x, bits));
            }
            return rows;
        };
    }
    return out;
}

/// Random targets alike at all inputs: E|y|^2 at one and E y_k.y_l at two.
template <class R>
[[nodiscard]] TargetProducts<R> alike_products(std::size_t inputs, R const& one, R const& two) {
    Rows<R> rows(inputs, std::vector<R>(inputs, two));
    for (std::size_t k = 0; k < inputs; ++k) rows[k][k] = one;
    return exact_products(std::move(rows));
}

/// Those of samples.
template <class R>
[[nodiscard]] TargetProducts<R> products_of_targets(SamplesText const& samples, Bindings const& bindings) {
    if (auto exact = target_products<R>(samples, bindings)) return exact_products(std::move(*exact));
    TargetProducts<R> out;
    if constexpr (std::is_same_v<R, Surd>) {
        out.enclosed = [data = *samples.data](unsigned bits) {
            return products_of(converted<Enclosed>(enclosed_targets(data, bits)));
        };
    }
    return out;
}

}  // namespace isserlis::quantity
