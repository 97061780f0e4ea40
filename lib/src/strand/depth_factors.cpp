// SPDX-License-Identifier: MIT
#include "strand/depth_factors.hpp"

#include <isserlis/error.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

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

/// The shortest c with s_k + c_1 s_(k-1) + .. + c_L s_(k-L) = 0 (Berlekamp and Massey), c_0 = 1, kept as the sequence
/// goes on.
class ShortestRecurrence {
public:
    explicit ShortestRecurrence(Modulus const& mod) : mod_(mod) {}

    void add(Integer const& next) {
        s_.push_back(next);
        Integer gap = next;
        for (std::size_t i = 1; i <= length_; ++i) gap += c_[i] * s_[s_.size() - 1 - i];
        gap = mod_.reduced(gap);
        if (gap.is_zero()) {
            ++since_;
            return;
        }
        auto const before = c_;
        Integer const factor = mod_.reduced(gap * mod_.inverse(last_));
        if (c_.size() < b_.size() + since_) c_.resize(b_.size() + since_, 0);
        for (std::size_t i = 0; i < b_.size(); ++i) c_[i + since_] = mod_.reduced(c_[i + since_] - factor * b_[i]);
        if (2 * length_ < s_.size()) {
            length_ = s_.size() - length_;
            b_ = before;
            last_ = gap;
            since_ = 1;
        } else {
            ++since_;
        }
    }
    [[nodiscard]] std::size_t length() const { return length_; }
    [[nodiscard]] std::vector<Integer> const& coefficients() const { return c_; }

private:
    Modulus const& mod_;
    std::vector<Integer> s_;
    std::vector<Integer> c_{1};  ///< length_ + 1 of them
    std::vector<Integer> b_{1};
    std::size_t length_ = 0;
    std::size_t since_ = 1;
    Integer last_ = 1;
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

/// c of the shortest recurrence of v T^K, c_0 = 1, modulo a prime with the numbers put in: at least of this length, and
/// settled where it predicts so many terms more.
std::vector<Integer> shortest_recurrence(PolynomialRows const& rows, std::vector<Polynomial> const& v,
                                         BaseDigits& digits, Modulus const& mod, std::size_t least,
                                         std::size_t predicted) {
    std::size_t const size = rows.size();
    std::vector<std::vector<std::pair<unsigned, Integer>>> matrix(size);
    for (std::size_t s = 0; s < size; ++s) {
        for (auto const& [t, x] : rows[s]) matrix[s].emplace_back(t, mod.reduced(digits.value(x)));
    }
    std::vector<Integer> state(size);
    for (std::size_t s = 0; s < size; ++s) state[s] = mod.reduced(digits.value(v[s]));
    auto weight = [](std::size_t s) {
        return Integer(static_cast<unsigned long>(1 + (s * s * 7919 + 104'729 * s) % 65'521));
    };
    ShortestRecurrence found(mod);
    std::size_t const most = 2 * size + 4;
    for (std::size_t terms = 0; terms < most && terms < 2 * std::max(least, found.length()) + predicted; ++terms) {
        Integer sum = 0;
        for (std::size_t s = 0; s < size; ++s) sum += state[s] * weight(s);
        found.add(mod.reduced(sum));
        std::vector<Integer> next(size);
        for (std::size_t s = 0; s < size; ++s) {
            if (state[s].is_zero()) continue;
            for (auto const& [t, x] : matrix[s]) next[t] += state[s] * x;
        }
        for (auto& x : next) x = mod.reduced(x);
        state = std::move(next);
    }
    return found.coefficients();
}

/// Of v T^K, with the numbers put in. Its degree shows modulo a small prime, which takes most of the
/// terms that tell it; coefficients need room for as many roots.
Polynomial least_polynomial(PolynomialRows const& rows, std::vector<Polynomial> const& v, BaseDigits& digits) {
    std::size_t degree = shortest_recurrence(rows, v, digits, Modulus(0), 0, 8).size() - 1;
    for (;;) {
        Modulus const mod(degree * digits.bits());
        auto const recurrence = shortest_recurrence(rows, v, digits, mod, degree, 2);
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
                                                       std::uint64_t degree) {
    BaseDigits digits(rows, degree);
    Polynomial const least = least_polynomial(rows, v, digits);
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

std::vector<DepthFactor> depth_factors(PolynomialRows const& rows, std::vector<Polynomial> const& v) {
    auto const split = factors_within(rows, v, 1);
    return split ? *split : *factors_within(rows, v, 2);
}

}  // namespace isserlis
