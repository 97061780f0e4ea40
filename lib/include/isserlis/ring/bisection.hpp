// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/interval.hpp>
#include <isserlis/ring/rational.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace isserlis {

/// The fraction of least denominator in [lower, upper], 0 < lower <= upper.
[[nodiscard]] Rational simplest_between(Rational const& lower, Rational const& upper);

/// A point where a continuous function changes its sign, between two rationals that are halved until they are close
/// enough. Signs are exact, so that every enclosure is certain.
///
/// Errors  none: the caller has seen different signs at the two ends, 0 < lower < upper.
class SignChange {
public:
    using Sign = std::function<int(Rational const&)>;

    SignChange(Sign sign, Rational lower, Rational upper);

    /// Both ends agree to `bits` bits.
    [[nodiscard]] Interval enclosure(unsigned bits) const;
    /// The point itself when it is a short fraction.
    [[nodiscard]] std::optional<Rational> exact() const;
    /// Ends that agree to `bits` bits; equal where they are the point.
    [[nodiscard]] std::pair<Rational, Rational> ends(unsigned bits) const;

private:
    void narrow(unsigned bits) const;

    struct Bracket {
        Rational lower;
        Rational upper;
        int sign_below;  ///< at `lower`; 0 when it is the point
    };
    Sign sign_;
    std::shared_ptr<Bracket> bracket_;  ///< narrowed as far as anyone asked for
};

/// Calls visit(lower, upper) for neighbours of these rising points between which a sign changes, those nearest to 1
/// first, until it returns true; whether it did. A point where the sign is 0 is both of them; `sign` is none where there
/// is no value.
bool find_sign_change(std::vector<Rational> const& points,
                      std::function<std::optional<int>(Rational const&)> const& sign,
                      std::function<bool(Rational const&, Rational const&)> const& visit);

/// 2^-most .. 2^most
[[nodiscard]] std::vector<Rational> powers_of_two(int most);

/// The least n >= first with holds(n), for a property that, once it holds, holds for all larger n; nothing if it does
/// not hold up to `last`. Doubles and then halves: about 2 log2 n calls, the last false one at n - 1.
[[nodiscard]] std::optional<std::uint64_t> least_that(std::function<bool(std::uint64_t)> const& holds,
                                                      std::uint64_t first, std::uint64_t last);

}  // namespace isserlis
