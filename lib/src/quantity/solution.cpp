// SPDX-License-Identifier: MIT
#include "quantity/solution.hpp"

#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/ring/bisection.hpp>
#include <isserlis/ring/parse.hpp>
#include <map>
#include <optional>
#include <set>

#include "question/spelling.hpp"
#include "range/asker.hpp"

namespace isserlis::quantity {
namespace {

using Names = std::vector<std::string>;
using Values = std::map<std::string, Rational>;

constexpr int most_digits_of_a_root = 1000;
constexpr std::uint64_t checked_one_by_one = 64;

/// A formula at values of its symbols, an exact number that may be too long to be written.
class Exact {
public:
    Exact(Expression formula, Values values) : formula_(std::move(formula)), values_(std::move(values)) {}

    /// The sign of the number less `target`: by enclosures, and where they do not tell exactly.
    [[nodiscard]] int sign_against(Surd const& target) const {
        constexpr unsigned most_bits = 1U << 14U;
        for (unsigned bits = 128; bits <= most_bits; bits *= 4) {
            try {
                Interval const gap = enclosure(bits) - enclose(target, bits);
                if (!gap.contains_zero()) return mpfr_sgn(gap.lower());
            } catch (DomainError const&) {
                break;  // a divisor or a root of something near 0
            }
        }
        return sign(exact() - target);
    }
    [[nodiscard]] Value value() const { return exact(); }
    /// Its digits alone.
    [[nodiscard]] Value digits() const {
        return Value::certified([copy = *this](unsigned bits) { return copy.enclosure(bits + guard_bits); },
                                "too long to be written exactly", most_digits_of_a_root);
    }

private:
    [[nodiscard]] Surd exact() const {
        return evaluate<Surd>(formula_, [&](std::string const& name) { return Surd(values_.at(name)); });
    }
    [[nodiscard]] Interval enclosure(unsigned bits) const { return enclose(formula_, bits, values_); }

    Expression formula_;
    Values values_;
};

std::string shown(Exact const& x) {
    try {
        return *x.digits().decimal(4);
    } catch (Error const&) {
        return *x.value().decimal(4);  // halfway between two of four digits
    }
}

bool is_within(SymbolRange const& range, Values const& values) {
    auto const end = [&](std::string const& text) {
        return evaluate<Surd>(Expression::parse(text, "range"),
                              [&](std::string const& name) { return Surd(values.at(name)); });
    };
    Surd const x(values.at(range.symbol));
    if (!range.least.empty()) {
        int const above = sign(x - end(range.least));
        if (above < 0 || (above == 0 && range.open)) return false;
    }
    if (!range.most.empty() && sign(x - end(range.most)) > 0) return false;
    return std::none_of(range.without.begin(), range.without.end(),
                        [&](auto const& out) { return sign(x - end(out)) == 0; });
}

/// Does the row hold at these values, all that it depends on? No where that cannot be told.
bool holds_at(Range const& range, Values const& values) {
    auto const known = [&](std::string const& text) {
        auto const symbols = Expression::parse(text, "range").symbols();
        return std::all_of(symbols.begin(), symbols.end(), [&](auto const& s) { return values.count(s) != 0; });
    };
    auto const sign_of = [&](std::string const& text) {
        return Exact(Expression::parse(text, "range"), values).sign_against(Surd(0));
    };
    try {
        for (auto const& s : range.symbols) {
            if (values.count(s.symbol) == 0 || !known(s.least.empty() ? "0" : s.least) ||
                !known(s.most.empty() ? "0" : s.most) || !is_within(s, values))
                return false;
        }
        auto const all = [&](Names const& conditions, auto const& fits) {
            return std::all_of(conditions.begin(), conditions.end(),
                               [&](auto const& text) { return known(text) && fits(sign_of(text)); });
        };
        return all(range.nonzero, [](int s) { return s != 0; }) && all(range.positive, [](int s) { return s > 0; }) &&
               all(range.not_negative, [](int s) { return s >= 0; });
    } catch (Error const&) {
        return false;
    }
}

/// The quantity that is asked for: its name, and the index where that has been typed.
struct Wanted {
    std::string name;
    Names index;

    explicit Wanted(std::string const& typed) {
        auto parts = split(typed);
        name = parts.front();
        index.assign(parts.begin() + 1, parts.end());
        for (auto& part : index) part = without_spaces(part);
    }
    [[nodiscard]] bool is(Result const& r, std::size_t prefix) const {
        if (r.name != name || index.empty()) return r.name == name;
        Names own(r.index.begin() + static_cast<std::ptrdiff_t>(prefix), r.index.end());
        std::transform(own.begin(), own.end(), own.begin(), without_spaces);
        return own == index;
    }
    /// "L + 1" is typed L+1.
    static std::string without_spaces(std::string text) {
        std::erase(text, ' ');
        return text;
    }
    [[nodiscard]] Wanted at(Values const& values) const {
        Wanted out = *this;
        for (auto& part : out.index) part = without_spaces(index_at(part, values));
        return out;
    }
};

/// Finds one symbol's value.
class Search {
public:
    Search(Command const& command, Task const& task, Session const& session, Bindings bindings, Names prefix,
           std::size_t first, Answer& answer)
        : session_(session),
          bindings_(std::move(bindings)),
          prefix_(std::move(prefix)),
          wanted_(Wanted(session.solved_quantity).at(bindings_)),
          target_(*session.target),
          answer_(answer),
          asker_(command, task, session, prefix_) {
        auto const& all = answer.results();
        for (std::size_t k = first; k < all.size(); ++k) {
            names_.push_back(all[k].name);
            if (wanted_.is(all[k], prefix_.size())) rows_.push_back(all[k]);
        }
        answer.replace_results(first, {});
    }

    void run() {
        if (std::find(names_.begin(), names_.end(), wanted_.name) == names_.end()) refuse_name();
        Declared const meant = symbol();
        symbol_ = meant.range.symbol;
        if (meant.role == SymbolRole::width) {
            add_width();
        } else if (meant.role == SymbolRole::depth) {
            add_depth();
        } else {
            add_parameter(meant.range);
        }
    }

private:
    [[noreturn]] void refuse_name() const {
        Names known = names_;
        std::sort(known.begin(), known.end());
        known.erase(std::unique(known.begin(), known.end()), known.end());
        throw ParseError("`of` " + printable(session_.solved_quantity) + " is no quantity of this answer; it has " +
                             enumerated(known),
                         "of");
    }

    /// What is looked for: a symbol by its name, or the only one that is a width or a depth.
    [[nodiscard]] Declared symbol() const {
        std::string const& typed = *session_.solve;
        std::vector<Declared> open;
        for (auto const& d : answer_.declared()) {
            bool const is_new =
                std::none_of(open.begin(), open.end(), [&](auto const& o) { return o.range.symbol == d.range.symbol; });
            if (is_new && bindings_.count(d.range.symbol) == 0 && d.role != SymbolRole::layer) open.push_back(d);
        }
        Names names;
        for (auto const& d : open) names.push_back(d.range.symbol);
        for (auto const& d : open) {
            if (d.range.symbol == typed) return d;
        }
        // What is never declared stands for a number.
        std::set<std::string> numbers;
        for (auto const& r : rows_) {
            if (auto const formula = formula_of(r)) numbers.merge(formula->symbols());
        }
        for (auto const& d : answer_.declared()) numbers.erase(d.range.symbol);
        if (numbers.count(typed) != 0) return {.range = SymbolRange::positive(typed), .role = SymbolRole::parameter};
        names.insert(names.end(), numbers.begin(), numbers.end());
        bool const by_role = typed == "width" || typed == "depth";
        if (!by_role)
            throw DomainError("`solve` " + printable(typed) + ": there is no such symbol here without a value" +
                                  (names.empty() ? "" : "; there are " + enumerated(names)),
                              "solve");
        SymbolRole const role = typed == "width" ? SymbolRole::width : SymbolRole::depth;
        std::erase_if(open, [&](auto const& d) { return d.role != role; });
        if (open.size() == 1) return open.front();
        throw DomainError("`solve` " + typed + ": one symbol stands for the " + typed + " that is looked for, as " +
                              (role == SymbolRole::width ? "n in 784,n:10,1" : "L in 784,9:L,1") + "; here are " +
                              std::to_string(open.size()) + " without a value",
                          "solve");
    }

    [[nodiscard]] Values values_at(Rational const& x) const {
        Values out = bindings_;
        out[symbol_] = x;
        return out;
    }
    static std::optional<Expression> formula_of(Result const& r) {
        auto const text = text_of(r);
        return text ? std::optional(Expression::parse(*text, r.name)) : std::nullopt;
    }
    [[nodiscard]] bool is_alone(Expression const& formula) const {
        auto const names = formula.symbols();
        return std::all_of(names.begin(), names.end(), [&](auto const& s) { return s == symbol_; });
    }
    /// By a formula that holds there; none where there is not just one.
    [[nodiscard]] std::optional<Exact> by_formula(Rational const& x) const {
        Values const values = values_at(x);
        std::vector<Expression> found;
        for (auto const& r : rows_) {
            auto formula = formula_of(r);
            if (formula && is_alone(*formula) && holds_at(r.range, values)) found.push_back(std::move(*formula));
        }
        if (found.size() != 1) return std::nullopt;
        return Exact(std::move(found.front()), values);
    }
    /// By asking for a whole number in its place.
    [[nodiscard]] Exact by_asking(Rational const& x) {
        session_.stop_if_told();
        Values const values = values_at(x);
        std::string const place = symbol_ + " = " + to_string(x);
        Reply const* const reply = asker_.ask({.bindings = values, .layer = session_.layer, .query = asker_.query()});
        if (reply == nullptr) throw UnsupportedError("`solve`: at " + place + " the question has no answer", "solve");
        Wanted const here = wanted_.at(values);
        std::vector<Result const*> found;
        for (auto const& r : reply->results) {
            if (here.is(r, prefix_.size())) found.push_back(&r);
        }
        if (found.empty())
            throw DomainError("`of` " + printable(session_.solved_quantity) + ": there is none at " + place +
                                  "; an index is one that is there at every " + symbol_ + ", such as " + symbol_ +
                                  " or a number",
                              "of");
        if (found.size() != 1)
            throw DomainError("`of` " + wanted_.name + ": there are " + std::to_string(found.size()) + " of them at " +
                                  place + "; say which by its index, as in `of` " + wanted_.name + ",1, or by `layer`",
                              "of");
        auto const formula = formula_of(*found.front());
        if (!formula)
            throw UnsupportedError("`of` " + wanted_.name + ": at " + place + " it is no exact number" +
                                       (found.front()->form.empty() ? "" : ": " + found.front()->form),
                                   "of");
        if (!formula->symbols().empty())
            throw DomainError("`solve`: " + *formula->symbols().begin() + " needs a value too; give it by `set`",
                              "set");
        return {*formula, {}};
    }
    [[nodiscard]] Exact at(std::uint64_t n) {
        Rational const x{Integer(n)};
        auto known = by_formula(x);
        return known ? std::move(*known) : by_asking(x);
    }
    [[nodiscard]] bool is_met(std::uint64_t n) { return at(n).sign_against(target_) <= 0; }

    void say(std::string const& sought, std::uint64_t found, std::string const& if_monotone) {
        if (found > checked_one_by_one) answer_.warn(if_monotone);
        answer_.assume(symbol_ + " is the " + sought + " looked for; exact comparison at every " + sought +
                       " tried: all below " + std::to_string(std::min(found, checked_one_by_one)) +
                       (found > checked_one_by_one ? ", powers of 2 apart and the two that are printed" : ""));
    }
    void add_whole(std::string const& name, std::uint64_t x) {
        answer_.add(name, {}, Surd(Rational(Integer(x))), {}, a_solution);
    }

    void add_width() {
        constexpr std::uint64_t most = std::uint64_t{1} << 30U;
        auto found = least_that([&](std::uint64_t n) { return is_met(n); }, 1, most);
        if (!found)
            throw DomainError("`target` " + to_string(target_) + ": " + wanted_.name + " is still about " +
                                  shown(at(most)) + " at " + symbol_ + " = 2^30",
                              "target");
        // Where it is cheap nothing rests on the quantity falling with the width.
        for (std::uint64_t n = 1; n < std::min(*found, checked_one_by_one); ++n) {
            if (is_met(n)) found = n;
        }
        add_whole("solved_width", *found);
        answer_.add("value_at_width", {}, at(*found).value(), {}, a_solution);
        answer_.add("value_below_width", {},
                    *found == 1 ? Value::absent("there is no smaller width") : at(*found - 1).value(), {}, a_solution);
        say("width", *found,
            "the least width if the quantity falls with it beyond " + std::to_string(checked_one_by_one) +
                ", as it does for variances that scale with the width; of fixed variances it need not");
    }

    void add_depth() {
        constexpr std::uint64_t most = 1'000'000;
        auto above = least_that([&](std::uint64_t n) { return !is_met(n); }, 1, most);
        if (!above)
            throw DomainError("`target` " + to_string(target_) + ": " + wanted_.name + " is at most that at " +
                                  symbol_ + " = " + std::to_string(most) + " too, about " + shown(at(most)),
                              "target");
        for (std::uint64_t n = 1; n < std::min(*above, checked_one_by_one); ++n) {
            if (!is_met(n)) above = n;
        }
        if (*above == 1)
            throw DomainError("`target` " + to_string(target_) + ": " + wanted_.name + " is above it at " + symbol_ +
                                  " = 1 already, about " + shown(at(1)),
                              "target");
        add_whole("solved_depth", *above - 1);
        constexpr std::uint64_t most_written = 10'000;  // its exact number has some digits for each layer
        for (auto const& [name, depth] :
             {std::pair("value_at_depth", *above - 1), std::pair("value_above_depth", *above)})
            answer_.add(name, {}, depth > most_written ? at(depth).digits() : at(depth).value(), {}, a_solution);
        say("depth", *above,
            "the greatest depth if the quantity grows with it beyond " + std::to_string(checked_one_by_one));
    }

    void add_parameter(SymbolRange const& range) {
        std::vector<Rational> points = powers_of_two();
        for (std::string const& end : {range.least, range.most}) {
            if (end.empty() || !Expression::parse(end, "range").symbols().empty()) continue;
            Rational const x = parse_surd(end, "range").to_rational();
            if (x > 0) points.push_back(x);
        }
        std::sort(points.begin(), points.end());
        auto const sign_at = [this](Rational const& x) -> std::optional<int> {
            auto const value = by_formula(x);
            return value ? std::optional(value->sign_against(target_)) : std::nullopt;
        };
        auto const failed = [&] {
            auto const known = by_formula(1);
            if (!known && std::none_of(points.begin(), points.end(), [&](auto const& x) { return sign_at(x); }))
                throw UnsupportedError("`solve` " + symbol_ + ": no formula of " + wanted_.name + " in " + symbol_ +
                                           " alone is known; give other symbols values by `set`",
                                       "solve");
            throw DomainError("`target` " + to_string(target_) + ": no " + symbol_ +
                                  " between 2^-40 and 2^40 was found with which " + wanted_.name + " has it" +
                                  (known ? "; at " + symbol_ + " = 1 it is about " + shown(*known) : ""),
                              "target");
        };
        auto const [lower, upper] = sign_change(points, sign_at, failed);
        // What is looked for outlives this search.
        auto const fixed = *by_formula_of(lower);
        SignChange const root(
            [fixed, symbol = symbol_, values = bindings_, target = target_](Rational const& x) {
                Values at = values;
                at[symbol] = x;
                return Exact(fixed, at).sign_against(target);
            },
            lower, upper);
        auto const exact = root.exact();
        answer_.add("solved_parameter", {},
                    exact ? Value(Surd(*exact))
                          : Value::certified([root](unsigned bits) { return root.enclosure(bits + guard_bits); },
                                             symbol_ + " with " + wanted_.name + " = " + to_string(target_),
                                             most_digits_of_a_root),
                    {}, a_solution);
        answer_.assume(symbol_ +
                       " is looked for: a solution between the two powers of 2 nearest to 1 where the sign of " +
                       wanted_.name + " less its target changes; there may be others");
    }
    [[nodiscard]] std::optional<Expression> by_formula_of(Rational const& x) const {
        Values const values = values_at(x);
        for (auto const& r : rows_) {
            auto formula = formula_of(r);
            if (formula && is_alone(*formula) && holds_at(r.range, values)) return formula;
        }
        return std::nullopt;
    }

    Session const& session_;
    Bindings bindings_;
    Names prefix_;
    Wanted wanted_;
    Surd target_;
    Answer& answer_;
    Asker asker_;
    std::vector<Result> rows_;  ///< those that `of` may mean
    Names names_;
    std::string symbol_;
};

}  // namespace

std::vector<Rational> powers_of_two() {
    constexpr int most = 40;
    std::vector<Rational> out;
    for (int k = -most; k <= most; ++k) {
        Rational const size{Integer(1) << static_cast<unsigned>(std::abs(k))};
        out.push_back(k < 0 ? Rational(1 / size) : size);
    }
    return out;
}

std::pair<Rational, Rational> sign_change(std::vector<Rational> const& points,
                                          std::function<std::optional<int>(Rational const&)> const& sign,
                                          std::function<void()> const& failed) {
    auto const from =
        static_cast<std::size_t>(std::lower_bound(points.begin(), points.end(), Rational(1)) - points.begin());
    std::map<std::size_t, std::optional<int>> known;
    auto const at = [&](std::size_t k) {
        auto const found = known.find(k);
        return found != known.end() ? found->second : known.emplace(k, sign(points[k])).first->second;
    };
    for (std::size_t step = 0; step < points.size(); ++step) {
        for (bool const down : {true, false}) {
            if (down ? step + 1 > from : from + step + 1 >= points.size()) continue;
            std::size_t const low = down ? from - step - 1 : from + step;
            auto const below = at(low);
            auto const above = at(low + 1);
            if (below == 0) return {points[low], points[low]};
            if (above == 0) return {points[low + 1], points[low + 1]};
            if (below && above && *below != *above) return {points[low], points[low + 1]};
        }
    }
    failed();
    throw DomainError("`target`: no value was found that meets it", "target");
}

void solve(Command const& command, Task const& task, Session const& session, Bindings const& bindings,
           std::vector<std::string> const& prefix, std::size_t first, Answer& answer) {
    Search(command, task, session, bindings, prefix, first, answer).run();
}

}  // namespace isserlis::quantity
