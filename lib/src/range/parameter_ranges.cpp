// SPDX-License-Identifier: MIT
// Below 0 a parameter may be worth a number and not what the formula says: sqrt(s^2) is printed as s. Two numbers below
// 0 tell a power of s from that of |s|; and a divisor that is 0 below 0 leaves the range as it is.
#include "range/parameter_ranges.hpp"

#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/ring/parse.hpp>

#include "range/printed_formula.hpp"
#include "range/range_fit.hpp"

namespace isserlis::quantity {
namespace {

using At = std::map<std::string, Rational>;

bool is_positive(SymbolRange const& r) { return !r.whole && r.open && r.least == "0" && r.most.empty(); }

Declared const* find_declared(std::vector<Declared> const& declared, std::string const& symbol) {
    auto const at =
        std::find_if(declared.begin(), declared.end(), [&](auto const& d) { return d.range.symbol == symbol; });
    return at == declared.end() ? nullptr : &*at;
}

/// A point of the range of a result: the first whole numbers in it, and for parameters numbers of their own.
At point_of(Result const& r, std::vector<Declared> const& declared) {
    constexpr int depth = 4;
    At out;
    int next = 2;
    for (auto const& d : declared) {
        if (d.role == SymbolRole::width) out[d.range.symbol] = next++;
        if (d.role == SymbolRole::depth) out[d.range.symbol] = depth;
        if (d.role == SymbolRole::parameter) out[d.range.symbol] = ratio(Integer(9), Integer(next++));
    }
    for (auto const& s : r.range.symbols) {
        if (!s.whole) {
            if (out.count(s.symbol) == 0) out[s.symbol] = ratio(Integer(next++), Integer(7));
            continue;
        }
        auto const least = at_values(linear_form(s.least), out);
        if (!least.is_constant()) continue;
        auto const known = out.find(s.symbol);
        if (known == out.end() || known->second < least.constant() || s.is_point()) out[s.symbol] = least.constant();
    }
    return out;
}

/// Is the formula the number there? None where there is no number.
std::optional<bool> holds_at(Result const& r, At const& at, Variation question, std::vector<Declared> const& declared,
                             Asker& asker) {
    question.layer.reset();  // results are found by their index
    question.exact_only = true;
    for (auto const& [symbol, value] : at) {
        auto const* d = find_declared(declared, symbol);
        if (d == nullptr || d->role != SymbolRole::layer || !question.query.empty()) question.bindings[symbol] = value;
    }
    Reply const* reply = asker.ask(question);
    if (reply == nullptr) return std::nullopt;
    std::vector<std::string> index;
    for (auto const& part : r.index) index.push_back(index_at(part, at));
    auto const found = std::find_if(reply->results.begin(), reply->results.end(),
                                    [&](auto const& other) { return other.name == r.name && other.index == index; });
    if (found == reply->results.end() || !text_of(*found)) return std::nullopt;
    return PrintedFormula(*r.exact).agrees(at, *text_of(*found));
}

/// The range with this one, and what divisors take from it.
Range with_divisors(std::string const& formula, Range range, SymbolRange const& of) {
    range.set(of);
    range.nonzero.clear();
    leave_out_zero_divisors(formula, range);
    return range;
}

/// No divisor is 0 below 0: the formula in -s has none that it has not in s.
bool has_no_divisor_below(Result const& r, std::string const& symbol) {
    auto const mirrored =
        evaluate<RationalFunction>(Expression::parse(*r.exact, "value"), [&](std::string const& name) {
            auto const s = RationalFunction::symbol(name);
            return name == symbol ? -s : s;
        });
    return with_divisors(to_string(mirrored), r.range, SymbolRange::positive(symbol)) == r.range;
}

/// The range of one parameter; none when it stays as it is.
std::optional<SymbolRange> wider(Result const& r, std::string const& symbol, At const& at, Variation const& question,
                                 std::vector<Declared> const& declared, Asker& asker) {
    auto const is_parameter = [&](std::string const& name) {
        auto const* known = find_declared(declared, name);
        return known == nullptr || known->role == SymbolRole::parameter;
    };
    // Correlations, for one, are at most 1: parameters of some units, or all of them small.
    for (Rational const& unit : {Rational(1), ratio(Integer(1), Integer(12))}) {
        auto const holds = [&](Rational const& value) {
            At there = at;
            there[symbol] = value;
            for (auto& [name, x] : there) {
                if (is_parameter(name)) x *= unit;
            }
            return holds_at(r, there, question, declared, asker);
        };
        auto const above = holds(ratio(Integer(5), Integer(3)));
        if (!above) continue;  // there is no number
        if (!*above) break;    // the point is none of this result
        bool const zero = holds(0) == true;
        bool const below = holds(ratio(Integer(-2), Integer(3))) == true &&
                           holds(ratio(Integer(-7), Integer(4))) == true && has_no_divisor_below(r, symbol);
        SymbolRange out{.symbol = symbol, .whole = false, .least = below ? "" : "0"};
        if (below && !zero) out.without.emplace_back("0");
        return below || zero ? std::optional(out) : std::nullopt;
    }
    return std::nullopt;
}

}  // namespace

void widen_parameters(Variation const& question, std::vector<Declared> const& declared, Asker& asker,
                      std::vector<Result>& results) {
    std::map<std::string, SymbolRange> known;  // of the first result that has the symbol
    constexpr std::size_t longest = 100'000;   // characters: each point reads the formula anew
    for (auto& r : results) {
        if (!r.exact || r.decimal || r.exact->size() > longest) continue;
        for (auto const& s : std::vector<SymbolRange>(r.range.symbols)) {
            if (!is_positive(s)) continue;
            try {
                if (!r.endless.empty()) {  // a limit of a result has no numbers; it goes where the result does
                    auto const at = known.find(s.symbol);
                    if (at != known.end() && has_no_divisor_below(r, s.symbol)) r.range.set(at->second);
                    continue;
                }
                auto const range = wider(r, s.symbol, point_of(r, declared), question, declared, asker);
                if (!range) continue;
                r.range.set(*range);
                if (!r.mean_square.empty()) leave_out_zero_divisors(r);
                known.emplace(s.symbol, *range);
            } catch (ParseError const&) {        // ends that are no linear forms
            } catch (DomainError const&) {       // the mirrored formula is none
            } catch (UnsupportedError const&) {  // roots of negative numbers, symbols in exponents of them
            }
        }
    }
}

}  // namespace isserlis::quantity
