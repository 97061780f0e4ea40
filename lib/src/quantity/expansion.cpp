// SPDX-License-Identifier: MIT
#include "quantity/expansion.hpp"

#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/question/reason.hpp>
#include <isserlis/report/limit_rows.hpp>
#include <isserlis/report/product_text.hpp>
#include <isserlis/report/range.hpp>
#include <isserlis/ring/depth_sum.hpp>
#include <isserlis/ring/exp_quotient.hpp>
#include <isserlis/ring/parse.hpp>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "quantity/limit_scale.hpp"
#include "quantity/unchecked.hpp"
#include "question/spelling.hpp"
#include "range/asker.hpp"
#include "range/range_fit.hpp"

namespace isserlis::quantity {
namespace {

using Names = std::vector<std::string>;

bool contains(Names const& names, std::string const& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// The symbols of a row: those of its formula, and of its index.
std::set<std::string> symbols_of(Result const& r) {
    std::set<std::string> out;
    for (auto const& s : r.range.symbols) {
        if (!s.is_point()) out.insert(s.symbol);
    }
    return out;
}

/// What the answer has symbols for.
struct Sizes {
    Names widths;
    Names depths;
    std::set<std::string> all;
};

Sizes sizes_of(Answer const& answer) {
    Sizes out;
    for (auto const& r : answer.results()) {
        if (r.endless.empty()) out.all.merge(symbols_of(r));
    }
    for (auto const& d : answer.declared()) {
        if (d.role == SymbolRole::width) out.widths.push_back(d.range.symbol);
        if (d.role == SymbolRole::depth) out.depths.push_back(d.range.symbol);
    }
    return out;
}

/// The one symbol that is meant. An input width of its own is not: what depends on it is a scale.
std::string only(Names names, std::string const& what, Session const& session) {
    if (names.size() == 2) {
        std::string const& widths = session.question.words.empty() ? "" : session.question.words.back();
        std::string const input = widths.substr(0, widths.find(','));
        if (input != widths) std::erase(names, input);
    }
    if (names.size() == 1) return names.front();
    std::string const found = names.empty() ? "there is no symbol for it here" : "here are " + enumerated(names);
    throw DomainError("`limit` " + printable(*session.limit) + ": one symbol for the " + what + " is required; " +
                          found + (names.empty() ? "" : "; say which one, as in `limit` " + names.front()),
                      "limit");
}

/// Does a width of the network have the symbol, as in n,n:n,1?
bool is_in_widths(Session const& session, std::string const& symbol) {
    if (session.question.words.empty()) return false;
    for (auto const& run : split(session.question.words.back())) {
        try {
            if (Expression::parse(run.substr(0, run.find(':')), "widths").symbols().count(symbol) != 0) return true;
        } catch (Error const&) {  // no width
        }
    }
    return false;
}

LimitScale deep_scale(Session const& session, std::string const& depth) {
    return {.width = "", .depth = depth, .has_wide_depth = is_in_widths(session, depth)};
}

LimitScale scale_of(Session const& session, Sizes const& sizes) {
    std::string const& kind = *session.limit;
    if (kind == "wide" && sizes.widths.empty() && sizes.depths.size() == 1 && is_in_widths(session, sizes.depths[0]))
        throw DomainError("`limit` wide: " + sizes.depths[0] + " is a width and the depth; `limit` " + sizes.depths[0] +
                              " takes both to infinity",
                          "limit");
    if (kind == "wide") return {.width = only(sizes.widths, "width", session), .depth = ""};
    if (kind == "deep") return deep_scale(session, only(sizes.depths, "depth", session));
    if (kind == "double-scaling")
        return {.width = only(sizes.widths, "width", session), .depth = only(sizes.depths, "depth", session)};
    auto const slash = kind.find('/');
    auto const of = [&](Names const& names, std::string const& symbol, std::string const& what) {
        if (contains(names, symbol)) return symbol;
        throw DomainError("`limit` " + printable(kind) + ": " + printable(symbol) + " is no " + what + " here" +
                              (names.empty() ? "" : "; " + what + "s are " + enumerated(names)) +
                              "; wide, deep and double-scaling name none",
                          "limit");
    };
    if (slash != std::string::npos)
        return {.width = of(sizes.widths, kind.substr(slash + 1), "width"),
                .depth = of(sizes.depths, kind.substr(0, slash), "depth")};
    if (contains(sizes.depths, kind)) return deep_scale(session, kind);
    return {.width = of(sizes.widths, kind, "width"), .depth = ""};
}

/// The formula, or why it has no expansion.
struct Formula {
    std::optional<ExpQuotient> value = {};
    std::string reason = {};
    bool is_square = false;  ///< `value` is that of a formula with roots of sums
};

/// A whole power of a sum that is worth writing as a product: none of its terms is seen within it otherwise.
std::optional<std::size_t> times(Expression const& e) {
    constexpr int most = 8;
    if (e.kind() != Expression::Kind::power || e.operands()[0].kind() != Expression::Kind::add) return std::nullopt;
    Expression const& exponent = e.operands()[1];
    if (exponent.kind() != Expression::Kind::number) return std::nullopt;
    Rational const& value = exponent.number();
    if (denominator_of(value) != 1 || value < 2 || value > most) return std::nullopt;
    return checked_count(numerator_of(value));
}

ExpQuotient read_quotient(Expression const& e) {
    using Kind = Expression::Kind;
    auto const at = [&](std::size_t i) { return read_quotient(e.operands()[i]); };
    if (e.kind() == Kind::divide) return at(0) / at(1);
    if (e.kind() == Kind::negate) return ExpQuotient() - at(0);
    if (e.kind() == Kind::add) {
        std::vector<ExpQuotient> parts;
        for (auto const& part : e.operands()) parts.push_back(read_quotient(part));
        return ExpQuotient::sum(parts);
    }
    if (e.kind() == Kind::multiply) {
        ExpQuotient out = at(0);
        for (std::size_t i = 1; i < e.operands().size(); ++i) out = out * at(i);
        return out;
    }
    if (auto const count = times(e)) {
        ExpQuotient const base = at(0);
        ExpQuotient out = base;
        for (std::size_t i = 1; i < *count; ++i) out = out * base;
        return out;
    }
    return ExpQuotient(by_depth(evaluate<RationalFunction>(e, &RationalFunction::symbol)));
}

/// A factor of it is a root of a sum.
bool has_root_of_sum(Expression const& e) {
    using Kind = Expression::Kind;
    if (e.kind() == Kind::sqrt) return !e.operands()[0].symbols().empty();
    return (e.kind() == Kind::multiply || e.kind() == Kind::divide) &&
           std::any_of(e.operands().begin(), e.operands().end(), has_root_of_sum);
}

/// The square of a product of positive factors, of which none may be known to be negative.
ExpQuotient read_square(Expression const& e) {
    using Kind = Expression::Kind;
    if (e.kind() == Kind::sqrt) return read_quotient(e.operands()[0]);
    if (e.kind() == Kind::multiply || e.kind() == Kind::divide) {
        ExpQuotient out = read_square(e.operands()[0]);
        for (std::size_t i = 1; i < e.operands().size(); ++i) {
            auto const next = read_square(e.operands()[i]);
            out = e.kind() == Kind::multiply ? out * next : out / next;
        }
        return out;
    }
    auto const x = evaluate<RationalFunction>(e, &RationalFunction::symbol);
    if (known_sign(x).value_or(0) <= 0) throw UnsupportedError("a factor beside a root need not be positive");
    return ExpQuotient(by_depth(x * x));
}

/// y of 1 - y.
Expression const* taken_from_one(Expression const& e) {
    using Kind = Expression::Kind;
    if (e.kind() != Kind::add || e.operands().size() != 2) return nullptr;
    auto const& [one, rest] = std::tie(e.operands()[0], e.operands()[1]);
    bool const is_one = one.kind() == Kind::number && one.number() == 1;
    return is_one && rest.kind() == Kind::negate ? &rest.operands()[0] : nullptr;
}

/// The leading order of 1 - (1 - a^(-n))^k, a > 1, as n goes to infinity, alone or with a k in proportion to it:
/// k a^(-n).
std::optional<ExpQuotient> leading_of_any(Expression const& e, Names const& endless) {
    using Kind = Expression::Kind;
    auto const* power = taken_from_one(e);
    if (power == nullptr || power->kind() != Kind::power) return std::nullopt;
    auto const* small = taken_from_one(power->operands()[0]);
    if (small == nullptr || small->kind() != Kind::power) return std::nullopt;
    auto const& [base, exponent] = std::tie(small->operands()[0], small->operands()[1]);
    bool const vanishes = base.kind() == Kind::number && base.number() > 1 && exponent.kind() == Kind::negate &&
                          exponent.operands()[0].kind() == Kind::symbol &&
                          contains(endless, exponent.operands()[0].symbol());
    if (!vanishes) return std::nullopt;
    return read_quotient(power->operands()[1]) * read_quotient(*small);
}

/// Of a limit the square will do, and its leading order.
Formula formula_of(Result const& r, bool or_square, Names const& endless) {
    if (!r.exact) return {.reason = r.form.empty() ? "known by its digits only" : r.form};
    auto const e = Expression::parse(*r.exact, r.name);
    try {
        if (or_square && has_root_of_sum(e)) return {.value = read_square(e), .is_square = true};
    } catch (Error const&) {  // the formula itself may do
    }
    try {
        if (auto const leading = or_square ? leading_of_any(e, endless) : std::nullopt) return {.value = leading};
        return {.value = read_quotient(e)};
    } catch (Error const&) {
        return {.reason = "no expansion of " + printable(*r.exact) + " is known"};
    }
}

/// Rows in place of those that an answer has.
class Expanded {
public:
    /// `suffix` of the names of rows without a formula; `or_square`: of roots their squares are expanded.
    Expanded(Answer& answer, Names endless, std::string suffix, bool or_square)
        : answer_(answer), endless_(std::move(endless)), suffix_(std::move(suffix)), or_square_(or_square) {}

    /// Calls add(formula, name, index, answer) for each formula that holds where the expansion is.
    template <class Add>
    void fill(Add const& add) {
        auto const rows = answer_.results();
        answer_.replace_results(0, {});
        answer_.set_index_prefix({});
        std::vector<Result> out;
        for (auto const& r : rows) {
            if (!r.endless.empty() || ends(r)) continue;
            auto of_row = expanded(r, add, 0);
            std::move(of_row.begin(), of_row.end(), std::back_inserter(out));
        }
        answer_.replace_results(0, std::move(out));
    }

private:
    /// The rows of one formula, and of what it is where its leading order is 0.
    template <class Add>
    std::vector<Result> expanded(Result const& r, Add const& add, int depth) {
        Formula const formula = formula_of(r, or_square_, endless_);
        if (formula.value) {
            add(formula, r.name, r.index, answer_);
        } else {
            answer_.add(r.name + suffix_, r.index, Value::absent(formula.reason), {}, not_sampled);
        }
        auto out = answer_.results();
        answer_.replace_results(0, {});
        for (auto& row : out) keep_range(r, row);
        if (is_cut_off(r) && final_sign(out) <= 0) return cut_off(r, final_sign(out) < 0);
        auto const leading = std::find_if(out.begin(), out.end(), [](Result const& row) {
            return row.name.ends_with("_leading") && row.exact.has_value();
        });
        if (leading == out.end()) return out;
        Range const before = leading->range;
        leave_out_zero_divisors("1/(" + *leading->exact + ")", leading->range);
        // Where another order leads the value need not be infinite.
        bool const grows = !out.front().exact && &out.front() != &*leading;
        if (grows) out.front().range = leading->range;
        constexpr int deepest = 2;
        if (depth == deepest) return out;
        Range const after = leading->range;
        for (auto const& s : before.symbols) {
            for (auto const& value : left_out(s, after)) {
                for (auto& row : expanded(at_value(r, s, value), add, depth + 1)) {
                    if (grows || row.name.ends_with("_leading")) out.push_back(std::move(row));
                }
            }
        }
        return out;
    }

    /// Is it 0 where its formula is negative?
    static bool is_cut_off(Result const& r) { return r.exact && contains(r.range.not_negative, *r.exact); }

    /// The sign of the leading order, what grows being positive; 0 where it is not known.
    [[nodiscard]] int final_sign(std::vector<Result> const& rows) const {
        auto const leading =
            std::find_if(rows.begin(), rows.end(), [](Result const& row) { return row.name.ends_with("_leading"); });
        auto const& of = leading == rows.end() ? rows.front() : *leading;
        if (!of.exact) return 0;
        std::map<std::string, Rational> ones;
        for (auto const& symbol : endless_) ones.emplace(symbol, 1);
        std::optional<RationalFunction> value;
        try {
            value = formula_at(*of.exact, ones);
        } catch (Error const&) {
            return 0;  // with exponential functions
        }
        return value ? known_sign(*value).value_or(0) : 0;
    }

    /// The row of a bound whose formula is not positive in the end, as far as is known.
    std::vector<Result> cut_off(Result const& r, bool is_negative) {
        if (is_negative && suffix_ == "_limit") {
            answer_.add_limit(r.name + suffix_, r.index, RationalFunction(0), endless_, not_sampled);
        } else {
            answer_.add(
                r.name + suffix_, r.index,
                Value::absent(is_negative ? "0 in the end, where the formula is negative"
                                          : "0 where the formula is negative; its leading order does not tell where"),
                {}, not_sampled);
        }
        auto out = answer_.results();
        answer_.replace_results(0, {});
        for (auto& row : out) keep_range(r, row);
        return out;
    }

    /// The whole numbers that a symbol has before and not after.
    static std::vector<std::string> left_out(SymbolRange const& before, Range const& after) {
        auto const* now = after.find(before.symbol);
        std::vector<std::string> out;
        if (now == nullptr || !before.whole || !is_number(before.least) || !is_number(now->least)) return out;
        for (Integer v = parse_integer(before.least, "range"); v < parse_integer(now->least, "range"); ++v)
            out.push_back(to_string(v));
        for (auto const& value : now->without) {
            if (is_number(value) && !contains(before.without, value)) out.push_back(value);
        }
        return out;
    }

    static bool is_number(std::string const& text) {
        return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    }

    /// A row of any layer at one layer, or of any depth at one.
    static Result at_value(Result const& r, SymbolRange const& range, std::string const& value) {
        Result out = r;
        Rational const number(parse_integer(value, "range"));
        out.exact = renamed(*r.exact, range.symbol, value);
        bool of_layer = false;
        for (auto& part : out.index) {
            of_layer = of_layer || part == range.symbol;
            part = index_at(part, {{range.symbol, number}});
        }
        if (!of_layer) {
            out.range.set(SymbolRange::only(range.symbol, value));
            return out;
        }
        std::erase_if(out.range.symbols, [&](auto const& s) { return s.symbol == range.symbol; });
        // There is such a layer from some depth on.
        Exponent const most = linear_form(range.most.empty() ? value : range.most);
        if (most.symbols().size() == 1 && most.symbols().front().second == 1) {
            Integer const least = numerator_of(Rational(number - most.constant()));
            auto const* known = out.range.find(most.symbols().front().first);
            bool const is_less =
                known == nullptr || (is_number(known->least) && parse_integer(known->least, "range") < least);
            if (is_less) out.range.set({.symbol = most.symbols().front().first, .least = to_string(least)});
        }
        return out;
    }

    /// A row for a few values of what goes to infinity.
    [[nodiscard]] bool ends(Result const& r) const {
        return std::any_of(r.range.symbols.begin(), r.range.symbols.end(), [&](SymbolRange const& s) {
            return contains(endless_, s.symbol) && !s.most.empty() &&
                   !Expression::parse(s.most, "range").symbols().size();
        });
    }

    /// A formula may hold for a few depths that it has no symbol of.
    [[nodiscard]] bool is_narrowed(SymbolRange const& range) const {
        if (contains(endless_, range.symbol)) return false;
        auto const& all = answer_.declared();
        auto const at =
            std::find_if(all.begin(), all.end(), [&](auto const& d) { return d.range.symbol == range.symbol; });
        return at != all.end() && !(at->range == range);
    }

    /// What is known of the other symbols holds on.
    void keep_range(Result const& from, Result& row) const {
        for (auto const& s : from.range.symbols) {
            if (row.range.find(s.symbol) != nullptr || is_narrowed(s)) row.range.set(s);
        }
        auto const keep = [&](auto Range::*list) {
            for (auto const& e : from.range.*list) {
                auto const names = Expression::parse(e, "range").symbols();
                bool const ends =
                    std::any_of(names.begin(), names.end(), [&](auto const& s) { return contains(endless_, s); });
                if (!ends && !contains(row.range.*list, e)) (row.range.*list).push_back(e);
            }
        };
        keep(&Range::positive);
        keep(&Range::not_negative);
    }

    Answer& answer_;
    Names endless_;
    std::string suffix_;
    bool or_square_;
};

void add_series(Session const& session, Sizes const& sizes, Answer& answer) {
    std::string const& symbol = *session.series;
    if (sizes.all.count(symbol) == 0)
        throw DomainError("`series`: nothing here depends on " + printable(symbol), "series");
    answer.assume("expansion in powers of 1/" + symbol + ", every other symbol fixed; the index ends in the power");
    Expanded(answer, {symbol}, "_series_coefficient", false)
        .fill([&](Formula const& x, std::string const& name, Names index, Answer& out) {
            try {
                auto const series = series_of(*x.value, symbol, session.series_order);
                index.emplace_back();
                if (series.empty()) index.back() = "0";
                if (series.empty())
                    out.add_limit(name + "_series_coefficient", index, RationalFunction(0), {symbol}, not_sampled);
                for (auto const& c : series) {
                    index.back() = to_string(c.power);
                    out.add_limit(name + "_series_coefficient", index, c.value, {symbol}, not_sampled);
                }
            } catch (UnsupportedError const& e) {
                out.add(name + "_series_coefficient", index, Value::absent(reason(e)), {}, not_sampled);
            }
        });
}

/// The symbols that the limit brings stand for nothing else.
void refuse_taken(std::set<std::string> const& symbols, LimitScale const& scale) {
    if (scale.is_wide()) return;
    bool const has_ratio = !scale.width.empty();
    for (std::string const taken : {ratio_symbol, place_symbol}) {
        if (symbols.count(taken) == 0 || (taken == ratio_symbol && !has_ratio)) continue;
        throw DomainError("`limit`: " + std::string(has_ratio ? "b stands for depth over width there, " : "") +
                              "t for the place of the layer; give the symbol " + taken + " another name",
                          "limit");
    }
}

void add_limits(Session const& session, Sizes const& sizes, Answer& answer) {
    LimitScale const scale = scale_of(session, sizes);
    refuse_taken(sizes.all, scale);
    state_limit(scale, answer);
    Expanded(answer, scale.endless(), "_limit", true)
        .fill([&](Formula const& x, std::string const& name, Names const& index, Answer& out) {
            LimitNames const names{.limit = name + "_limit", .leading = name + "_leading"};
            if (x.is_square) return add_limit_of_root(*x.value, scale, names, index, out);
            add_limit_of(*x.value, scale, names, index, out);
        });
}

}  // namespace

void expand(Session const& session, Answer& answer) {
    auto const& rows = answer.results();
    bool const is_expanded =
        !rows.empty() && std::all_of(rows.begin(), rows.end(), [](Result const& r) { return !r.endless.empty(); });
    if (is_expanded) return;  // by what the command knows of it
    Sizes const sizes = sizes_of(answer);
    if (session.series) return add_series(session, sizes, answer);
    add_limits(session, sizes, answer);
}

}  // namespace isserlis::quantity
