// SPDX-License-Identifier: MIT
#include "jacobian_bounds.hpp"

#include <isserlis/ring/interval.hpp>

namespace isserlis::cli {
namespace {

constexpr unsigned guard_bits = 32;
constexpr char const* unnamed = "the paper leaves the constants C_1 .. C_4 unnamed";

PrintedRows absent(std::string const& reason) {
    Value const none = Value::absent(reason);
    return {.growth_lower = none, .growth_upper = none, .lower = none, .upper = none};
}

template <class R>
Value value_of(PrintedGrowth<R> const& growth) {
    if (growth.factor == R(0) || growth.rate == R(0)) return growth.factor;
    std::string const factor = growth.factor == R(1) ? "" : "(" + to_string(growth.factor) + ")*";
    return Value::expression(factor + "exp(" + to_string(growth.rate) + ")");
}

/// (constant * growth - other)/divisor
template <class R>
Value bound(R const& constant, PrintedGrowth<R> const& growth, R const& other, R const& divisor) {
    if (growth.factor == R(0) || growth.rate == R(0)) return R((constant * growth.factor - other) / divisor);
    return Value::expression("((" + to_string(R(constant * growth.factor)) + ")*exp(" + to_string(growth.rate) +
                             ") - (" + to_string(other) + "))/(" + to_string(divisor) + ")");
}

/// |Delta| as printed; none when symbols hide the sign.
template <class R>
std::optional<R> delta_size(TransferLayer<R> const& layer) {
    auto const side = kurtosis_side(layer.kurtosis);
    if (!side) return std::nullopt;
    R const delta = printed_delta(layer);
    return *side < 0 ? R(R(0) - delta) : delta;
}

template <class R, class Count>
PrintedRows lemma_2(std::vector<TransferBlock<R, Count>> const& blocks, std::size_t run) {
    std::vector<R> size;
    for (auto const& block : blocks) {
        auto const& l = block.layers.front();
        if (!(l.variance * l.fan_in == R(2)) || !(l.slope == R(0)))
            return absent("Lemma 2 speaks of ReLU at every layer, the head included, and variances 2/fan_in");
        auto const d = delta_size(l);
        if (!d) return absent("|Delta| is open with a symbol for the kurtosis");
        size.push_back(*d);
    }
    auto const [lower, upper] = lemma_2_growth(blocks, size);
    R const& n = blocks.front().layers.front().fan_in;
    auto const& last = blocks.back().layers.front();
    auto const& at = blocks[run].layers.front();
    R const low = last.fan_out * (last.fan_out + R(5) - size.back()) / (n * n);
    R const high = last.fan_out * (last.fan_out + R(5) + size.back()) / (n * n);
    R const square = last.fan_out * last.fan_out / (n * n);
    R const divisor = at.variance * at.variance;
    return {.growth_lower = value_of(lower),
            .growth_upper = value_of(upper),
            .lower = bound(low, lower, square, R(divisor * at.kurtosis)),
            .upper = bound(high, upper, square, divisor)};
}

template <class R, class Count>
PrintedRows theorem_2(std::vector<TransferBlock<R, Count>> const& blocks, std::size_t matrix) {
    auto const& first = blocks.front().layers.front();
    R const& n = first.fan_in;
    R const alpha = first.variance * n / R(2);
    R count(0);
    std::size_t const matrices = blocks.front().layers.size();
    if (matrices < 2 || matrix == matrices) return absent("Theorem 2 speaks of the matrices k' < m, m >= 2");
    for (auto const& block : blocks) {
        for (std::size_t j = 1; j <= matrices; ++j) {
            auto const& l = block.layers[j - 1];
            R const expected = j == matrices ? alpha : R(alpha + alpha);
            bool const as_stated = l.variance * n == expected && l.fan_in == n && l.fan_out == n &&
                                   l.kurtosis == first.kurtosis && (j == matrices || l.slope == R(0));
            if (!as_stated) {
                return absent(
                    "Theorem 2 speaks of ReLU, one width n, one law, variances 2 alpha/n and alpha/n for the last "
                    "matrix");
            }
        }
        count = count + from_count<R>(block.count);
    }
    auto const size = delta_size(first);
    if (!size) return absent("|Delta| is open with a symbol for the kurtosis");
    try {
        auto const [lower, upper] = theorem_2_growth(n, alpha, *size, matrices, count);
        return {.growth_lower = value_of(lower),
                .growth_upper = value_of(upper),
                .lower = Value::absent(unnamed),
                .upper = Value::absent(unnamed)};
    } catch (UnsupportedError const& e) {
        return absent(std::string("rho_+^(m/2): ") + e.what());
    }
}

/// L^(power (alpha - 1)) exp(rate)
Value power_growth(Surd const& exponent, std::size_t depth, Surd const& rate) {
    if (exponent.is_zero() && rate.is_zero()) return Surd(1);
    if (exponent.is_rational() && is_integer(exponent.to_rational()) && rate.is_rational()) {
        return Value::expression(std::to_string(depth) + "^(" + to_string(exponent) + ")*exp(" + to_string(rate) + ")");
    }
    return Value::certified(
        [=](unsigned bits) {
            unsigned const more = bits + guard_bits;
            return exp(enclose(exponent, more) * log(Interval(static_cast<long>(depth), more)) + enclose(rate, more));
        },
        "L^(" + to_string(exponent) + ") exp(" + to_string(rate) + ")");
}
Value power_growth(RationalFunction const& exponent, std::size_t depth, RationalFunction const& rate) {
    return Value::expression(std::to_string(depth) + "^(" + to_string(exponent) + ")*exp(" + to_string(rate) + ")");
}

template <class R, class Count>
PrintedRows theorem_3(std::vector<TransferBlock<R, Count>> const& blocks, ModelText const& text) {
    auto const& first = blocks.front().layers.front();
    R const& n = first.fan_in;
    R const alpha = first.variance * n / R(2);
    for (std::size_t l = 1; l <= blocks.size(); ++l) {
        auto const& layer = blocks[l - 1].layers.front();
        R const count = from_count<R>(static_cast<std::uint64_t>(l));
        bool const as_stated = layer.fan_out == n && layer.variance * n * count == alpha + alpha &&
                               layer.kurtosis == first.kurtosis && layer.slope == R(0) && text.first_source == 0;
        if (!as_stated)
            return absent("Theorem 3 speaks of ReLU, the head included, one width n, one law, variances 2 alpha/(n l)");
    }
    auto const size = delta_size(first);
    if (!size) return absent("|Delta| is open with a symbol for the kurtosis");
    R const depth = from_count<R>(static_cast<std::uint64_t>(blocks.size()));
    R const rate = R(2) * *size * depth / n;
    R const power = alpha - R(1);
    return {.growth_lower = power_growth(power, blocks.size(), R(R(0) - rate)),
            .growth_upper = power_growth(R(power + power), blocks.size(), rate),
            .lower = Value::absent(unnamed),
            .upper = Value::absent(unnamed)};
}

}  // namespace

Surd as_shown(Rational const& x) { return x; }
Surd as_shown(Surd const& x) { return x; }
RationalFunction as_shown(RationalFunction const& x) { return x; }

std::optional<int> kurtosis_side(Rational const& kurtosis) { return kurtosis < 3 ? -1 : kurtosis > 3 ? 1 : 0; }
std::optional<int> kurtosis_side(Surd const& kurtosis) { return sign(kurtosis - Surd(3)); }
std::optional<int> kurtosis_side(RationalFunction const& kurtosis) {
    if (!kurtosis.is_numeric()) return std::nullopt;
    return kurtosis_side(kurtosis.evaluate({}));
}

template <class R, class Count>
PrintedRows printed_rows(std::vector<TransferBlock<R, Count>> const& blocks, ModelText const& text, std::size_t run,
                         std::size_t matrix) {
    switch (text.wiring) {
        case Wiring::residual: return theorem_2(blocks, matrix);
        case Wiring::dense: return theorem_3(blocks, text);
        case Wiring::vanilla:
        case Wiring::file: break;
    }
    return lemma_2(blocks, run);
}

template PrintedRows printed_rows(std::vector<TransferBlock<Surd>> const&, ModelText const&, std::size_t, std::size_t);
template PrintedRows printed_rows(std::vector<TransferBlock<RationalFunction, Exponent>> const&, ModelText const&,
                                  std::size_t, std::size_t);

}  // namespace isserlis::cli
