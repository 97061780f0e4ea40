// SPDX-License-Identifier: MIT
#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <mutex>
#include <set>
#include <unordered_map>

namespace isserlis {
namespace {

using Base = RationalFunction::Base;
using Factor = RationalFunction::Factor;
using Term = RationalFunction::Term;
using Kind = Base::Kind;

constexpr std::size_t merge_below = 12;              // monomials up to which a sum is merged without being asked
constexpr std::size_t merge_at_most = 1'000'000;     // and when it is asked
constexpr unsigned long largest_trial_prime = 1000;  // of integers under roots and symbolic powers
constexpr std::size_t factored_bits = 100;           // larger integers are kept whole
constexpr std::size_t factor_below = 100;            // monomials up to which a numerator is factored

// ---- order and equality of bases ----------------------------------------------------------------------------------

int compare(Base const& a, Base const& b) {
    if (a.kind != b.kind) return a.kind < b.kind ? -1 : 1;
    switch (a.kind) {
        case Kind::integer: return a.number.compare(b.number);
        case Kind::symbol: return a.symbol.compare(b.symbol);
        case Kind::polynomial: break;
    }
    // By length, names and then monomials: bases hold only the variables that occur in them.
    auto const& p = a.polynomial;
    auto const& q = b.polynomial;
    if (p.length() != q.length()) return p.length() < q.length() ? -1 : 1;
    if (p.variables() != q.variables()) return p.variables() < q.variables() ? -1 : 1;
    if (p == q) return 0;
    auto const x = p.monomials();
    auto const y = q.monomials();
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (x[i].exponents != y[i].exponents) return x[i].exponents < y[i].exponents ? -1 : 1;
        if (x[i].coefficient != y[i].coefficient) return x[i].coefficient < y[i].coefficient ? -1 : 1;
    }
    return 0;
}

void multiply_into(Term& term, Base const& base, Exponent const& exponent);

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
    return {.kind = Kind::polynomial, .number = 0, .symbol = {}, .polynomial = std::move(value)};
}

/// The prime powers of n, complete for numbers of up to `factored_bits` bits; a larger number counts as a prime.
void multiply_by_integer_power(Term& term, Integer n, Exponent const& exponent) {
    for (unsigned long p = 2; p < largest_trial_prime && n != 1; p += (p == 2 ? 1 : 2)) {
        unsigned long times = 0;
        while (mpz_divisible_ui_p(n.backend().data(), p) != 0) {
            mpz_divexact_ui(n.backend().data(), n.backend().data(), p);
            ++times;
        }
        if (times > 0) multiply_into(term, integer_base(Integer(p)), Exponent(Rational(Integer(times))) * exponent);
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

// ---- polynomials over generators ----------------------------------------------------------------------------------
// Sums are merged by FLINT over generators: a symbol, the root of a symbol or of an integer, or a power with a symbolic
// exponent such as (n + 5)^L. The name of a generator is its printed text; this table knows what it stands for.

struct Generators {
    std::mutex guard;
    std::unordered_map<std::string, Factor> meaning;
};

Generators& generators() {
    static Generators table;
    return table;
}

std::string factor_text(Base const& base, Exponent const& exponent);

Polynomial generator(Base const& base, Exponent const& unit) {
    std::string const name = factor_text(base, unit);
    if (!(base.kind == Kind::symbol && unit == Exponent(1))) {
        auto& table = generators();
        std::lock_guard const lock(table.guard);
        table.meaning.emplace(name, Factor{.base = base, .exponent = unit});
    }
    return Polynomial::variable(name);
}

Factor meaning(std::string const& name) {
    auto& table = generators();
    std::lock_guard const lock(table.guard);
    auto const at = table.meaning.find(name);
    if (at != table.meaning.end()) return at->second;
    return {.base = symbol_base(name), .exponent = Exponent(1)};
}

/// The power base^(part of an exponent) that merging treats as one quantity: the constant part, or one symbol's part.
struct Atom {
    Base base;
    std::string symbol;  // "" for the constant part

    [[nodiscard]] Exponent scaled(Rational const& by) const {
        return symbol.empty() ? Exponent(by) : Exponent(by) * Exponent::symbol(symbol);
    }
};

struct AtomLess {
    bool operator()(Atom const& a, Atom const& b) const {
        int const order = compare(a.base, b.base);
        return order != 0 ? order < 0 : a.symbol < b.symbol;
    }
};

using Atoms = std::map<Atom, Rational, AtomLess>;

Atoms atoms_of(Term const& term) {
    Atoms out;
    for (auto const& f : term.factors) {
        if (!f.exponent.constant().is_zero()) out[{f.base, ""}] = f.exponent.constant();
        for (auto const& [name, coefficient] : f.exponent.symbols()) out[{f.base, name}] = coefficient;
    }
    return out;
}

/// Symbols under a root in one term have to be roots in all of them.
Polynomial in_roots(Polynomial const& p, std::set<std::string> const& roots) {
    auto const& names = p.variables();
    if (std::none_of(names.begin(), names.end(), [&](auto const& name) { return roots.count(name) != 0; })) return p;
    auto monomials = p.monomials();
    std::vector<std::string> renamed;
    for (std::size_t i = 0; i < names.size(); ++i) {
        bool const root = roots.count(names[i]) != 0;
        if (root) {
            Base const base = symbol_base(names[i]);
            renamed.push_back(generator(base, Exponent(ratio(1, 2))).variables().front());
            for (auto& m : monomials) m.exponents[i] *= 2;
        } else {
            renamed.push_back(names[i]);
        }
    }
    return Polynomial::from_monomials(renamed, monomials);
}

/// True for a generator that is a square root.
bool is_root(Factor const& f) { return f.exponent.is_constant() && !is_integer(f.exponent.constant()); }

/// Rewrites what a polynomial says in roots: sqrt(2)^2 is 2, sqrt(n + 5)^2 is n + 5, and sqrt(n) with even powers only
/// is n.
Polynomial reduced(Polynomial const& p) {
    auto const& names = p.variables();
    std::vector<Factor> means;
    std::set<std::string> root_symbols;
    for (auto const& name : names) {
        means.push_back(meaning(name));
        if (is_root(means.back()) && means.back().base.kind == Kind::symbol)
            root_symbols.insert(means.back().base.symbol);
    }
    if (std::none_of(means.begin(), means.end(), is_root)) return p;
    if (std::any_of(names.begin(), names.end(), [&](auto const& name) { return root_symbols.count(name) != 0; })) {
        return reduced(in_roots(p, root_symbols));
    }
    // Squares of roots of sums bring in new monomials: one such root at a time.
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!is_root(means[i]) || means[i].base.kind != Kind::polynomial) continue;
        auto const monomials = p.monomials();
        if (std::none_of(monomials.begin(), monomials.end(), [i](auto const& m) { return m.exponents[i] > 1; }))
            continue;
        std::map<std::uint64_t, std::vector<Polynomial::Monomial>> by_square;
        for (auto m : monomials) {
            std::uint64_t const squares = m.exponents[i] / 2;
            m.exponents[i] %= 2;
            by_square[squares].push_back(std::move(m));
        }
        Polynomial const inside = in_roots(means[i].base.polynomial, root_symbols);
        Polynomial sum(0);
        for (auto const& [squares, part] : by_square) {
            sum = sum + Polynomial::from_monomials(names, part) * power(inside, squares);
        }
        return reduced(sum);
    }
    auto monomials = p.monomials();
    std::vector<std::string> renamed = names;
    for (std::size_t i = 0; i < names.size(); ++i) {
        auto const& f = means[i];
        if (!is_root(f)) continue;
        if (f.base.kind == Kind::integer) {
            for (auto& m : monomials) {
                m.coefficient *= power(f.base.number, m.exponents[i] / 2);
                m.exponents[i] %= 2;
            }
        } else if (f.base.kind == Kind::symbol) {
            bool const even =
                std::all_of(monomials.begin(), monomials.end(), [&](auto const& m) { return m.exponents[i] % 2 == 0; });
            if (!even) continue;
            renamed[i] = f.base.symbol;
            for (auto& m : monomials) m.exponents[i] /= 2;
        }
    }
    return Polynomial::from_monomials(renamed, monomials);
}

/// Number of monomials of an expanded product, or more; saturates.
double expanded_size(Atoms const& atoms) {
    double size = 1;
    for (auto const& [atom, exponent] : atoms) {
        if (atom.base.kind != Kind::polynomial || !atom.symbol.empty()) continue;
        auto const length = static_cast<double>(atom.base.polynomial.length());
        auto const e = exponent.convert_to<double>();
        // binomial(length + e - 1, e), the size of a full power
        double power_size = 1;
        for (double i = 1; i < length && power_size < 1e12; ++i) power_size *= (e + i) / i;
        size *= power_size;
        if (size > 1e12) return size;
    }
    return size;
}

/// A product with non-negative exponents as a polynomial; `halves` lists the atoms that some term has to a half power.
Polynomial expand(Rational const& coefficient_over_one, Atoms const& atoms, std::set<std::string> const& root_symbols,
                  std::set<Atom, AtomLess> const& half_powers) {
    Polynomial out(numerator_of(coefficient_over_one));
    for (auto const& [atom, exponent] : atoms) {
        Rational e = exponent;
        bool const in_halves = half_powers.count(atom) != 0;
        if (atom.base.kind == Kind::polynomial && atom.symbol.empty()) {
            auto const whole = checked_count(numerator_of(e) / denominator_of(e));
            out = out * power(in_roots(atom.base.polynomial, root_symbols), whole);
            if (!is_integer(e)) out = out * generator(atom.base, Exponent(ratio(1, 2)));
            continue;
        }
        if (in_halves) {
            out = out *
                  power(generator(atom.base, atom.scaled(ratio(1, 2))), checked_count(numerator_of(Rational(e * 2))));
        } else {
            out = out * power(generator(atom.base, atom.scaled(Rational(1))), checked_count(numerator_of(e)));
        }
    }
    return reduced(out);
}

/// Multiplies a term by a polynomial: content and monomial factors apart, the rest factored if it is small.
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
    for (auto& m : monomials) {
        m.coefficient /= content;
        for (std::size_t i = 0; i < names.size(); ++i) m.exponents[i] -= common[i];
    }
    Polynomial const rest = reduced(Polynomial::from_monomials(names, monomials));
    if (monomials.size() > factor_below) {
        multiply_into(term, polynomial_base(rest), Exponent(1));
        return;
    }
    auto const found = factor(rest);
    term.coefficient *= Rational(found.constant);
    for (auto const& [base, multiplicity] : found.factors) {
        Exponent const exponent{Rational(Integer(multiplicity))};
        multiply_into(term, polynomial_base(reduced(base)), exponent);
    }
}

void merge_equal_products(std::vector<Term>& terms) {
    std::vector<Term> out;
    for (auto& t : terms) {
        auto const at = std::find_if(out.begin(), out.end(), [&](Term const& o) { return same_factors(o, t); });
        if (at == out.end()) {
            out.push_back(std::move(t));
        } else {
            at->coefficient += t.coefficient;
        }
    }
    std::erase_if(out, [](Term const& t) { return t.coefficient.is_zero(); });
    terms = std::move(out);
}

}  // namespace

// ---- construction -------------------------------------------------------------------------------------------------

RationalFunction::RationalFunction(Rational const& value) {
    if (!value.is_zero()) terms_.push_back({.coefficient = value, .factors = {}});
}

RationalFunction::RationalFunction(Surd const& value) {
    for (auto const& t : value.terms()) {
        Term term{.coefficient = t.coefficient, .factors = {}};
        multiply_by_integer_power(term, t.radicand, Exponent(ratio(1, 2)));
        terms_.push_back(std::move(term));
    }
}

RationalFunction::RationalFunction(Polynomial const& value) {
    if (value.is_zero()) return;
    Term term{.coefficient = 1, .factors = {}};
    // A primitive polynomial is its own base: printing and comparing bases pass through here.
    auto const monomials = value.monomials();
    if (monomials.size() > 1 && value.content() == 1) {
        bool primitive = true;
        for (std::size_t i = 0; primitive && i < value.variables().size(); ++i) {
            primitive = primitive && std::any_of(monomials.begin(), monomials.end(),
                                                 [&](auto const& m) { return m.exponents[i] == 0; });
        }
        if (primitive) {
            term.factors.push_back({.base = polynomial_base(value), .exponent = Exponent(1)});
            terms_.push_back(std::move(term));
            return;
        }
    }
    multiply_by_polynomial(term, value);
    terms_.push_back(std::move(term));
}

RationalFunction::RationalFunction(Exponent const& value) {
    RationalFunction sum(value.constant());
    for (auto const& [name, coefficient] : value.symbols()) sum = sum + symbol(name) * RationalFunction(coefficient);
    *this = std::move(sum);
}

RationalFunction RationalFunction::symbol(std::string const& name) {
    RationalFunction out;
    out.terms_.push_back({.coefficient = 1, .factors = {{.base = symbol_base(name), .exponent = Exponent(1)}}});
    return out;
}

RationalFunction RationalFunction::product(Term term) {
    RationalFunction out;
    if (!term.coefficient.is_zero()) out.terms_.push_back(std::move(term));
    return out;
}

// ---- merging ------------------------------------------------------------------------------------------------------

RationalFunction RationalFunction::collect(std::vector<Term> terms, std::size_t most_monomials) {
    merge_equal_products(terms);
    RationalFunction out;
    if (terms.size() < 2) {
        out.terms_ = std::move(terms);
        return out;
    }
    // Common part: for each atom the least exponent over the terms, 0 where it is absent.
    std::vector<Atoms> atoms;
    for (auto const& t : terms) atoms.push_back(atoms_of(t));
    Atoms least;
    for (auto const& a : atoms) {
        for (auto const& [atom, e] : a) least.emplace(atom, e);
    }
    for (auto& [atom, e] : least) {
        for (auto const& a : atoms) {
            auto const at = a.find(atom);
            e = std::min(e, at == a.end() ? Rational(0) : at->second);
        }
    }
    double size = 0;
    std::set<Atom, AtomLess> half_powers;
    std::set<std::string> root_symbols;
    bool mergeable = true;
    for (auto& a : atoms) {
        for (auto const& [atom, e] : least) {
            auto const [at, fresh] = a.emplace(atom, Rational(0));
            at->second -= e;
        }
        std::erase_if(a, [](auto const& item) { return item.second.is_zero(); });
        for (auto const& [atom, e] : a) {
            if (is_integer(e)) continue;
            mergeable = mergeable && denominator_of(e) == 2;
            half_powers.insert(atom);
            if (atom.base.kind == Kind::symbol && atom.symbol.empty()) root_symbols.insert(atom.base.symbol);
        }
        size += expanded_size(a);
    }
    // Over a common denominator (n + 2)(n - 1) the formula (n + 2)^(l - 1) + (n - 1)^(l - 1) would be undefined at n
    // = 1. Merging that was not asked for keeps such sums as they are.
    auto const bears_symbol = [&](Base const& base) {
        return std::any_of(atoms.begin(), atoms.end(), [&](Atoms const& a) {
            return std::any_of(a.begin(), a.end(), [&](auto const& item) {
                return !item.first.symbol.empty() && compare(item.first.base, base) == 0;
            });
        });
    };
    for (auto const& [atom, e] : least) {
        if (most_monomials > merge_below || e >= 0 || !atom.symbol.empty() || atom.base.kind != Kind::polynomial)
            continue;
        mergeable = mergeable && !bears_symbol(atom.base);
    }
    if (!mergeable || size > static_cast<double>(most_monomials)) {
        out.terms_ = std::move(terms);
        return out;
    }
    // Roots of a symbol in the polynomials of any term make it a root everywhere.
    for (auto const& a : atoms) {
        for (auto const& [atom, e] : a) {
            if (atom.base.kind != Kind::polynomial) continue;
            for (auto const& name : atom.base.polynomial.variables()) {
                Factor const f = meaning(name);
                if (f.base.kind == Kind::symbol && f.exponent == Exponent(ratio(1, 2)))
                    root_symbols.insert(f.base.symbol);
            }
        }
    }
    for (auto const& name : root_symbols) half_powers.insert({symbol_base(name), ""});
    Integer denominator = 1;
    for (auto const& t : terms) denominator = lcm(denominator, denominator_of(t.coefficient));
    Polynomial sum(0);
    for (std::size_t i = 0; i < terms.size(); ++i) {
        sum = sum + expand(terms[i].coefficient * Rational(denominator), atoms[i], root_symbols, half_powers);
    }
    sum = reduced(sum);
    if (sum.is_zero()) return out;
    Term merged{.coefficient = ratio(Integer(1), denominator), .factors = {}};
    for (auto const& [atom, e] : least) {
        if (!e.is_zero()) multiply_into(merged, atom.base, atom.scaled(e));
    }
    multiply_by_polynomial(merged, sum);
    out.terms_.push_back(std::move(merged));
    return out;
}

RationalFunction RationalFunction::merged() const {
    RationalFunction const out = collect(terms_, merge_at_most);
    if (out.terms_.size() > 1) {
        throw UnsupportedError("this sum of " + std::to_string(out.terms_.size()) +
                               " products would expand to more than a million monomials");
    }
    return out;
}

bool RationalFunction::is_zero() const { return terms_.empty() || (terms_.size() > 1 && merged().terms_.empty()); }

bool RationalFunction::is_numeric() const { return symbols().empty(); }

bool RationalFunction::is_laurent() const {
    return std::all_of(terms_.begin(), terms_.end(), [](Term const& t) {
        return std::all_of(t.factors.begin(), t.factors.end(), [](Factor const& f) {
            bool const whole = f.exponent.is_constant() && is_integer(f.exponent.constant());
            return f.base.kind == Kind::polynomial ? whole && f.exponent.constant() > 0 : f.exponent.is_constant();
        });
    });
}

namespace {

void gather_symbols(Factor const& f, std::set<std::string>& into) {
    for (auto const& [name, c] : f.exponent.symbols()) into.insert(name);
    if (f.base.kind == Kind::symbol) into.insert(f.base.symbol);
    if (f.base.kind != Kind::polynomial) return;
    for (auto const& name : f.base.polynomial.variables()) {
        Factor const inner = meaning(name);
        gather_symbols(inner, into);
    }
}

}  // namespace

std::vector<std::string> RationalFunction::symbols() const {
    std::set<std::string> found;
    for (auto const& t : terms_) {
        for (auto const& f : t.factors) gather_symbols(f, found);
    }
    return {found.begin(), found.end()};
}

// ---- arithmetic ---------------------------------------------------------------------------------------------------

RationalFunction operator+(RationalFunction const& a, RationalFunction const& b) {
    std::vector<Term> all = a.terms_;
    all.insert(all.end(), b.terms_.begin(), b.terms_.end());
    return RationalFunction::collect(std::move(all), merge_below);
}

RationalFunction operator-(RationalFunction const& a) {
    RationalFunction out = a;
    for (auto& t : out.terms_) t.coefficient = -t.coefficient;
    return out;
}

RationalFunction operator-(RationalFunction const& a, RationalFunction const& b) { return a + (-b); }

RationalFunction operator*(RationalFunction const& a, RationalFunction const& b) {
    std::vector<Term> all;
    for (auto const& s : a.terms_) {
        for (auto const& t : b.terms_) all.push_back(multiply(s, t));
    }
    return RationalFunction::collect(std::move(all), merge_below);
}

RationalFunction operator/(RationalFunction const& a, RationalFunction const& b) {
    RationalFunction const divisor = b.terms_.size() == 1 ? b : b.merged();
    if (divisor.terms_.empty()) throw DomainError("division of " + to_string(a) + " by 0");
    Term const& d = divisor.terms_.front();
    Term inverse{.coefficient = quotient(Rational(1), d.coefficient), .factors = {}};
    for (auto const& f : d.factors) multiply_into(inverse, f.base, Exponent(-1) * f.exponent);
    return a * RationalFunction::product(std::move(inverse));
}

bool operator==(RationalFunction const& a, RationalFunction const& b) {
    if (a.terms_.size() == 1 && b.terms_.size() == 1 && a.terms_[0].coefficient == b.terms_[0].coefficient &&
        same_factors(a.terms_[0], b.terms_[0])) {
        return true;
    }
    return (a - b).is_zero();
}

RationalFunction power(RationalFunction const& base, Exponent const& exponent) {
    if (exponent.is_constant() && is_integer(exponent.constant()) && exponent.constant() >= 0 &&
        base.terms().size() != 1) {
        RationalFunction out = 1;
        RationalFunction square = base;
        for (auto e = checked_count(numerator_of(exponent.constant())); e != 0; e /= 2) {
            if (e % 2 == 1) out = out * square;
            if (e > 1) square = square * square;
        }
        return out;
    }
    RationalFunction const single = base.terms().size() == 1 ? base : base.merged();
    if (single.terms().empty()) {
        if (exponent.leading_sign() <= 0 || !exponent.is_constant()) {
            throw DomainError("power: 0^(" + to_string(exponent) + ") is not defined");
        }
        return 0;
    }
    Term t = single.terms().front();
    if (t.coefficient < 0 && !(exponent.is_constant() && is_integer(exponent.constant()))) {
        // A positive quantity such as 3 s^2 - 2 s may be written as -(2 s - 3 s^2): the sign belongs into the sum.
        for (auto& f : t.factors) {
            bool const odd = f.exponent.is_constant() && is_integer(f.exponent.constant()) &&
                             bit_test(abs(numerator_of(f.exponent.constant())), 0);
            if (f.base.kind != Kind::polynomial || !odd) continue;
            f.base.polynomial = Polynomial(0) - f.base.polynomial;
            t.coefficient = -t.coefficient;
            break;
        }
    }
    Term out{.coefficient = 1, .factors = {}};
    if (t.coefficient == 1) {
        out.coefficient = 1;
    } else if (exponent.is_constant() && is_integer(exponent.constant())) {
        auto const size = checked_count(abs(numerator_of(exponent.constant())));
        Rational const c = power(t.coefficient, size);
        out.coefficient = exponent.constant() < 0 ? quotient(Rational(1), c) : c;
    } else {
        if (t.coefficient < 0) {
            throw DomainError("power: (" + to_string(base) + ")^(" + to_string(exponent) + ") has a negative base");
        }
        multiply_by_integer_power(out, numerator_of(t.coefficient), exponent);
        multiply_by_integer_power(out, denominator_of(t.coefficient), Exponent(-1) * exponent);
    }
    for (auto const& f : t.factors) multiply_into(out, f.base, f.exponent * exponent);
    return RationalFunction::product(std::move(out));
}

RationalFunction power(RationalFunction const& base, std::uint64_t exponent) {
    return power(base, Exponent(Rational(Integer(exponent))));
}

RationalFunction sqrt(RationalFunction const& x) { return x.terms().empty() ? x : power(x, Exponent(ratio(1, 2))); }

// ---- values and shapes --------------------------------------------------------------------------------------------

namespace {

using Values = std::map<std::string, Rational>;

Rational value_of(std::string const& symbol, Values const& values) {
    auto const at = values.find(symbol);
    if (at == values.end()) throw DomainError("evaluate: no value for the symbol " + symbol, symbol);
    return at->second;
}

Surd value_of(Factor const& f, Values const& values) {
    Rational e = f.exponent.constant();
    for (auto const& [name, c] : f.exponent.symbols()) e += c * value_of(name, values);
    Surd base;
    switch (f.base.kind) {
        case Kind::integer: base = Surd(f.base.number); break;
        case Kind::symbol: base = Surd(value_of(f.base.symbol, values)); break;
        case Kind::polynomial: {
            auto const& names = f.base.polynomial.variables();
            for (auto const& m : f.base.polynomial.monomials()) {
                Surd product{m.coefficient};
                for (std::size_t i = 0; i < names.size(); ++i) {
                    if (m.exponents[i] == 0) continue;
                    Factor part = meaning(names[i]);
                    part.exponent = part.exponent * Exponent(Rational(Integer(m.exponents[i])));
                    product = product * value_of(part, values);
                }
                base = base + product;
            }
            break;
        }
    }
    if (denominator_of(e) > 2) {
        throw DomainError("evaluate: the exponent " + to_string(e) + " is neither whole nor half");
    }
    Integer const twice = numerator_of(Rational(e * 2));
    auto const size = checked_count(abs(twice));
    Surd out = power(base, size / 2);
    if (size % 2 == 1) out = out * sqrt(base);
    return twice < 0 ? Surd(1) / out : out;
}

}  // namespace

Surd RationalFunction::evaluate(std::map<std::string, Rational> const& values) const {
    Surd sum;
    for (auto const& t : terms_) {
        Surd product(t.coefficient);
        for (auto const& f : t.factors) product = product * value_of(f, values);
        sum = sum + product;
    }
    return sum;
}

std::pair<Polynomial, Polynomial> RationalFunction::as_fraction() const {
    RationalFunction const single = terms_.size() > 1 ? merged() : *this;
    if (single.terms_.empty()) return {Polynomial(0), Polynomial(1)};
    Term const& t = single.terms_.front();
    Polynomial top(numerator_of(t.coefficient));
    Polynomial bottom(denominator_of(t.coefficient));
    for (auto const& f : t.factors) {
        if (!f.exponent.is_constant() || !is_integer(f.exponent.constant()) || f.base.kind == Kind::integer) {
            throw UnsupportedError("a ratio of polynomials is needed here, not " + to_string(*this));
        }
        Polynomial const base = f.base.kind == Kind::symbol ? Polynomial::variable(f.base.symbol) : f.base.polynomial;
        Integer const e = numerator_of(f.exponent.constant());
        auto& side = e > 0 ? top : bottom;
        side = side * power(base, checked_count(abs(e)));
    }
    return {top, bottom};
}

Exponent as_exponent(RationalFunction const& x) {
    auto const [top, bottom] = x.as_fraction();
    if (!bottom.is_constant()) throw UnsupportedError("a number of layers is needed here, not " + to_string(x));
    Exponent out;
    auto const& names = top.variables();
    for (auto const& m : top.monomials()) {
        Exponent part(1);
        std::uint64_t degree = 0;
        for (std::size_t i = 0; i < m.exponents.size(); ++i) {
            degree += m.exponents[i];
            if (m.exponents[i] == 1) part = Exponent::symbol(names[i]);
        }
        if (degree > 1)
            throw UnsupportedError("a number of layers has to be linear in its symbols, not " + to_string(x));
        out = out + part * Exponent(ratio(m.coefficient, bottom.constant()));
    }
    return out;
}

// ---- text ---------------------------------------------------------------------------------------------------------

namespace {

std::string term_text(Term const& t);

std::string polynomial_text(Polynomial const& p) {
    auto const& names = p.variables();
    std::vector<Factor> means;
    for (auto const& name : names) means.push_back(meaning(name));
    // Positive monomials first when the leading one is negative: "2 - n" and not "-n + 2".
    auto monomials = p.monomials();
    if (!monomials.empty() && monomials.front().coefficient < 0) {
        std::stable_partition(monomials.begin(), monomials.end(), [](auto const& m) { return m.coefficient > 0; });
    }
    std::string out;
    for (auto const& m : monomials) {
        bool const negative = m.coefficient < 0;
        Integer const size = abs(m.coefficient);
        if (out.empty()) {
            out += negative ? "-" : "";
        } else {
            out += negative ? " - " : " + ";
        }
        Term product{.coefficient = Rational(size), .factors = {}};
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (m.exponents[i] == 0) continue;
            multiply_into(product, means[i].base, means[i].exponent * Exponent(Rational(Integer(m.exponents[i]))));
        }
        out += term_text(product);
    }
    return out;
}

std::string base_text(Base const& base) {
    switch (base.kind) {
        case Kind::integer: return to_string(base.number);
        case Kind::symbol: return base.symbol;
        case Kind::polynomial: break;
    }
    return polynomial_text(base.polynomial);
}

bool is_half(Exponent const& e) { return e.is_constant() && e.constant() == ratio(1, 2); }

/// base^exponent; the exponent is not 0.
std::string factor_text(Base const& base, Exponent const& exponent) {
    std::string const text = base_text(base);
    if (is_half(exponent)) return "sqrt(" + text + ")";
    std::string const grouped = base.kind == Kind::polynomial ? "(" + text + ")" : text;
    if (exponent == Exponent(1)) return grouped;
    std::string const e = to_string(exponent);
    bool const simple = e.find_first_of(" */-") == std::string::npos;
    return grouped + "^" + (simple ? e : "(" + e + ")");
}

void append_side(std::vector<std::string>& side, std::vector<Factor> const& factors) {
    Integer under_root = 1;  // sqrt(2) sqrt(5) reads better as sqrt(10)
    for (auto const& f : factors) {
        if (f.base.kind == Kind::integer && is_half(f.exponent)) under_root *= f.base.number;
    }
    if (under_root != 1) side.push_back("sqrt(" + to_string(under_root) + ")");
    for (auto const& f : factors) {
        if (f.base.kind == Kind::integer && is_half(f.exponent)) continue;
        side.push_back(factor_text(f.base, f.exponent));
    }
}

std::string join(std::vector<std::string> const& parts) {
    std::string out;
    for (auto const& p : parts) out += (out.empty() ? "" : "*") + p;
    return out;
}

/// The same term with a positive coefficient, when the sign can go into a sum that stands alone in the numerator.
Term with_sign_inside(Term const& t) {
    if (t.coefficient > 0) return t;
    Term out = t;
    for (auto& f : out.factors) {
        if (f.base.kind != Kind::polynomial || !(f.exponent == Exponent(1))) continue;
        f.base.polynomial = Polynomial(0) - f.base.polynomial;
        out.coefficient = -out.coefficient;
        return out;
    }
    return t;
}

/// A term without its sign.
std::string term_text(Term const& t) {
    std::vector<Factor> above;
    std::vector<Factor> below;
    for (auto const& f : t.factors) {
        if (f.exponent.leading_sign() < 0) {
            below.push_back({.base = f.base, .exponent = Exponent(-1) * f.exponent});
        } else {
            above.push_back(f);
        }
    }
    Integer const p = abs(numerator_of(t.coefficient));
    Integer const q = denominator_of(t.coefficient);
    std::vector<std::string> top;
    std::vector<std::string> bottom;
    if (p != 1) top.push_back(to_string(p));
    append_side(top, above);
    if (q != 1) bottom.push_back(to_string(q));
    append_side(bottom, below);
    if (bottom.empty()) {
        // A lone sum needs no brackets.
        if (top.size() == 1 && above.size() == 1 && above[0].base.kind == Kind::polynomial &&
            above[0].exponent == Exponent(1)) {
            return polynomial_text(above[0].base.polynomial);
        }
        return top.empty() ? "1" : join(top);
    }
    std::string const numerator = top.empty() ? "1" : join(top);
    std::string const denominator = bottom.size() == 1 ? bottom[0] : "(" + join(bottom) + ")";
    return numerator + "/" + denominator;
}

bool is_bare_sum(Term const& t) {
    return t.factors.size() == 1 && t.factors[0].base.kind == Kind::polynomial &&
           t.factors[0].exponent == Exponent(1) && abs(t.coefficient) == 1;
}

}  // namespace

std::string to_string(RationalFunction const& x) {
    if (x.terms().empty()) return "0";
    std::vector<std::pair<std::string, bool>> parts;  // text, negative
    for (auto const& term : x.terms()) {
        Term const t = x.terms().size() == 1 ? with_sign_inside(term) : term;
        std::string text = term_text(t);
        bool const negative = t.coefficient < 0;
        if (is_bare_sum(t) && (negative || x.terms().size() > 1)) text = "(" + text + ")";
        parts.emplace_back(std::move(text), negative);
    }
    // Stable whatever the order of evaluation: positive terms first, then by length and text.
    std::sort(parts.begin(), parts.end(), [](auto const& a, auto const& b) {
        if (a.second != b.second) return !a.second;
        if (a.first.size() != b.first.size()) return a.first.size() > b.first.size();
        return a.first < b.first;
    });
    std::string out;
    for (auto const& [text, negative] : parts) {
        if (out.empty()) {
            out += negative ? "-" : "";
        } else {
            out += negative ? " - " : " + ";
        }
        out += text;
    }
    return out;
}

}  // namespace isserlis
