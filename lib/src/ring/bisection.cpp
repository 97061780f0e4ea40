// SPDX-License-Identifier: MIT
#include <isserlis/ring/bisection.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

namespace isserlis {

Rational simplest_between(Rational const& lower, Rational const& upper) {
    Integer const below = numerator_of(lower) / denominator_of(lower);
    Rational const whole = Rational(below);
    if (whole == lower) return whole;
    if (whole + 1 <= upper) return whole + 1;
    return whole + 1 / simplest_between(1 / Rational(upper - whole), 1 / Rational(lower - whole));
}

SignChange::SignChange(Sign sign, Rational lower, Rational upper)
    : sign_(std::move(sign)), bracket_(std::make_shared<Bracket>()) {
    bracket_->lower = std::move(lower);
    bracket_->upper = std::move(upper);
    bracket_->sign_below = sign_(bracket_->lower);
    if (bracket_->sign_below == 0) bracket_->upper = bracket_->lower;
    if (sign_(bracket_->upper) == 0) bracket_->lower = bracket_->upper;
}

void SignChange::narrow(unsigned bits) const {
    auto& b = *bracket_;
    Rational const scale = Rational(Integer(1) << bits);
    while ((b.upper - b.lower) * scale > b.lower) {
        Rational const middle = (b.lower + b.upper) / 2;
        int const sign = sign_(middle);
        if (sign == 0) {
            b.lower = middle;
            b.upper = middle;
        } else {
            (sign == b.sign_below ? b.lower : b.upper) = middle;
        }
    }
}

Interval SignChange::enclosure(unsigned bits) const {
    narrow(bits);
    Interval const lower(bracket_->lower, bits);
    Interval const radius(Rational(bracket_->upper - bracket_->lower), bits);
    return widened(lower, radius);
}

std::pair<Rational, Rational> SignChange::ends(unsigned bits) const {
    narrow(bits);
    return {bracket_->lower, bracket_->upper};
}

std::optional<Rational> SignChange::exact() const {
    constexpr unsigned bits = 40;
    narrow(bits);
    Rational const candidate = simplest_between(bracket_->lower, bracket_->upper);
    // Of all fractions one with a denominator this small lies here by chance once in a thousand times.
    if (denominator_of(candidate) >= (Integer(1) << 15U)) return std::nullopt;
    if (bracket_->lower < bracket_->upper && sign_(candidate) != 0) return std::nullopt;
    return candidate;
}

bool find_sign_change(std::vector<Rational> const& points,
                      std::function<std::optional<int>(Rational const&)> const& sign,
                      std::function<bool(Rational const&, Rational const&)> const& visit) {
    auto const from =
        static_cast<std::size_t>(std::lower_bound(points.begin(), points.end(), Rational(1)) - points.begin());
    std::map<std::size_t, std::optional<int>> known;
    auto const at = [&](std::size_t k) {
        auto const found = known.find(k);
        return found != known.end() ? found->second : known.emplace(k, sign(points[k])).first->second;
    };
    auto const is_one = [&](std::size_t low) {
        auto const below = at(low);
        auto const above = at(low + 1);
        if (below == 0) return visit(points[low], points[low]);
        if (above == 0) return visit(points[low + 1], points[low + 1]);
        return below && above && *below != *above && visit(points[low], points[low + 1]);
    };
    for (std::size_t step = 0; step < points.size(); ++step) {
        if (step + 1 <= from && is_one(from - step - 1)) return true;
        if (from + step + 1 < points.size() && is_one(from + step)) return true;
    }
    return false;
}

std::vector<Rational> powers_of_two(int most) {
    std::vector<Rational> out;
    for (int k = -most; k <= most; ++k) {
        Rational const size{Integer(1) << static_cast<unsigned>(std::abs(k))};
        out.push_back(k < 0 ? Rational(1 / size) : size);
    }
    return out;
}

std::optional<std::uint64_t> least_that(std::function<bool(std::uint64_t)> const& holds, std::uint64_t first,
                                        std::uint64_t last) {
    if (first > last) return std::nullopt;
    if (holds(first)) return first;
    std::uint64_t below = first;  // false there
    std::uint64_t step = 1;
    for (;;) {
        if (below == last) return std::nullopt;
        std::uint64_t const next = last - below > step ? below + step : last;
        if (holds(next)) {
            std::uint64_t above = next;
            while (above - below > 1) {
                std::uint64_t const middle = below + (above - below) / 2;
                (holds(middle) ? above : below) = middle;
            }
            return above;
        }
        below = next;
        step *= 2;
    }
}

}  // namespace isserlis
