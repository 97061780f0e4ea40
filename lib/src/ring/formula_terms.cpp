// SPDX-License-Identifier: MIT
#include "formula_terms.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace isserlis::detail {
namespace {

constexpr std::size_t factored_bits = 100;         // larger integers are kept whole
constexpr std::size_t factor_below = 100;          // monomials up to which a numerator is factored
constexpr std::uint64_t largest_degree = 100'000;  // of polynomials in one variable whose small roots are looked for
constexpr std::size_t factor_alone_below = 40;     // the same in one variable

}  // namespace

int compare(Base const& a, Base const& b) {
    if (a.kind != b.kind) return a.kind < b.kind ? -1 : 1;
    switch (a.kind) {
        case Kind::integer: return a.number.compare(b.number);
        case Kind::symbol: return a.symbol.compare(b.symbol);
        case Kind::polynomial: break;
    }
    // Bases hold only the variables that occur in them.
    return compare(a.polynomial, b.polynomial);
}

namespace {

/// A total order of exponents.
bool precedes(Exponent const& a, Exponent const& b) {
    return a.constant() != b.constant() ? a.constant() < b.constant() : a.symbols() < b.symbols();
}

/// Keeps whole powers of integers in the coefficient and drops exponents 0.
void settle(Term& term, std::vector<Factor>::iterator at) {
    if (at->base.kind == Kind::integer && !at->exponent.constant().is_zero()) {
        Rational const c = at->exponent.constant();
        Integer whole = numerator_of(c) / denominator_of(c);
        if (c < 0 && !is_integer(c)) whole -= 1;  // floor
        if (!whole.is_zero()) {
            auto const size = checked_count(abs(whole));
            Integer const scale = power(at->base.number, size);
            term.coefficient *= whole > 0 ? Rational(scale) : ratio(Integer(1), scale);
            at->exponent = at->exponent - Exponent(Rational(whole));
        }
    }
    if (at->exponent.is_zero()) term.factors.erase(at);
}

}  // namespace

void multiply_into(Term& term, Base const& base, Exponent const& exponent) {
    auto at = std::lower_bound(term.factors.begin(), term.factors.end(), base,
                               [](Factor const& f, Base const& b) { return compare(f.base, b) < 0; });
    if (at != term.factors.end() && compare(at->base, base) == 0) {
        at->exponent = at->exponent + exponent;
    } else {
        at = term.factors.insert(at, {.base = base, .exponent = exponent});
    }
    settle(term, at);
}

Term multiply(Term const& a, Term const& b) {
    Term out = a;
    out.coefficient *= b.coefficient;
    for (auto const& f : b.factors) multiply_into(out, f.base, f.exponent);
    return out;
}

bool same_factors(Term const& a, Term const& b) {
    return a.factors.size() == b.factors.size() &&
           std::equal(a.factors.begin(), a.factors.end(), b.factors.begin(), [](Factor const& x, Factor const& y) {
               return x.exponent == y.exponent && compare(x.base, y.base) == 0;
           });
}

Base symbol_base(std::string name) {
    return {.kind = Kind::symbol, .number = 0, .symbol = std::move(name), .polynomial = {}};
}
Base integer_base(Integer value) {
    return {.kind = Kind::integer, .number = std::move(value), .symbol = {}, .polynomial = {}};
}
Base polynomial_base(Polynomial value) {
    // Bases hold only the variables that occur in them: otherwise equal ones would compare as different.
    auto const& names = value.variables();
    auto const monomials = value.monomials();
    auto const occurs = [&](std::size_t i) {
        return std::any_of(monomials.begin(), monomials.end(), [i](auto const& m) { return m.exponents[i] > 0; });
    };
    std::vector<std::string> used;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!occurs(i)) continue;
        used.push_back(names[i]);
        places.push_back(i);
    }
    if (used.size() < names.size()) {
        std::vector<Polynomial::Monomial> narrow;
        for (auto const& m : monomials) {
            narrow.push_back({.coefficient = m.coefficient, .exponents = {}});
            for (std::size_t const i : places) narrow.back().exponents.push_back(m.exponents[i]);
        }
        value = Polynomial::from_monomials(used, narrow);
    }
    return {.kind = Kind::polynomial, .number = 0, .symbol = {}, .polynomial = std::move(value)};
}

/// The prime powers of n, complete for numbers of up to `factored_bits` bits; a larger number counts as a prime.
void multiply_by_integer_power(Term& term, Integer n, Exponent const& exponent) {
    for (unsigned long p = 2; p < largest_trial_prime && n != 1; p += (p == 2 ? 1 : 2)) {
        if (mpz_divisible_ui_p(n.backend().data(), p) == 0) continue;
        Integer const prime(p);
        auto const times = mpz_remove(n.backend().data(), n.backend().data(), prime.backend().data());
        multiply_into(term, integer_base(prime), Exponent(Rational(Integer(times))) * exponent);
    }
    if (n == 1) return;
    if (n < Integer(largest_trial_prime) * largest_trial_prime ||
        mpz_sizeinbase(n.backend().data(), 2) > factored_bits) {
        multiply_into(term, integer_base(n), exponent);
        return;
    }
    for (auto const& [prime, times] : factor(n)) {
        multiply_into(term, integer_base(prime), Exponent(Rational(Integer(times))) * exponent);
    }
}

namespace {

/// The factors of a polynomial: sums of formulas factor the same few again and again. A copy, since whoever uses it may ask
/// for others.
Polynomial::Factorization factors_of(Polynomial const& p) {
    constexpr std::size_t most = 1000;
    struct Before {
        bool operator()(Polynomial const& a, Polynomial const& b) const { return compare(a, b) < 0; }
    };
    thread_local std::map<Polynomial, Polynomial::Factorization, Before> known;
    if (auto const at = known.find(p); at != known.end()) return at->second;
    if (known.size() == most) known.clear();
    return known.emplace(p, factor(p)).first->second;
}

/// A polynomial in one variable modulo a prime: it shows cheaply which roots it may have, and how often.
class Residues {
public:
    explicit Residues(std::vector<Polynomial::Monomial> const& monomials) : Residues(monomials, 0, 0) {}
    /// In the variable at `place`, at one point of the others.
    Residues(std::vector<Polynomial::Monomial> const& monomials, std::size_t place, std::uint64_t point) {
        for (auto const& m : monomials) {
            std::size_t const degree = m.exponents[place];
            if (coefficients_.size() <= degree) coefficients_.resize(degree + 1);
            std::uint64_t value = mpz_fdiv_ui(m.coefficient.backend().data(), prime);
            for (std::size_t i = 0; i < m.exponents.size(); ++i)
                if (i != place) value = value * raised(point + i, m.exponents[i]) % prime;
            coefficients_[degree] = (coefficients_[degree] + value) % prime;
        }
        while (!coefficients_.empty() && coefficients_.back() == 0) coefficients_.pop_back();
    }
    /// Is it the other one but for a constant?
    [[nodiscard]] bool is_multiple_of(Residues const& other) const {
        if (coefficients_.size() != other.coefficients_.size()) return false;
        for (std::size_t i = 0; i < coefficients_.size(); ++i) {
            if (coefficients_[i] * other.coefficients_.back() % prime !=
                other.coefficients_[i] * coefficients_.back() % prime)
                return false;
        }
        return true;
    }
    /// The roots from -most to most, those below 0 first. All values side by side: one by one, each would wait for its own.
    [[nodiscard]] std::vector<int> roots(int most) const {
        std::vector<std::uint64_t> at;
        for (int x = -most; x <= most; ++x) at.push_back(residue(x));
        std::vector<std::uint64_t> values(at.size());
        for (auto c = coefficients_.rbegin(); c != coefficients_.rend(); ++c) {
            for (std::size_t i = 0; i < at.size(); ++i) {
                // Below 2^32 before and after: 2^31 is 1 modulo the prime.
                std::uint64_t const value = values[i] * at[i] + *c;
                std::uint64_t const folded = (value & prime) + (value >> 31U);
                values[i] = (folded & prime) + (folded >> 31U);
            }
        }
        std::vector<int> out;
        for (int x = -most; x <= most; ++x)
            if (values[static_cast<std::size_t>(x + most)] % prime == 0) out.push_back(x);
        return out;
    }
    /// Divides by v - x, if that leaves nothing over.
    bool divide(int x) {
        std::uint64_t const at = residue(x);
        std::uint64_t sum = 0;
        for (auto c = coefficients_.rbegin(); c != coefficients_.rend(); ++c) sum = (sum * at + *c) % prime;
        if (sum != 0 || coefficients_.size() < 2) return false;
        // By Horner's scheme again: what it passes through are the coefficients of the quotient.
        for (auto c = coefficients_.rbegin(); c != coefficients_.rend(); ++c) *c = sum = (sum * at + *c) % prime;
        coefficients_.erase(coefficients_.begin());
        return true;
    }

private:
    static constexpr std::uint64_t prime = (std::uint64_t{1} << 31) - 1;

    static constexpr std::uint64_t residue(int x) {
        return x < 0 ? prime - static_cast<std::uint64_t>(-x) : static_cast<std::uint64_t>(x);
    }

    static std::uint64_t raised(std::uint64_t base, std::uint64_t exponent) {
        std::uint64_t out = 1;
        for (; exponent != 0; exponent /= 2) {
            if (exponent % 2 == 1) out = out * base % prime;
            base = base * base % prime;
        }
        return out;
    }

    std::vector<std::uint64_t> coefficients_;
};

/// May this be a product of a polynomial in the variable at `place` and one in the others? Then its values at all points of
/// the others are multiples of the former.
bool may_be_separate(std::vector<Polynomial::Monomial> const& monomials, std::size_t place) {
    constexpr std::uint64_t first = 1'000'003;
    constexpr std::uint64_t second = 20'000'003;
    return Residues(monomials, place, first).is_multiple_of(Residues(monomials, place, second));
}

/// Multiplies the term by the factors v + k of a polynomial in one variable v, k small, and returns what is left.
///
/// All factors of so large a polynomial would take seconds; widths come as n - 1, n + 2, n + 5.
Polynomial without_small_roots(Term& term, Polynomial p) {
    constexpr int largest_root = 32;
    auto const monomials = p.monomials();
    if (std::any_of(monomials.begin(), monomials.end(),
                    [](auto const& m) { return m.exponents.front() > largest_degree; }))
        return p;
    auto const names = p.variables();
    Residues residues(monomials);
    for (int const root : residues.roots(largest_root)) {
        std::uint64_t times = 0;
        while (root != 0 && residues.divide(root)) ++times;
        if (times == 0) continue;
        auto const linear = Polynomial::from_monomials(
            names, {{.coefficient = Integer(1), .exponents = {1}}, {.coefficient = Integer(-root), .exponents = {0}}});
        // All at once; fewer where it only seemed so, modulo the prime.
        for (; times > 0; --times) {
            auto quotient = divide_exactly(p, power(linear, times));
            if (!quotient) continue;
            p = std::move(*quotient);
            multiply_into(term, polynomial_base(linear), Exponent(Rational(Integer(times))));
            break;
        }
    }
    return p;
}

/// Multiplies the term by the factors of p that contain one variable only, and returns what is left of p; of a p in one
/// variable only small ones are looked for.
Polynomial without_separate_factors(Term& term, Polynomial p) {
    auto const names = p.variables();
    if (names.size() == 1) return without_small_roots(term, std::move(p));
    for (auto const& name : names) {
        auto const& now = p.variables();
        auto const at = static_cast<std::size_t>(std::find(now.begin(), now.end(), name) - now.begin());
        if (p.is_constant() || at == now.size()) continue;
        // p = sum v^k c_k: a factor in v alone is p over the greatest common divisor of all c_k.
        auto const all = p.monomials();
        if (p.degrees()[at] <= largest_degree && !may_be_separate(all, at)) continue;
        std::map<std::uint64_t, std::vector<Polynomial::Monomial>> by_degree;
        for (auto m : all) {
            std::uint64_t const degree = m.exponents[at];
            m.exponents[at] = 0;
            by_degree[degree].push_back(std::move(m));
        }
        if (by_degree.size() < 2) continue;
        Polynomial common(0);
        for (auto const& [degree, monomials] : by_degree) {
            common = gcd(common, Polynomial::from_monomials(now, monomials));
            if (common == Polynomial(1)) break;
        }
        auto const own = divide_exactly(p, common);
        if (!own || own->length() > by_degree.size()) continue;
        auto const found = factors_of(*own);
        term.coefficient *= Rational(found.constant);
        for (auto const& [base, multiplicity] : found.factors)
            multiply_into(term, polynomial_base(base), Exponent(Rational(Integer(multiplicity))));
        p = common;
    }
    return p;
}

}  // namespace

void multiply_by_polynomial(Term& term, Polynomial const& value) {
    if (value.is_constant()) {
        term.coefficient *= Rational(value.constant());
        return;
    }
    auto monomials = value.monomials();
    auto const& names = value.variables();
    std::vector<std::uint64_t> common = monomials.front().exponents;
    for (auto const& m : monomials) {
        for (std::size_t i = 0; i < names.size(); ++i) common[i] = std::min(common[i], m.exponents[i]);
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (common[i] == 0) continue;
        Factor const f = meaning(names[i]);
        multiply_into(term, f.base, f.exponent * Exponent(Rational(Integer(common[i]))));
    }
    Integer const content = value.content();
    term.coefficient *= Rational(content);
    if (monomials.size() == 1) return;
    // Most polynomials are what is left already: all variables occur, and the monomials have nothing in common.
    auto const degrees = value.degrees();
    bool const is_left = content == 1 && std::all_of(degrees.begin(), degrees.end(), [](auto d) { return d != 0; }) &&
                         std::all_of(common.begin(), common.end(), [](auto exponent) { return exponent == 0; });
    if (!is_left) {
        for (auto& m : monomials) {
            m.coefficient /= content;
            for (std::size_t i = 0; i < names.size(); ++i) m.exponents[i] -= common[i];
        }
    }
    Polynomial const rest = reduced(is_left ? value : Polynomial::from_monomials(names, monomials));
    if (monomials.size() > (names.size() == 1 ? factor_alone_below : factor_below)) {
        // Too large to be factored; what stands in the denominator is cancelled all the same.
        Polynomial left = rest;
        auto const factors = term.factors;
        for (auto const& f : factors) {
            if (f.base.kind != Kind::polynomial || f.exponent.constant() >= 0) continue;
            Integer const most = numerator_of(Rational(-f.exponent.constant())) / denominator_of(f.exponent.constant());
            for (Integer times = 0; times < most; ++times) {
                auto quotient = divide_exactly(left, f.base.polynomial);
                if (!quotient) break;
                left = std::move(*quotient);
                multiply_into(term, f.base, Exponent(1));
            }
        }
        // Nor is a product over distinct symbols, prod (n_l + 5), expanded for ever.
        left = without_separate_factors(term, left);
        if (left.is_constant()) {
            term.coefficient *= Rational(left.constant());
        } else {
            multiply_into(term, polynomial_base(left), Exponent(1));
        }
        return;
    }
    // Factors v + k are found faster before all the others are.
    auto const found = factors_of(rest.variables().size() == 1 ? without_small_roots(term, rest) : rest);
    term.coefficient *= Rational(found.constant);
    for (auto const& [base, multiplicity] : found.factors) {
        Exponent const exponent{Rational(Integer(multiplicity))};
        multiply_into(term, polynomial_base(reduced(base)), exponent);
    }
}

void merge_equal_products(std::vector<Term>& terms) {
    auto const before = [](std::vector<Factor> const* a, std::vector<Factor> const* b) {
        return std::lexicographical_compare(a->begin(), a->end(), b->begin(), b->end(),
                                            [](Factor const& x, Factor const& y) {
                                                int const order = compare(x.base, y.base);
                                                return order != 0 ? order < 0 : precedes(x.exponent, y.exponent);
                                            });
    };
    // The places of the products met so far: long sums are merged in nearly linear time.
    std::map<std::vector<Factor> const*, std::size_t, decltype(before)> places(before);
    std::size_t kept = 0;
    std::vector<Term> out;
    out.reserve(terms.size());  // the keys point into it
    for (auto& t : terms) {
        if (auto const at = places.find(&t.factors); at != places.end()) {
            out[at->second].coefficient += t.coefficient;
            continue;
        }
        out.push_back(std::move(t));
        places.emplace(&out.back().factors, kept++);
    }
    std::erase_if(out, [](Term const& t) { return t.coefficient.is_zero(); });
    terms = std::move(out);
}

}  // namespace isserlis::detail
