// SPDX-License-Identifier: MIT
#include "quantity/jacobian/jacobian_bounds.hpp"

#include <isserlis/question/reason.hpp>
#include <isserlis/ring/exp_text.hpp>
#include <isserlis/ring/interval.hpp>

#include "question/model.hpp"

namespace isserlis::quantity {
namespace {

using Stages = std::vector<TransferStage<RationalFunction, Exponent>>;

constexpr unsigned most_bits = 4096;

enum class Side { lower, upper };

Interval enclosed(RationalFunction const& x, unsigned bits) { return enclose(x.evaluate({}), bits); }

/// Where x is known to be in an interval without 0: its sign. Digits are added until it is.
std::optional<int> sign_by_digits(std::function<Interval(unsigned)> const& x) {
    for (unsigned bits = 64; bits <= most_bits; bits *= 2) {
        Interval const at = x(bits);
        if (!at.contains_zero()) return mpfr_sgn(at.lower()) > 0 ? 1 : -1;
    }
    return std::nullopt;
}

/// factor exp(rate) - less, a printed bound.
struct Exponential {
    RationalFunction factor;
    RationalFunction rate;
    RationalFunction less;

    [[nodiscard]] bool is_numeric() const { return factor.is_numeric() && rate.is_numeric() && less.is_numeric(); }
    [[nodiscard]] Value value() const {
        if (factor.is_zero() || rate.is_zero()) {
            RationalFunction const out = (factor - less).merged();
            return out.is_numeric() ? Value(out.evaluate({})) : Value(out);
        }
        std::vector<std::string> terms{exponential_text(factor.merged(), rate.merged())};
        if (!less.is_zero()) terms.push_back(exponential_text(-less.merged(), RationalFunction(0)));
        return Value::expression(sum_text(terms));
    }
    [[nodiscard]] std::optional<bool> holds(Side side, RationalFunction const& exact) const {
        if (!is_numeric() || !exact.is_numeric()) return std::nullopt;
        int const wrong = side == Side::lower ? 1 : -1;
        RationalFunction const gap = less + exact;
        if (factor.is_zero() || rate.is_zero()) return sign(RationalFunction(factor - gap).evaluate({})) != wrong;
        auto const found = sign_by_digits(
            [&](unsigned bits) { return enclosed(factor, bits) * exp(enclosed(rate, bits)) - enclosed(gap, bits); });
        return found ? std::optional<bool>(*found != wrong) : std::nullopt;
    }
};

struct PrintedBound {
    Value value;
    std::optional<bool> holds;
};

/// The four rows: bounds of the growth, and of the variance.
struct PrintedBounds {
    PrintedBound growth_lower;
    PrintedBound growth_upper;
    PrintedBound lower;
    PrintedBound upper;
};

PrintedBounds absent(std::string const& reason) {
    PrintedBound const none{.value = Value::absent(reason), .holds = {}};
    return {.growth_lower = none, .growth_upper = none, .lower = none, .upper = none};
}

PrintedBound row(Exponential const& bound, Side side, RationalFunction const& exact) {
    return {.value = bound.value(), .holds = bound.holds(side, exact)};
}

/// Var||J||^2 by (16): (E||J||^2)^2 (growth - 1), over the kurtosis below.
PrintedBounds rows(std::pair<PrintedGrowth<RationalFunction>, PrintedGrowth<RationalFunction>> const& growth,
                   RationalFunction const& kurtosis, BoundedMatrix const& at) {
    auto const& [lower, upper] = growth;
    RationalFunction const square = at.mean * at.mean;
    RationalFunction const below = square / kurtosis;
    return {.growth_lower = row({lower.factor, lower.rate, RationalFunction(0)}, Side::lower, at.growth),
            .growth_upper = row({upper.factor, upper.rate, RationalFunction(0)}, Side::upper, at.growth),
            .lower = row({below * lower.factor, lower.rate, below}, Side::lower, at.variance),
            .upper = row({square * upper.factor, upper.rate, square}, Side::upper, at.variance)};
}

/// |Delta| as printed; none when symbols hide the sign.
std::optional<RationalFunction> delta_size(TransferLayer<RationalFunction> const& layer) {
    auto const side = kurtosis_side(layer.kurtosis);
    if (!side) return std::nullopt;
    RationalFunction const delta = printed_delta(layer);
    return *side < 0 ? RationalFunction(-delta) : delta;
}

PrintedBounds lemma_2(Stages const& stages, BoundedMatrix const& at) {
    std::vector<RationalFunction> size;
    for (auto const& stage : stages) {
        auto const& l = stage.layers.front();
        if (!(l.variance * l.fan_in == RationalFunction(2)) || !(l.gate == Gate<RationalFunction>{}))
            return absent("Lemma 2 speaks of ReLU at every layer, the head included, and variances 2/fan_in");
        auto const d = delta_size(l);
        if (!d) return absent("|Delta| is open with a symbol for the kurtosis");
        size.push_back(*d);
    }
    return rows(lemma_2_growth(stages, size), stages[at.run].layers.front().kurtosis, at);
}

PrintedBounds theorem_2(Stages const& stages, BoundedMatrix const& at) {
    auto const& first = stages.front().layers.front();
    RationalFunction const& n = first.fan_in;
    RationalFunction const alpha = first.variance * n / RationalFunction(2);
    Exponent count(0);
    std::size_t const matrices = stages.front().layers.size();
    if (matrices < 2 || at.matrix == matrices) return absent("Theorem 2 speaks of the matrices k' < m, m >= 2");
    for (auto const& stage : stages) {
        for (std::size_t j = 1; j <= matrices; ++j) {
            auto const& l = stage.layers[j - 1];
            RationalFunction const expected = j == matrices ? alpha : RationalFunction(alpha + alpha);
            bool const as_stated = l.variance * n == expected && l.fan_in == n && l.fan_out == n &&
                                   l.kurtosis == first.kurtosis &&
                                   (j == matrices || l.gate == Gate<RationalFunction>{});
            if (!as_stated) {
                return absent(
                    "Theorem 2 speaks of ReLU, one width n, one law, variances 2 alpha/n and alpha/n for the last "
                    "matrix");
            }
        }
        count = count + stage.count;
    }
    auto const size = delta_size(first);
    if (!size) return absent("|Delta| is open with a symbol for the kurtosis");
    try {
        return rows(theorem_2_growth(n, alpha, *size, matrices, count), first.kurtosis, at);
    } catch (Error const& e) {
        return absent("rho_+^(m/2), or C_1: " + reason(e));
    }
}

/// Theorem 3 in numbers: its C_1 and C_3 have a sum over all layers.
struct DenseStatement {
    Surd width;
    Surd alpha;
    Surd size;  ///< |Delta|
    Surd kurtosis;
    Surd squared_norm;
    Surd entries;  ///< c_2, the variance of what J is by
    std::size_t depth = 1;
    std::size_t k = 1;

    /// C_3 exp(2 |Delta| L/n)/C_4 of (112) and (121): (1 + (5 + |Delta|)/n) exp[2 |Delta| L/n + sum_(l != k) alpha^2 (5
    /// - |Delta|)/(n (l + alpha - 1)^2)]. C_1 exp(-2 |Delta| L/n)/C_2 has the other sign of |Delta|.
    [[nodiscard]] Interval ratio_of_constants(Side side, unsigned bits) const {
        Interval const five(5L, bits);
        Interval const n = enclose(width, bits);
        Interval const a = enclose(alpha, bits);
        Interval const d = side == Side::upper ? enclose(size, bits) : enclose(-size, bits);
        Interval sum(bits);
        for (std::size_t l = 1; l <= depth; ++l) {
            if (l == k) continue;
            Interval const at = enclose(alpha + Surd(Rational(Integer(l - 1))), bits);
            sum = sum + a * a * (five - d) / (n * at * at);
        }
        Interval const total(Integer(depth), bits);
        return (Interval(1L, bits) + (five + d) / n) * exp(Interval(2L, bits) * d * total / n + sum);
    }
    /// L^(2 alpha-2) above, L^(alpha-1) below.
    [[nodiscard]] Interval power_of_depth(Side side, unsigned bits) const {
        Interval const power = (enclose(alpha, bits) - Interval(1L, bits)) * log(Interval(Integer(depth), bits));
        return exp(side == Side::upper ? power + power : power);
    }
    /// C_2 = C_4 = (alpha/k)^2, for an input of this norm.
    [[nodiscard]] Interval constant(unsigned bits) const {
        Interval const mean = enclose(squared_norm * alpha * Surd(ratio(1, static_cast<int>(k))), bits);
        return mean * mean;
    }
    /// Of E|y_(k)|^4/(E|y_(k)|^2)^2.
    [[nodiscard]] Interval growth(Side side, Surd const& mean, unsigned bits) const {
        Interval const square = enclose(mean * mean, bits);
        return ratio_of_constants(side, bits) * power_of_depth(side, bits) * constant(bits) / square;
    }
    /// Of Var||J||^2, by (16): over c_2^2 above, c_4 below.
    [[nodiscard]] Interval variance(Side side, unsigned bits) const {
        Interval const c2 = enclose(entries, bits);
        Interval const out = (ratio_of_constants(side, bits) - Interval(1L, bits)) * power_of_depth(side, bits) *
                             constant(bits) / (c2 * c2);
        return side == Side::upper ? out : out / enclose(kurtosis, bits);
    }
};

PrintedBound certified(std::function<Interval(unsigned)> const& bound, std::string const& form, Side side,
                       RationalFunction const& exact) {
    std::optional<bool> holds;
    auto const found = sign_by_digits([&](unsigned bits) { return bound(bits) - enclosed(exact, bits); });
    if (found) holds = *found != (side == Side::lower ? 1 : -1);
    return {.value = Value::certified([bound](unsigned bits) { return bound(bits + guard_bits); }, form),
            .holds = holds};
}

PrintedBounds theorem_3(Stages const& stages, ModelText const& text, BoundedMatrix const& at) {
    auto const& first = stages.front().layers.front();
    RationalFunction const& n = first.fan_in;
    RationalFunction const alpha = first.variance * n / RationalFunction(2);
    for (std::size_t l = 1; l <= stages.size(); ++l) {
        auto const& layer = stages[l - 1].layers.front();
        RationalFunction const count{Rational(Integer(l))};
        bool const as_stated = layer.fan_out == n && layer.variance * n * count == alpha + alpha &&
                               layer.kurtosis == first.kurtosis && layer.gate == Gate<RationalFunction>{} &&
                               text.first_source == 0;
        if (!as_stated)
            return absent("Theorem 3 speaks of ReLU, the head included, one width n, one law, variances 2 alpha/(n l)");
    }
    auto const size = delta_size(first);
    if (!size || !n.is_numeric() || !alpha.is_numeric() || !at.squared_norm.is_numeric() || !at.variance.is_numeric())
        return absent("the constants of Theorem 3 need numbers; give the symbols values by `set`");
    RationalFunction const entries =
        text.has_unit_parameters() ? RationalFunction(1) : stages[at.run].layers.front().variance;
    DenseStatement const says{.width = n.evaluate({}),
                              .alpha = alpha.evaluate({}),
                              .size = size->evaluate({}),
                              .kurtosis = first.kurtosis.evaluate({}),
                              .squared_norm = at.squared_norm.evaluate({}),
                              .entries = entries.evaluate({}),
                              .depth = stages.size(),
                              .k = at.run + 1};
    Surd const mean = RationalFunction(at.mean * entries).evaluate({});  // of |y_(k)|^2
    auto growth = [&](Side side, char const* form) {
        return certified([=](unsigned bits) { return says.growth(side, mean, bits); }, form, side, at.growth);
    };
    auto variance = [&](Side side, char const* form) {
        return certified([=](unsigned bits) { return says.variance(side, bits); }, form, side, at.variance);
    };
    return {.growth_lower = growth(Side::lower, "L^(alpha-1) C_1 exp(-2 |Delta| L/n)/(E|y_(k)|^2)^2"),
            .growth_upper = growth(Side::upper, "L^(2 alpha-2) C_3 exp(2 |Delta| L/n)/(E|y_(k)|^2)^2"),
            .lower = variance(Side::lower, "L^(alpha-1) (C_1 exp(-2 |Delta| L/n) - C_2)/c_4"),
            .upper = variance(Side::upper, "L^(2 alpha-2) (C_3 exp(2 |Delta| L/n) - C_4)/c_2^2")};
}

PrintedBounds printed_rows(Stages const& stages, ModelText const& text, BoundedMatrix const& at) {
    switch (text.wiring) {
        case Wiring::residual: return theorem_2(stages, at);
        case Wiring::dense: return theorem_3(stages, text, at);
        case Wiring::vanilla:
        case Wiring::file: break;
    }
    return lemma_2(stages, at);
}

}  // namespace

Surd as_shown(Rational const& x) { return x; }
Surd as_shown(Surd const& x) { return x; }
RationalFunction as_shown(RationalFunction const& x) { return x; }

std::optional<int> kurtosis_side(Rational const& kurtosis) { return side_of(Rational(kurtosis - 3)); }
std::optional<int> kurtosis_side(Surd const& kurtosis) { return side_of(kurtosis - Surd(3)); }
std::optional<int> kurtosis_side(RationalFunction const& kurtosis) {
    if (!kurtosis.is_numeric()) return std::nullopt;
    return kurtosis_side(kurtosis.evaluate({}));
}

std::optional<int> side_of(Rational const& x) { return x < 0 ? -1 : x > 0 ? 1 : 0; }
std::optional<int> side_of(Surd const& x) { return sign(x); }
std::optional<int> side_of(RationalFunction const& x) { return sign_of(x); }

std::optional<bool> at_most(Rational const& a, Rational const& b) { return a <= b; }
std::optional<bool> at_most(Surd const& a, Surd const& b) { return sign(a - b) <= 0; }
std::optional<bool> at_most(RationalFunction const& a, RationalFunction const& b) {
    if (!a.is_numeric() || !b.is_numeric()) return std::nullopt;
    return at_most(a.evaluate({}), b.evaluate({}));
}

void add_printed_bounds(Stages const& stages, ModelText const& text, BoundedMatrix const& at,
                        std::vector<std::string> const& index, std::string const& why, Answer& answer) {
    PrintedBounds const rows = printed_rows(stages, text, at);
    answer.add_bound("growth_lower_printed", index, rows.growth_lower.value, rows.growth_lower.holds, why);
    answer.add_bound("growth_upper_printed", index, rows.growth_upper.value, rows.growth_upper.holds, why);
    answer.add_bound("variance_lower_printed", index, rows.lower.value, rows.lower.holds, why);
    answer.add_bound("variance_upper_printed", index, rows.upper.value, rows.upper.holds, why);
}

}  // namespace isserlis::quantity
