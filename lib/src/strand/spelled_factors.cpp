// SPDX-License-Identifier: MIT
#include "strand/spelled_factors.hpp"

#include <isserlis/error.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "strand/shortest_recurrence.hpp"

namespace isserlis {
namespace {

constexpr unsigned digit_bits = 64;     ///< of one number in a coefficient
constexpr std::size_t max_digits = 41;  ///< numbers in a coefficient; beyond it a formula fills pages

constexpr char const* too_long = "it would fill pages, with this many symbols in the repeated block";

[[noreturn]] void no_closed_form(char const* why) {
    throw UnsupportedError(std::string("no closed form in the depth: ") + why + "; give the depth a `value`");
}

/// Arithmetic modulo 2^e - 1.
class Modulus {
public:
    using Number = Integer;
    explicit Modulus(std::size_t bits) {
        constexpr std::array<unsigned, 16> exponents = {521,  607,  1279,  2203,  2281,  3217,  4253,  4423,
                                                        9689, 9941, 11213, 19937, 21701, 23209, 44497, 86243};
        auto const at = std::find_if(exponents.begin(), exponents.end(), [&](unsigned e) { return e > bits; });
        if (at == exponents.end()) no_closed_form(too_long);
        bits_ = *at;
        prime_ = (Integer(1) << bits_) - 1;
    }
    /// 2^e is 1: the digits to the base 2^e are added up, where a division would take ten times as long.
    [[nodiscard]] Integer reduced(Integer x) const {
        while (abs(x) > prime_) {
            Integer const high = x >> bits_;  // rounded down, so that what it leaves is not negative
            x -= high << bits_;
            x += high;
        }
        if (x < 0) x += prime_;
        return x == prime_ ? Integer(0) : x;
    }
    static void add_product(Integer& sum, Integer const& x, Integer const& y) { sum += x * y; }
    [[nodiscard]] Integer negative(Integer const& x) const { return x.is_zero() ? x : Integer(prime_ - x); }
    [[nodiscard]] Integer symmetric(Integer const& x) const { return x > prime_ / 2 ? Integer(x - prime_) : x; }
    [[nodiscard]] Integer inverse(Integer const& x) const {
        Integer out;
        mpz_invert(out.backend().data(), x.backend().data(), prime_.backend().data());
        return out;
    }

private:
    unsigned bits_ = 0;
    Integer prime_;
};

/// Values of the symbols: powers of one large base, so that the value of a polynomial spells its coefficients.
class BaseDigits {
public:
    /// Room for coefficients of `times` the degree that the rows have.
    BaseDigits(PolynomialRows const& rows, std::uint64_t times) {
        std::map<std::string, std::uint64_t> degree;
        for (auto const& row : rows) {
            for (auto const& [to, x] : row) {
                auto const& names = x.variables();
                auto const degrees = x.degrees();
                for (std::size_t i = 0; i < degrees.size(); ++i)
                    degree[names[i]] = std::max(degree[names[i]], degrees[i]);
            }
        }
        for (auto const& [name, d] : degree) {
            if (d == 0) continue;
            symbols_.push_back(name);
            degrees_.push_back(times * d);
            values_[name] = Integer(1) << static_cast<unsigned>(digit_bits * count_);
            count_ *= times * d + 1;
            if (count_ > max_digits) no_closed_form(too_long);
        }
    }
    [[nodiscard]] std::size_t bits() const { return digit_bits * count_ + 16; }

    /// Symbols that the stage does not contain get small numbers of no special shape.
    [[nodiscard]] Integer value(Polynomial const& p) {
        Integer sum = 0;
        auto const& names = p.variables();
        for (auto const& m : p.monomials()) {
            Integer product = m.coefficient;
            for (std::size_t i = 0; i < names.size(); ++i) {
                if (m.exponents[i] == 0) continue;
                auto const [at, fresh] = values_.try_emplace(names[i], 0);
                if (fresh) at->second = Integer(1'000'003) + 7919 * static_cast<int>(values_.size());
                product *= power(at->second, m.exponents[i]);
            }
            sum += product;
        }
        return sum;
    }

    [[nodiscard]] Polynomial spelled(Integer root) const {
        Integer const base = Integer(1) << digit_bits;
        std::vector<Polynomial::Monomial> monomials;
        for (std::size_t k = 0; !root.is_zero(); ++k) {
            if (k == count_)
                no_closed_form(
                    "the characteristic polynomial of the repeated block has no polynomials in its symbols for "
                    "coefficients");
            Integer digit = root % base;
            if (digit > base / 2) digit -= base;
            if (digit < -(base / 2)) digit += base;
            root = (root - digit) / base;
            if (digit.is_zero()) continue;
            std::vector<std::uint64_t> exponents;
            std::size_t rest = k;
            for (auto const d : degrees_) {
                exponents.push_back(rest % (d + 1));
                rest /= d + 1;
            }
            monomials.push_back({.coefficient = digit, .exponents = exponents});
        }
        return Polynomial::from_monomials(symbols_, monomials);
    }

private:
    std::vector<std::string> symbols_;
    std::vector<std::uint64_t> degrees_;
    std::map<std::string, Integer> values_;
    std::size_t count_ = 1;
};

/// Of v T^K, with the numbers put in: coefficients need room for as many roots as it has.
Polynomial least_polynomial(PolynomialRows const& rows, std::vector<Polynomial> const& v, BaseDigits& digits,
                            std::size_t degree) {
    for (;;) {
        Modulus const mod(degree * digits.bits());
        NumberedRows<Modulus> numbers{.v = {}, .rows = {}};
        numbers.rows.resize(rows.size());
        for (std::size_t s = 0; s < rows.size(); ++s) {
            for (auto const& [t, x] : rows[s]) numbers.rows[s].emplace_back(t, mod.reduced(digits.value(x)));
        }
        for (auto const& x : v) numbers.v.push_back(mod.reduced(digits.value(x)));
        auto const recurrence = shortest_recurrence(numbers, mod, degree, 2);
        std::size_t const needed = recurrence.size() - 1;
        if (needed > degree) {
            degree = needed;
            continue;
        }
        std::vector<Polynomial::Monomial> monomials;
        for (std::size_t i = 0; i <= needed; ++i)
            monomials.push_back({.coefficient = mod.symmetric(recurrence[i]), .exponents = {needed - i}});
        return Polynomial::from_monomials({"x"}, monomials);
    }
}

/// None when the digits have no room for the coefficients of a factor of degree 2.
std::optional<std::vector<DepthFactor>> factors_within(PolynomialRows const& rows, std::vector<Polynomial> const& v,
                                                       std::uint64_t degree, std::size_t factors) {
    BaseDigits digits(rows, degree);
    Polynomial const least = least_polynomial(rows, v, digits, factors);
    std::vector<DepthFactor> out;
    if (least.is_constant()) return out;
    for (auto const& [base, multiplicity] : factor(least).factors) {
        std::array<Integer, 3> coefficients;
        std::uint64_t top = 0;
        for (auto const& m : base.monomials()) {
            std::uint64_t const e = m.exponents[0];
            if (e > 2) no_closed_form("its characteristic polynomial has an irreducible factor of degree above 2");
            coefficients[e] = m.coefficient;
            top = std::max(top, e);
        }
        if (coefficients[top] != 1) no_closed_form("an eigenvalue is not a polynomial in the symbols");
        if (top > degree) return std::nullopt;
        DepthFactor const found =
            top == 1
                ? DepthFactor{.trace = digits.spelled(-coefficients[0]), .product = std::nullopt}
                : DepthFactor{.trace = digits.spelled(-coefficients[1]), .product = digits.spelled(coefficients[0])};
        out.insert(out.end(), multiplicity, found);
    }
    return out;
}

}  // namespace

void require_short(PolynomialRows const& rows) { BaseDigits(rows, 1); }

std::vector<DepthFactor> spelled_factors(PolynomialRows const& rows, std::vector<Polynomial> const& v,
                                         std::size_t degree, std::uint64_t times) {
    auto const split = factors_within(rows, v, times, degree);
    return split ? *split : *factors_within(rows, v, 2 * times, degree);
}

}  // namespace isserlis
