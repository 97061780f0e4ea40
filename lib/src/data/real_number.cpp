// SPDX-License-Identifier: MIT
#include <isserlis/data/real_number.hpp>

#include <utility>

namespace isserlis {
namespace {

/// t modulo whole turns and up to sign, in [0, 1/2]: the cosine is the same.
Rational folded(Rational const& t) {
    Integer whole = numerator_of(t) / denominator_of(t);  // rounds to zero
    Rational out = t - whole;
    if (out < 0) out = -out;
    return out > ratio(1, 2) ? Rational(1 - out) : out;
}

/// cos(2 pi t) for 0 <= t <= 1/2 where 24 t or 10 t is whole.
std::optional<Surd> known_cosine(Rational const& t) {
    if (t > ratio(1, 4)) {
        auto const mirrored = known_cosine(ratio(1, 2) - t);
        if (!mirrored) return std::nullopt;
        return -*mirrored;
    }
    auto const root = [](int radicand, int denominator) { return Surd::monomial(ratio(1, denominator), radicand); };
    if (is_integer(24 * t)) {
        switch (checked_count(numerator_of(Rational(24 * t)))) {
            case 0: return Surd(1);
            case 1: return root(6, 4) + root(2, 4);
            case 2: return root(3, 2);
            case 3: return root(2, 2);
            case 4: return Surd(ratio(1, 2));
            case 5: return root(6, 4) - root(2, 4);
            default: return Surd(0);
        }
    }
    if (t == ratio(1, 10)) return Surd(ratio(1, 4)) + root(5, 4);
    if (t == ratio(1, 5)) return root(5, 4) - Surd(ratio(1, 4));
    return std::nullopt;
}

/// cos x or sin x for an enclosure x within [0, 1], by Taylor's series: terms fall and alternate, so that what is left
/// is at most the first term left out.
Interval alternating_series(Interval const& x, bool sine) {
    unsigned const bits = x.bits();
    Interval const square = x * x;
    Interval term = sine ? x : Interval(1L, bits);
    Interval sum = term;
    Rational bound = 1;  // of the term, for |x| <= 1
    Rational const enough = ratio(1, power(Integer(2), bits + 2));
    for (long n = sine ? 2 : 1; bound > enough; n += 2) {
        term = term * square / Interval(n * (n + 1), bits);
        bound /= n * (n + 1);
        sum = n / 2 % 2 == (sine ? 1 : 0) ? sum - term : sum + term;
    }
    return widened(sum, Interval(bound, bits));
}

}  // namespace

RealNumber RealNumber::cosine_of_turns(Rational const& t) {
    Rational const turns = folded(t);
    RealNumber out(0);
    out.exact_ = known_cosine(turns);
    out.turns_ = turns;
    return out;
}

RealNumber RealNumber::enclosed(std::function<Interval(unsigned bits)> enclosure, std::string text) {
    RealNumber out(0);
    out.exact_.reset();
    out.known_ = std::make_shared<Known const>(Known{.enclosure = std::move(enclosure), .text = std::move(text)});
    return out;
}

Interval RealNumber::enclose(unsigned bits) const {
    if (exact_) return isserlis::enclose(*exact_, bits);
    if (known_) return known_->enclosure(bits);
    // cos(2 pi t) = -cos(2 pi (1/2 - t)) and = sin(2 pi (1/4 - t)): angles of at most 1/8 of a turn are left.
    bool const negative = *turns_ > ratio(1, 4);
    Rational const t = negative ? Rational(ratio(1, 2) - *turns_) : *turns_;
    bool const sine = t > ratio(1, 8);
    unsigned const working = bits + 16;
    Interval const angle = pi(working) * Interval(Rational(2 * (sine ? Rational(ratio(1, 4) - t) : t)), working);
    Interval const value = alternating_series(angle, sine);
    return negative ? Interval(0L, working) - value : value;
}

double RealNumber::to_double() const {
    constexpr unsigned bits = 96;
    if (exact_ && exact_->is_rational()) return exact_->to_rational().convert_to<double>();
    Interval const bounds = enclose(bits);
    return mpfr_get_d(bounds.lower(), MPFR_RNDN);
}

std::string RealNumber::text() const {
    if (exact_) return to_string(*exact_);
    if (known_) return known_->text;
    Rational const halves = 2 * *turns_;
    std::string const times = numerator_of(halves) == 1 ? "" : to_string(numerator_of(halves)) + "*";
    return "cos(" + times + "pi/" + to_string(denominator_of(halves)) + ")";
}

}  // namespace isserlis
