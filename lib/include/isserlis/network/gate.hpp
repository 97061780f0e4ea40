// SPDX-License-Identifier: MIT
#pragma once
#include <tuple>
#include <utility>

namespace isserlis {

/// What multiplies a pre-activation: `positive` where it is above 0, `negative` elsewhere. ReLU unless said otherwise.
template <class R>
struct Gate {
    R positive = R(1);
    R negative = R(0);

    Gate() = default;
    /// Both sides are said: a number alone is no gate.
    Gate(R of_positive, R of_negative) : positive(std::move(of_positive)), negative(std::move(of_negative)) {}

    /// The gate that changes nothing.
    [[nodiscard]] static Gate open() { return {R(1), R(1)}; }

    /// E g^k; 1 for k = 0.
    ///
    /// Law     symmetric weights without ties: the sign of a pre-activation is a fair coin, independent of its size.
    /// Errors  none.
    /// Source  [Hanin 2018, Thm 3], [Residual 2019, section 2].
    [[nodiscard]] R moment(unsigned k) const { return (to_the(k, positive) + to_the(k, negative)) / R(2); }

    static constexpr auto members = std::tuple{&Gate::positive, &Gate::negative};
    friend bool operator==(Gate const&, Gate const&) = default;

private:
    static R to_the(unsigned k, R const& x) {
        R out(1);
        for (; k > 0; --k) out = out * x;
        return out;
    }
};

}  // namespace isserlis
