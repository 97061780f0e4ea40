// SPDX-License-Identifier: MIT
#include <isserlis/ring/surd.hpp>

#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/ring/interval.hpp>

namespace isserlis {
namespace {

constexpr int max_independent_roots = 5;
constexpr std::size_t most_terms = 64;  // while rationalising

bool fits_u64(Integer const& x) { return mpz_sizeinbase(x.backend().data(), 2) <= 64; }

bool is_square(Integer const& x) { return mpz_perfect_square_p(x.backend().data()) != 0; }

Integer root(Integer const& square) {
    Integer out;
    mpz_sqrt(out.backend().data(), square.backend().data());
    return out;
}

/// Writes n = outside^2 * inside. Complete below 2^64 (trial division to the cube root leaves a prime, a product of two
/// primes or the square of one); above, only small primes and perfect squares are looked for.
struct SquareSplit {
    Integer outside = 1;
    Integer inside = 1;
};

SquareSplit split_square(Integer n) {
    if (is_square(n)) return {.outside = root(n), .inside = 1};
    SquareSplit out;
    auto take = [&](unsigned long p) {
        Integer const prime = p;
        Integer rest;
        auto const times = mpz_remove(rest.backend().data(), n.backend().data(), prime.backend().data());
        if (times == 0) return;
        n = rest;
        out.outside *= power(prime, times / 2);
        if (times % 2 == 1) out.inside *= prime;
    };
    unsigned long p = 2;
    auto const next = [&p] { p += p == 2 ? 1 : 2; };
    for (; !fits_u64(n) && p <= largest_trial_prime; next())
        if (mpz_divisible_ui_p(n.backend().data(), p) != 0) take(p);
    if (fits_u64(n)) {
        auto m = mpz_get_ui(n.backend().data());
        for (; m != 1 && p < 2'700'000 && p * p * p <= m; next()) {
            if (m % p != 0) continue;
            take(p);
            m = mpz_get_ui(n.backend().data());
        }
    }
    if (is_square(n)) {
        out.outside *= root(n);
    } else {
        out.inside *= n;
    }
    return out;
}

/// By increasing radicand, those of equal ones added.
std::vector<Surd::Term> merged(std::vector<Surd::Term> terms) {
    if (terms.size() < 2) return terms;
    std::sort(terms.begin(), terms.end(), [](auto const& x, auto const& y) { return x.radicand < y.radicand; });
    std::vector<Surd::Term> out;
    for (auto& t : terms) {
        if (!out.empty() && out.back().radicand == t.radicand) {
            out.back().coefficient += t.coefficient;
        } else {
            if (!out.empty() && out.back().coefficient.is_zero()) out.pop_back();
            out.push_back(std::move(t));
        }
    }
    if (out.back().coefficient.is_zero()) out.pop_back();
    return out;
}

}  // namespace

Surd::Surd() = default;
Surd::Surd(Surd const&) = default;
Surd::Surd(Surd&&) noexcept = default;
Surd& Surd::operator=(Surd const&) = default;
Surd& Surd::operator=(Surd&&) noexcept = default;
Surd::~Surd() = default;

Surd::Surd(Rational const& value) {
    if (!value.is_zero()) terms_.push_back({.radicand = 1, .coefficient = value});
}

Surd Surd::monomial(Rational const& coefficient, Integer const& radicand) {
    if (radicand < 0) throw DomainError("sqrt: radicand = " + to_string(radicand) + "; it must not be negative");
    Surd out;
    if (coefficient.is_zero() || radicand.is_zero()) return out;
    SquareSplit const split = split_square(radicand);
    out.terms_.push_back({.radicand = split.inside, .coefficient = coefficient * Rational(split.outside)});
    return out;
}

bool Surd::is_rational() const { return terms_.empty() || (terms_.size() == 1 && terms_.front().radicand == 1); }
bool Surd::is_integer() const {
    return is_rational() && (is_zero() || isserlis::is_integer(terms_.front().coefficient));
}

Rational Surd::to_rational() const {
    if (!is_rational()) throw UnsupportedError("a rational number is needed here, not " + to_string(*this));
    return terms_.empty() ? Rational(0) : terms_.front().coefficient;
}

void Surd::add_term(Integer const& radicand, Rational const& coefficient) {
    if (coefficient.is_zero()) return;
    auto at = std::lower_bound(terms_.begin(), terms_.end(), radicand,
                               [](Term const& t, Integer const& r) { return t.radicand < r; });
    Rational scale = 1;
    if (at == terms_.end() || at->radicand != radicand) {
        // Only radicands above 2^64 may hide a square; sqrt(a) = sqrt(ab)/b sqrt(b) when ab is a square.
        auto const same_class = std::find_if(terms_.begin(), terms_.end(), [&](Term const& t) {
            return (!fits_u64(t.radicand) || !fits_u64(radicand)) && is_square(t.radicand * radicand);
        });
        if (same_class == terms_.end()) {
            terms_.insert(at, {.radicand = radicand, .coefficient = coefficient});
            return;
        }
        at = same_class;
        scale = ratio(root(at->radicand * radicand), at->radicand);
    }
    at->coefficient += scale * coefficient;
    if (at->coefficient.is_zero()) terms_.erase(at);
}

Surd operator+(Surd const& a, Surd const& b) {
    // Long sums of small radicands merge in linear time.
    if (!a.terms_.empty() && !b.terms_.empty() && fits_u64(a.terms_.back().radicand) &&
        fits_u64(b.terms_.back().radicand)) {
        Surd out;
        auto x = a.terms_.begin();
        auto y = b.terms_.begin();
        while (x != a.terms_.end() || y != b.terms_.end()) {
            if (y == b.terms_.end() || (x != a.terms_.end() && x->radicand < y->radicand)) {
                out.terms_.push_back(*x++);
            } else if (x == a.terms_.end() || y->radicand < x->radicand) {
                out.terms_.push_back(*y++);
            } else {
                Rational const sum = x->coefficient + y->coefficient;
                if (!sum.is_zero()) out.terms_.push_back({.radicand = x->radicand, .coefficient = sum});
                ++x;
                ++y;
            }
        }
        return out;
    }
    Surd out = a;
    for (auto const& t : b.terms_) out.add_term(t.radicand, t.coefficient);
    return out;
}

Surd operator-(Surd const& a) {
    Surd out = a;
    for (auto& t : out.terms_) t.coefficient = -t.coefficient;
    return out;
}

Surd operator-(Surd const& a, Surd const& b) { return a + (-b); }

Surd operator*(Surd const& a, Surd const& b) {
    constexpr std::size_t most_products = 200'000;
    if (a.terms_.size() > 1 && b.terms_.size() > 1 && a.terms_.size() * b.terms_.size() > most_products)
        throw UnsupportedError("the product of two sums of " + std::to_string(a.terms_.size()) + " and " +
                               std::to_string(b.terms_.size()) + " roots would have up to " +
                               std::to_string(a.terms_.size() * b.terms_.size()) + " terms; the limit is " +
                               std::to_string(most_products));
    Surd out;
    std::vector<Surd::Term> large;
    for (auto const& s : a.terms_) {
        for (auto const& t : b.terms_) {
            // sqrt(gu) sqrt(gv) = g sqrt(uv); square-free u and v coprime give a square-free uv.
            Integer const g = gcd(s.radicand, t.radicand);
            Integer const inside = (s.radicand / g) * (t.radicand / g);
            Rational const coefficient = s.coefficient * t.coefficient * Rational(g);
            if (fits_u64(s.radicand) && fits_u64(t.radicand) && fits_u64(inside)) {
                out.terms_.push_back({.radicand = inside, .coefficient = coefficient});
            } else if (!fits_u64(s.radicand) || !fits_u64(t.radicand)) {
                // Beyond 2^64 squares may hide; they come to light when the radicand gets smaller.
                for (auto const& split : Surd::monomial(coefficient, inside).terms_) large.push_back(split);
            } else {
                large.push_back({.radicand = inside, .coefficient = coefficient});
            }
        }
    }
    out.terms_ = merged(std::move(out.terms_));
    for (auto const& t : large) out.add_term(t.radicand, t.coefficient);
    return out;
}

Surd operator/(Surd const& a, Surd const& b) {
    if (b.is_zero()) throw DomainError("division of " + to_string(a) + " by 0");
    Surd numerator = a;
    Surd denominator = b;
    // Split the denominator as u + v with sqrt(r) in every term of v for some prime-like factor r of a radicand; then
    // (u + v)(u - v) has no r left. Each round removes one independent root.
    for (int round = 0; !denominator.is_rational(); ++round) {
        if (denominator.terms().size() == 1) {
            auto const& t = denominator.terms().front();
            Surd const conjugate = Surd::monomial(Rational(1), t.radicand);
            numerator = numerator * conjugate;
            denominator = denominator * conjugate;
            break;
        }
        if (round == max_independent_roots || denominator.terms().size() > most_terms ||
            numerator.terms().size() > most_terms) {
            throw UnsupportedError("rationalising a denominator with " + std::to_string(b.terms().size()) +
                                   " roots would take a number of terms that doubles with each root");
        }
        // r: a common factor class; the smallest radicand above 1, reduced to what sets it apart from the others.
        Integer r = denominator.terms().back().radicand;
        for (auto const& t : denominator.terms()) {
            Integer const g = gcd(r, t.radicand);
            if (g == 1 || g == r) continue;
            r = g;
        }
        // Terms are divisible by all of r or coprime to it now (r is square-free and refined by gcds).
        Surd conjugate;
        for (auto const& t : denominator.terms()) {
            bool const has_r = gcd(r, t.radicand) != 1;
            conjugate = conjugate + Surd::monomial(has_r ? Rational(-t.coefficient) : t.coefficient, t.radicand);
        }
        numerator = numerator * conjugate;
        denominator = denominator * conjugate;
    }
    Rational const inverse = quotient(Rational(1), denominator.to_rational());
    for (auto& t : numerator.terms_) t.coefficient *= inverse;
    return numerator;
}

bool operator==(Surd const& a, Surd const& b) { return a.terms_ == b.terms_ || (a - b).is_zero(); }
bool operator==(Surd const& a, int b) {
    if (a.is_zero() || b == 0) return a.is_zero() && b == 0;
    return a.is_rational() && a.terms_.front().coefficient == b;
}

Surd sqrt(Rational const& x) {
    if (x < 0) throw DomainError("sqrt: argument = " + to_string(x) + "; it must not be negative");
    // Numerator and denominator apart: their square parts are found at half the size.
    Surd const top = Surd::monomial(Rational(1), numerator_of(x));
    Integer const q = denominator_of(x);
    return top * Surd::monomial(ratio(Integer(1), q), q);
}

Surd sqrt(Surd const& x) {
    if (x.is_rational()) return sqrt(x.to_rational());
    throw UnsupportedError("the square root of " + to_string(x) + " is a nested root, which is not an exact surd here");
}

Surd power(Surd const& base, std::uint64_t exponent) {
    if (base.is_rational()) return Surd(power(base.to_rational(), exponent));
    if (base.terms().size() == 1) {
        auto const& t = base.terms().front();
        Rational const even = power(t.coefficient, exponent) * Rational(power(t.radicand, exponent / 2));
        return exponent % 2 == 0 ? Surd(even) : Surd::monomial(even, t.radicand);
    }
    Surd out = 1;
    Surd square = base;
    for (; exponent != 0; exponent /= 2) {
        if (exponent % 2 == 1) out = out * square;
        if (exponent > 1) square = square * square;
    }
    return out;
}

int sign(Surd const& x) {
    if (x.is_zero()) return 0;
    if (x.terms().size() == 1) return x.terms().front().coefficient.sign();
    // Non-zero by linear independence, so the loop ends.
    for (unsigned bits = 128;; bits *= 2) {
        Interval const at = enclose(x, bits);
        if (!at.contains_zero()) return mpfr_sgn(at.lower()) > 0 ? 1 : -1;
    }
}

std::string to_string(Surd const& x) {
    if (x.is_zero()) return "0";
    // Roots first, then the rational part, as computer algebra systems print it.
    std::vector<Surd::Term> ordered(x.terms().rbegin(), x.terms().rend());
    std::string out;
    for (auto const& t : ordered) {
        bool const negative = t.coefficient < 0;
        Rational const size = negative ? Rational(-t.coefficient) : t.coefficient;
        if (out.empty()) {
            out += negative ? "-" : "";
        } else {
            out += negative ? " - " : " + ";
        }
        if (t.radicand == 1) {
            out += to_string(size);
            continue;
        }
        Integer const p = numerator_of(size);
        if (p != 1) out += to_string(p) + "*";
        out += "sqrt(" + to_string(t.radicand) + ")";
        if (!is_integer(size)) out += "/" + to_string(denominator_of(size));
    }
    return out;
}

}  // namespace isserlis
