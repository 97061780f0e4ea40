// SPDX-License-Identifier: MIT
// Which divisors of a printed formula can be 0 where its symbols are in their ranges.
#include <algorithm>
#include <array>
#include <cstdint>
#include <isserlis/network/widths.hpp>
#include <isserlis/report/range.hpp>
#include <isserlis/ring/parse.hpp>
#include <map>
#include <optional>
#include <unordered_map>

#include "characters.hpp"

namespace isserlis {
namespace {

using R = RationalFunction;

constexpr std::size_t longest_searched = 2'000'000;  ///< of what is longer the tree alone takes gigabytes
constexpr std::size_t longest_factored = 20'000;     ///< of what is longer short divisors alone are factored
constexpr std::size_t most_parts = 100;              ///< of a short divisor
constexpr std::size_t shortest_skimmed = 2'000;      ///< from here on to skim the text first pays off
constexpr std::size_t most_remembered = 4'096;
constexpr std::size_t longest_remembered = 8'000'000;  ///< all formulas together
constexpr std::size_t longest_trees = 300'000;         ///< of formulas whose trees are kept, all together
constexpr std::size_t most_monomials = 400;            ///< of a divisor that is factored
constexpr int most_roots = 1000;                       ///< how far a whole root is looked for

R formula_of(Expression const& e) {
    return evaluate<R>(e, [](std::string const& name) { return R::symbol(name); });
}

/// The least value that a sum linear in symbols with ends has over the range; none when it has no least one.
std::optional<Rational> least_value(Exponent sum, Range const& range) {
    // A symbol between formulas of others goes first.
    for (std::size_t step = 0; !sum.is_constant() && step <= 2 * range.symbols.size(); ++step) {
        auto const& parts = sum.symbols();
        auto const next = std::max_element(parts.begin(), parts.end(), [&](auto const& a, auto const& b) {
            auto const depends = [&](auto const& part) {
                auto const* r = range.find(part.first);
                return r != nullptr && !r->most.empty() && !r->is_point();
            };
            return depends(a) < depends(b);
        });
        auto const* r = range.find(next->first);
        if (r == nullptr) return std::nullopt;
        std::string const& end = next->second > 0 ? r->least : r->most;
        if (end.empty()) return std::nullopt;
        Exponent const times(next->second);
        sum = sum - times * Exponent::symbol(next->first) + times * as_exponent(parse_rational_function(end, "range"));
    }
    return sum.is_constant() ? std::optional(sum.constant()) : std::nullopt;
}

/// Made of positive parts alone, without a look at what it comes to: symbols are positive.
bool is_plainly_positive(Expression const& e) {
    using Kind = Expression::Kind;
    if (e.kind() == Kind::number) return e.number() > 0;
    if (e.kind() == Kind::symbol || e.kind() == Kind::exp) return true;
    if (e.kind() == Kind::negate) return false;
    auto const& parts = e.operands();
    return std::all_of(parts.begin(), e.kind() == Kind::power ? parts.begin() + 1 : parts.end(), is_plainly_positive);
}

/// The divisors of a formula: what is below a bar, and what has an exponent that can be negative.
class Divisors {
public:
    explicit Divisors(Range const& range) : range_(range) {}

    void walk(Expression const& e, bool below) {
        switch (e.kind()) {
            case Expression::Kind::number:
            case Expression::Kind::symbol:
            case Expression::Kind::exp: return;
            case Expression::Kind::add:
                for (auto const& part : e.operands()) walk(part, false);
                if (below) found.push_back(&e);
                return;
            case Expression::Kind::multiply:
            case Expression::Kind::negate:
                for (auto const& part : e.operands()) walk(part, below);
                return;
            case Expression::Kind::divide:
                walk(e.operands()[0], below);
                walk(e.operands()[1], !below);
                return;
            case Expression::Kind::sqrt: walk(e.operands()[0], below); return;
            case Expression::Kind::power: break;
        }
        if (is_plainly_positive(e.operands()[0])) return;  // nor is what it divides by 0
        auto const& above = e.operands()[1];
        Exponent exponent =
            above.kind() == Expression::Kind::number ? Exponent(above.number()) : as_exponent(formula_of(above));
        if (below) exponent = Exponent(0) - exponent;
        auto const least = least_value(exponent, range_);
        walk(e.operands()[0], !least || *least < 0);
    }

    std::vector<Expression const*> found;  ///< parts of what was walked through

private:
    Range const& range_;
};

/// p with each symbol counted from the lower end of its range, where that is a number.
Polynomial shifted(Polynomial const& p, Range const& range) {
    Polynomial out;
    auto const& names = p.variables();
    for (auto const& monomial : p.monomials()) {
        Polynomial term(monomial.coefficient);
        for (std::size_t i = 0; i < names.size(); ++i) {
            auto const* r = range.find(names[i]);
            Polynomial x = Polynomial::variable(names[i]);
            try {
                if (r != nullptr && r->whole) x = x + Polynomial(parse_integer(r->least, "range"));
            } catch (Error const&) {  // a formula: it is positive, which is all that is used
            }
            term = term * power(x, monomial.exponents[i]);
        }
        out = out + term;
    }
    return out;
}

/// All coefficients of one sign, and one monomial that is never 0: of symbols that are above their lower end.
bool is_never_zero(Polynomial const& shifted_sum, Range const& range) {
    if (shifted_sum.is_zero()) return false;
    bool sure = false;
    int sign = 0;
    auto const& names = shifted_sum.variables();
    for (auto const& monomial : shifted_sum.monomials()) {
        int const here = monomial.coefficient > 0 ? 1 : -1;
        if (sign != 0 && here != sign) return false;
        sign = here;
        bool open = true;
        for (std::size_t i = 0; i < names.size(); ++i) {
            auto const* r = range.find(names[i]);
            open = open && (monomial.exponents[i] == 0 || (r != nullptr && r->open));
        }
        sure = sure || open;
    }
    return sure;
}

/// The whole roots of a polynomial in one symbol from `least` on; none when they are not known.
std::optional<std::vector<Integer>> whole_roots(Polynomial const& p, std::string const& symbol, Integer const& least) {
    std::vector<Integer> out;
    Range at;
    at.set({.symbol = symbol});
    for (Integer x = least; x < least + most_roots; ++x) {
        at.symbols.front().least = to_string(x);
        Polynomial const here = shifted(p, at);
        if (is_never_zero(here, at)) return out;
        Integer value = 0;
        for (auto const& monomial : here.monomials()) {
            bool const constant =
                std::all_of(monomial.exponents.begin(), monomial.exponents.end(), [](auto e) { return e == 0; });
            if (constant) value = monomial.coefficient;
        }
        if (value.is_zero()) out.push_back(x);
    }
    return std::nullopt;
}

/// A summand as coefficient * prod base^symbol, where each symbol is counted from the lower end of its range.
struct Summand {
    R coefficient = 1;
    std::map<std::string, R> bases;

    void multiply(Expression const& e, Exponent const& exponent, Range const& range) {
        switch (e.kind()) {
            case Expression::Kind::multiply:
                for (auto const& part : e.operands()) multiply(part, exponent, range);
                return;
            case Expression::Kind::divide:
                multiply(e.operands()[0], exponent, range);
                multiply(e.operands()[1], Exponent(0) - exponent, range);
                return;
            case Expression::Kind::power:
                multiply(e.operands()[0], exponent * as_exponent(formula_of(e.operands()[1])), range);
                return;
            case Expression::Kind::negate:
                if (exponent == Exponent(1)) {
                    coefficient = -coefficient;
                    multiply(e.operands()[0], exponent, range);
                    return;
                }
                break;
            default: break;
        }
        R const base = formula_of(e);
        Exponent left = exponent;
        // A symbol that starts at a formula of others hands its share on to them.
        for (std::size_t step = 0; !left.is_constant() && step <= 2 * range.symbols.size(); ++step) {
            auto const [symbol, times] = left.symbols().front();
            auto const* r = range.find(symbol);
            if (r == nullptr) throw UnsupportedError("an exponent without a range");
            R& of = bases.emplace(symbol, R(1)).first->second;
            of = of * power(base, Exponent(times));
            Exponent const start = as_exponent(parse_rational_function(r->least, "range"));
            left = left - Exponent(times) * Exponent::symbol(symbol) + Exponent(times) * start;
        }
        if (!left.is_constant()) throw UnsupportedError("ranges that depend on one another");
        coefficient = coefficient * power(base, left);
    }
    [[nodiscard]] std::string key() const {
        std::string out;
        for (auto const& [symbol, base] : bases) {
            if (!(base == R(1))) out += symbol + ": " + to_string(R(base.merged())) + "\n";
        }
        return out;
    }
};

/// The sign that all coefficients of the numerator have, with the symbols counted from their lower ends; 0 if none.
int sure_sign(R const& x, Range const& range) {
    auto const [above, below] = R(x.merged()).as_fraction();
    auto const sign = [&](Polynomial const& p) {
        Polynomial const from_ends = shifted(p, range);
        return is_never_zero(from_ends, range) ? (from_ends.monomials().front().coefficient > 0 ? 1 : -1) : 0;
    };
    return sign(above) * sign(below);
}

/// Is a at least b?
bool is_least(R const& b, R const& a, Range const& range) {
    R const difference = R(a - b).merged();
    if (difference.is_zero()) return true;
    auto const [above, below] = difference.as_fraction();
    auto const positive = [&](Polynomial const& p) {
        auto const terms = shifted(p, range).monomials();
        return std::all_of(terms.begin(), terms.end(), [](auto const& m) { return m.coefficient > 0; });
    };
    return positive(above) && positive(below);
}

/// A difference of powers that is never 0, such as 3*(n + 5)^L - n^L: at the lower ends of its exponents it has a sign,
/// and the powers of the larger side grow faster.
bool is_sure_difference(Expression const& e, Range const& range) {
    if (e.kind() != Expression::Kind::add) return false;
    std::map<std::string, Summand> groups;
    for (auto const& part : e.operands()) {
        Summand next;
        next.multiply(part, Exponent(1), range);
        auto const [at, is_new] = groups.emplace(next.key(), next);
        if (!is_new) at->second.coefficient = at->second.coefficient + next.coefficient;
        if (groups.size() > 2) return false;
    }
    Summand const& first = groups.begin()->second;
    if (groups.size() == 1) return sure_sign(first.coefficient, range) != 0;
    Summand const& second = std::next(groups.begin())->second;
    int const sign = sure_sign(R(first.coefficient + second.coefficient), range);
    if (sign == 0) return false;
    auto const of = [](Summand const& s, std::string const& symbol) {
        auto const at = s.bases.find(symbol);
        return at == s.bases.end() ? R(1) : at->second;
    };
    auto const wins = [&](Summand const& large, Summand const& small) {
        if (sure_sign(large.coefficient, range) != sign) return false;
        auto const grows = [&](auto const& base) {
            return is_least(of(small, base.first), of(large, base.first), range);
        };
        return std::all_of(large.bases.begin(), large.bases.end(), grows) &&
               std::all_of(small.bases.begin(), small.bases.end(), grows);
    };
    return wins(first, second) || wins(second, first);
}

bool has_symbolic_power(R const& x) {
    return std::any_of(x.terms().begin(), x.terms().end(), [](auto const& term) {
        return std::any_of(term.factors.begin(), term.factors.end(),
                           [](auto const& factor) { return !factor.exponent.is_constant(); });
    });
}

/// The numerator; none of a formula with roots or with symbols in exponents.
std::optional<Polynomial> as_polynomial(R const& x) {
    if (has_symbolic_power(x)) return std::nullopt;  // to put it over one denominator would take most of the time
    try {
        auto out = R(x.merged()).as_fraction().first;
        for (auto const& name : out.variables()) {
            if (!is_identifier(name)) return std::nullopt;  // a power, such as n^L
        }
        return out;
    } catch (UnsupportedError const&) {
        return std::nullopt;
    }
}

/// All coefficients are positive, or all negative: symbols are positive.
bool has_one_sign(Polynomial const& p) {
    auto const terms = p.monomials();
    return std::all_of(terms.begin(), terms.end(),
                       [&](auto const& m) { return (m.coefficient > 0) == (terms.front().coefficient > 0); });
}

void add_nonzero(R const& divisor, Range& range) {
    std::string const text = to_string(divisor);
    for (auto const& positive : {text, to_string(-divisor)}) {
        if (std::find(range.positive.begin(), range.positive.end(), positive) != range.positive.end()) return;
    }
    if (std::find(range.nonzero.begin(), range.nonzero.end(), text) == range.nonzero.end())
        range.nonzero.push_back(text);
}

/// Is a polynomial in one symbol a square with something above 0 added, times a number: of degree 2 without real roots?
bool is_square_with_rest(Polynomial const& p) {
    if (p.variables().size() != 1) return false;  // roots of the symbol, and powers, are variables of their own
    std::array<Integer, 3> coefficients{};
    for (auto const& monomial : p.monomials()) {
        std::uint64_t const degree = monomial.exponents.front();
        if (degree > 2) return false;
        coefficients.at(degree) = monomial.coefficient;
    }
    auto const& [c, b, a] = coefficients;
    return b * b < 4 * a * c;
}

void leave_out(Polynomial const& p, Range& range) {
    if (is_never_zero(shifted(p, range), range)) return;
    std::vector<std::string> const names = R(p).symbols();
    if (names.empty() || (names.size() == 1 && is_square_with_rest(p))) return;
    auto const* of = names.size() == 1 ? range.find(names.front()) : nullptr;
    if (of != nullptr && of->whole) {
        std::optional<std::vector<Integer>> roots;
        try {
            roots = whole_roots(p, names.front(), parse_integer(of->least, "range"));
        } catch (Error const&) {  // its least value is a formula
        }
        if (roots) {
            SymbolRange with = *of;
            for (auto const& root : *roots) {
                if (with.without.empty() && to_string(root) == with.least) {
                    with.least = to_string(Integer(root + 1));
                } else if (std::find(with.without.begin(), with.without.end(), to_string(root)) == with.without.end()) {
                    with.without.push_back(to_string(root));
                }
            }
            range.set(with);
            return;
        }
    }
    add_nonzero(R(p), range);
}

/// Has the expression at most so many numbers, symbols and operations? Takes them off.
bool is_short(Expression const& e, std::size_t& left) {
    if (left == 0) return false;
    --left;
    return std::all_of(e.operands().begin(), e.operands().end(),
                       [&](auto const& part) { return is_short(part, left); });
}

/// Are divisors made of positive parts alone, told by the text? To read a long numerator costs more than to find it:
/// whatever is below a bar has no minus in it, and all exponents are plain numbers.
bool has_plain_divisors(std::string_view text) {
    auto const digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
    auto const skip_name = [&](std::size_t i) {
        while (i < text.size() && (is_letter(text[i]) || is_digit(text[i]))) ++i;
        return i;
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '^' && !digit(i + 1)) return false;
        if (text[i] != '/') continue;
        std::size_t at = skip_name(i + 1);  // a number, a symbol, or the root of a bracket
        if (at < text.size() && text[at] == '(') {
            int open = 0;
            for (; at < text.size(); ++at) {
                if (text[at] == '-') return false;
                if (text[at] == '(') ++open;
                if (text[at] == ')' && --open == 0) break;
            }
        } else if (at == i + 1) {
            return false;
        }
    }
    return true;
}

/// What a divisor comes to, whatever the range.
struct Divisor {
    R sum;
    bool has_sign = false;                ///< that its terms show, or all coefficients
    std::optional<Polynomial> numerator;  ///< none where there is a sign, nor of roots and symbols in exponents
    std::vector<Polynomial> factors;      ///< of the numerator; none where it is too long
};

Divisor divisor_of(Expression const& e, bool factored) {
    Divisor out{.sum = formula_of(e), .numerator = {}, .factors = {}};
    out.has_sign = known_sign(out.sum).value_or(0) != 0;
    if (out.has_sign) return out;
    out.numerator = as_polynomial(out.sum);
    if (!out.numerator) return out;
    out.has_sign = has_one_sign(*out.numerator);
    if (out.has_sign || out.numerator->length() > most_monomials || !factored) return out;
    for (auto const& f : factor(*out.numerator).factors) out.factors.push_back(f.base);
    return out;
}

/// A formula as it was read, with those of its divisors that were looked at: its range is found in steps, and what they
/// come to does not depend on it.
struct Searched {
    Expression tree;
    std::map<Expression const*, Divisor> divisors;
};

Searched read(std::string const& formula) { return {.tree = Expression::parse(formula, "value"), .divisors = {}}; }

/// Of one that is short enough to be kept.
Searched& searched(std::string const& formula) {
    thread_local std::unordered_map<std::string, Searched> known;
    thread_local std::size_t length = 0;
    if (auto const at = known.find(formula); at != known.end()) return at->second;
    if (length + formula.size() > longest_trees) {
        known.clear();
        length = 0;
    }
    auto& out = known.emplace(formula, read(formula)).first->second;
    length += formula.size();
    return out;
}

void leave_out_found(std::string const& formula, Range& range) {
    if (formula.size() > shortest_skimmed && has_plain_divisors(formula)) return;
    std::optional<Searched> alone;
    Searched& known = formula.size() > longest_trees ? alone.emplace(read(formula)) : searched(formula);
    Divisors divisors(range);
    divisors.walk(known.tree, false);
    for (auto const* e : divisors.found) {
        if (is_plainly_positive(*e)) continue;
        std::size_t left = most_parts;
        bool const factored = formula.size() <= longest_factored || is_short(*e, left);
        auto at = known.divisors.find(e);
        if (at == known.divisors.end()) {
            try {
                at = known.divisors.emplace(e, divisor_of(*e, factored)).first;
            } catch (UnsupportedError const&) {
                continue;  // exp( ), of limits
            }
        }
        Divisor const& divisor = at->second;
        if (divisor.has_sign) continue;
        if (divisor.numerator) {
            if (divisor.factors.empty()) add_nonzero(divisor.sum, range);
            for (auto const& f : divisor.factors) leave_out(f, range);
            continue;
        }
        try {
            if (factored && is_sure_difference(*e, range)) continue;
        } catch (UnsupportedError const&) {  // roots, and powers that are compared in no such way
        }
        add_nonzero(divisor.sum, range);
    }
}

}  // namespace

bool leave_out_zero_divisors(std::string const& formula, Range& range) {
    if (formula.size() > longest_searched) return false;
    // Answers repeat themselves: all pairs of layers of equal widths have the formulas of a few, and each formula is
    // searched again once it is known from which depth on it holds, mostly from the first.
    thread_local std::size_t remembered = 0;
    thread_local std::unordered_map<std::string, std::pair<Range, Range>> known;
    if (auto const at = known.find(formula); at != known.end() && at->second.first == range) {
        range = at->second.second;
        return true;
    }
    Range const before = range;
    leave_out_found(formula, range);
    if (known.size() == most_remembered || remembered + formula.size() > longest_remembered) {
        known.clear();
        remembered = 0;
    }
    if (known.insert_or_assign(formula, std::pair(before, range)).second) remembered += formula.size();
    return true;
}

}  // namespace isserlis
