// SPDX-License-Identifier: MIT
// Which divisors of a printed formula can be 0 where its symbols are in their ranges.
#include <algorithm>
#include <isserlis/report/range.hpp>
#include <isserlis/ring/parse.hpp>
#include <map>

namespace isserlis {
namespace {

using R = RationalFunction;

constexpr int most_roots = 1000;  ///< how far a whole root is looked for
constexpr std::size_t longest_divisor = 200;

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
                if (below) found.push_back(e);
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
        Exponent exponent = as_exponent(formula_of(e.operands()[1]));
        if (below) exponent = Exponent(0) - exponent;
        auto const least = least_value(exponent, range_);
        walk(e.operands()[0], !least || *least < 0);
    }

    std::vector<Expression> found;

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

void leave_out(Polynomial const& p, Range& range) {
    if (is_never_zero(shifted(p, range), range)) return;
    std::vector<std::string> const names = R(p).symbols();
    if (names.empty()) return;
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
    std::string const text = to_string(R(p));
    if (std::find(range.nonzero.begin(), range.nonzero.end(), text) == range.nonzero.end())
        range.nonzero.push_back(text);
}

}  // namespace

void leave_out_zero_divisors(std::string const& formula, Range& range) {
    Divisors divisors(range);
    divisors.walk(Expression::parse(formula, "value"), false);
    for (auto const& e : divisors.found) {
        R const sum = formula_of(e);
        try {
            auto const numerator = R(sum.merged()).as_fraction().first;
            for (auto const& f : factor(numerator).factors) leave_out(f.base, range);
        } catch (UnsupportedError const&) {
            std::string const text = to_string(sum);
            if (known_sign(sum).value_or(0) == 0 && text.size() <= longest_divisor &&
                std::find(range.nonzero.begin(), range.nonzero.end(), text) == range.nonzero.end())
                range.nonzero.push_back(text);
        }
    }
}

}  // namespace isserlis
