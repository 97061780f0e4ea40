// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "strand/depth_powers.hpp"

namespace isserlis {
namespace {

constexpr unsigned digit_bits = 64;         ///< of one coefficient of an eigenvalue
constexpr std::size_t max_digits = 128;     ///< coefficients of an eigenvalue
constexpr std::size_t assumed_degree = 32;  ///< of the least polynomial, when the modulus is chosen

[[noreturn]] void no_closed_form(char const* why) {
    throw UnsupportedError(std::string("no closed form in the depth: ") + why + "; give the depth a `value`");
}

/// Arithmetic modulo 2^e - 1.
class Modulus {
public:
    explicit Modulus(std::size_t bits) {
        constexpr std::array<unsigned, 9> exponents = {521, 1279, 2203, 4423, 9689, 11213, 21701, 44497, 86243};
        auto const at = std::find_if(exponents.begin(), exponents.end(), [&](unsigned e) { return e > bits; });
        if (at == exponents.end()) no_closed_form("the repeated block has too many symbols");
        prime_ = (Integer(1) << *at) - 1;
    }
    [[nodiscard]] Integer reduced(Integer x) const {
        x %= prime_;
        if (x < 0) x += prime_;
        return x;
    }
    [[nodiscard]] Integer symmetric(Integer const& x) const { return x > prime_ / 2 ? Integer(x - prime_) : x; }
    [[nodiscard]] Integer inverse(Integer const& x) const {
        Integer out;
        mpz_invert(out.backend().data(), x.backend().data(), prime_.backend().data());
        return out;
    }

private:
    Integer prime_;
};

/// The shortest c with s_k + c_1 s_(k-1) + .. + c_L s_(k-L) = 0 (Berlekamp and Massey), c_0 = 1.
std::vector<Integer> shortest_recurrence(std::vector<Integer> const& s, Modulus const& mod) {
    std::vector<Integer> c{1};
    std::vector<Integer> b{1};
    std::size_t length = 0;
    std::size_t since = 1;
    Integer last = 1;
    for (std::size_t n = 0; n < s.size(); ++n) {
        Integer gap = s[n];
        for (std::size_t i = 1; i <= length && i < c.size(); ++i) gap += c[i] * s[n - i];
        gap = mod.reduced(gap);
        if (gap.is_zero()) {
            ++since;
            continue;
        }
        auto const before = c;
        Integer const factor = mod.reduced(gap * mod.inverse(last));
        if (c.size() < b.size() + since) c.resize(b.size() + since, 0);
        for (std::size_t i = 0; i < b.size(); ++i) c[i + since] = mod.reduced(c[i + since] - factor * b[i]);
        if (2 * length <= n) {
            length = n + 1 - length;
            b = before;
            last = gap;
            since = 1;
        } else {
            ++since;
        }
    }
    c.resize(length + 1, 0);
    return c;
}

/// Values of the symbols: powers of one large base, so that the value of a polynomial spells its coefficients.
class Digits {
public:
    explicit Digits(PolynomialRows const& rows) {
        std::map<std::string, std::uint64_t> degree;
        for (auto const& row : rows) {
            for (auto const& [to, x] : row) {
                auto const& names = x.variables();
                for (auto const& m : x.monomials()) {
                    for (std::size_t i = 0; i < names.size(); ++i)
                        degree[names[i]] = std::max(degree[names[i]], m.exponents[i]);
                }
            }
        }
        count_ = 1;
        for (auto const& [name, d] : degree) {
            if (d == 0) continue;
            symbols_.push_back(name);
            degrees_.push_back(d);
            values_[name] = Integer(1) << static_cast<unsigned>(digit_bits * count_);
            count_ *= d + 1;
            if (count_ > max_digits) no_closed_form("the repeated block has too many symbols");
        }
    }
    [[nodiscard]] std::size_t bits() const { return digit_bits * count_ + 16; }

    /// Symbols that the block does not contain get small numbers of no special shape.
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
            if (k == count_) no_closed_form("an eigenvalue of the repeated block is not a polynomial in its symbols");
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

RationalFunction binomial(RationalFunction const& k, std::size_t a) {
    RationalFunction out(1);
    for (std::size_t i = 0; i < a; ++i) {
        out = out * (k - RationalFunction(static_cast<int>(i))) / RationalFunction(static_cast<int>(i) + 1);
    }
    return out;
}

/// (delta + t)^(-m) as a series in t, `terms` of it.
std::vector<RationalFunction> inverse_power(RationalFunction const& delta, std::size_t m, std::size_t terms) {
    RationalFunction const inverse = RationalFunction(1) / delta;
    std::vector<RationalFunction> out{power(inverse, static_cast<std::uint64_t>(m))};
    for (std::size_t k = 1; k < terms; ++k) {
        out.push_back(out.back() * inverse * RationalFunction(-static_cast<int>(m + k - 1)) /
                      RationalFunction(static_cast<int>(k)));
    }
    return out;
}

}  // namespace

std::vector<Polynomial> depth_eigenvalues(PolynomialRows const& rows, std::vector<Polynomial> const& v) {
    Digits digits(rows);
    Modulus const mod(assumed_degree * digits.bits());
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
    std::vector<Integer> sequence;
    std::vector<Integer> recurrence;
    for (std::size_t terms = 2 * size + 4; sequence.size() < terms;) {
        Integer sum = 0;
        for (std::size_t s = 0; s < size; ++s) sum += state[s] * weight(s);
        sequence.push_back(mod.reduced(sum));
        std::vector<Integer> next(size);
        for (std::size_t s = 0; s < size; ++s) {
            if (state[s].is_zero()) continue;
            for (auto const& [t, x] : matrix[s]) next[t] += state[s] * x;
        }
        for (auto& x : next) x = mod.reduced(x);
        state = std::move(next);
        // The recurrence is settled once it has predicted some terms.
        if (sequence.size() % 4 != 0) continue;
        recurrence = shortest_recurrence(sequence, mod);
        if (sequence.size() >= 2 * recurrence.size() + 4) break;
    }
    std::vector<Polynomial::Monomial> monomials;
    std::size_t const degree = recurrence.size() - 1;
    for (std::size_t i = 0; i <= degree; ++i)
        monomials.push_back({.coefficient = mod.symmetric(recurrence[i]), .exponents = {degree - i}});
    std::vector<Polynomial> out;
    if (degree == 0) return out;
    auto const factors = factor(Polynomial::from_monomials({"x"}, monomials));
    for (auto const& [base, multiplicity] : factors.factors) {
        Integer root = 0;
        for (auto const& m : base.monomials()) {
            std::uint64_t const e = m.exponents.empty() ? 0 : m.exponents[0];
            if (e > 1) no_closed_form("its characteristic polynomial has an irreducible factor of degree above 1");
            if (e == 1 && m.coefficient != 1) no_closed_form("an eigenvalue is not a polynomial in the symbols");
            if (e == 0) root = -m.coefficient;
        }
        out.insert(out.end(), multiplicity, digits.spelled(root));
    }
    return out;
}

std::vector<ExpPolynomial::Term> divided_difference(std::vector<Polynomial> const& eigenvalues, std::size_t j,
                                                    Polynomial const& denominator, Exponent const& count) {
    std::vector<std::pair<Polynomial, std::size_t>> distinct;
    for (std::size_t i = 0; i <= j; ++i) {
        auto const at =
            std::find_if(distinct.begin(), distinct.end(), [&](auto const& d) { return d.first == eigenvalues[i]; });
        if (at == distinct.end()) {
            distinct.emplace_back(eigenvalues[i], 1);
        } else {
            ++at->second;
        }
    }
    RationalFunction const k(count);
    std::vector<ExpPolynomial::Term> out;
    for (auto const& [value, multiplicity] : distinct) {
        if (value.is_zero()) continue;  // 0^K is 0 for every K that the formula is for
        std::vector<RationalFunction> series(multiplicity, RationalFunction(0));
        series[0] = RationalFunction(1);
        for (auto const& [other, times] : distinct) {
            if (other == value) continue;
            auto const factor = inverse_power(RationalFunction(value - other), times, multiplicity);
            std::vector<RationalFunction> product(multiplicity, RationalFunction(0));
            for (std::size_t a = 0; a < multiplicity; ++a) {
                for (std::size_t b = 0; a + b < multiplicity; ++b)
                    product[a + b] = product[a + b] + series[a] * factor[b];
            }
            series = std::move(product);
        }
        RationalFunction const root(value);
        RationalFunction coefficient(0);
        for (std::size_t a = 0; a < multiplicity; ++a) {
            coefficient = coefficient +
                          binomial(k, a) * series[multiplicity - 1 - a] / power(root, static_cast<std::uint64_t>(a));
        }
        out.push_back(
            {.powers = {{(root / RationalFunction(denominator)).merged(), count}}, .coefficient = coefficient});
    }
    return out;
}

}  // namespace isserlis
