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
#include "range/exact_value.hpp"
#include "range/holds_at.hpp"

namespace isserlis::quantity {
namespace {

using Names = std::vector<std::string>;
using Values = std::map<std::string, Rational>;

constexpr int most_digits_of_a_root = 1000;
constexpr int largest_power = 40;  ///< of 2, up to which a number is looked for
constexpr std::uint64_t checked_one_by_one = 64;
constexpr std::uint64_t most_first = 16;  ///< up to where each is asked for the first that there is
constexpr std::size_t most_digits = 10;   ///< of a width or depth

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
    /// "phi,1,3": what stands for this result.
    static std::string spelled(Result const& r, std::size_t prefix) {
        std::string out = r.name;
        for (std::size_t k = prefix; k < r.index.size(); ++k) out += "," + without_spaces(r.index[k]);
        return out;
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
            if (auto row = row_of(all[k])) rows_.push_back(std::move(*row));
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
        for (auto const& row : rows_) {
            if (auto const formula = formula_of(row.result)) numbers.merge(formula->symbols());
        }
        for (auto const& d : answer_.declared()) numbers.erase(d.range.symbol);
        if (numbers.count(typed) != 0) return {.range = SymbolRange::positive(typed), .role = SymbolRole::parameter};
        names.insert(names.end(), numbers.begin(), numbers.end());
        bool const by_role = typed == "width" || typed == "depth";
        if (!by_role)
            throw DomainError("`solve` " + printable(typed) + ": " + wanted_.name +
                                  " depends on no such symbol without a value" +
                                  (names.empty() ? "" : "; without a value are " + enumerated(names)),
                              "solve");
        SymbolRole const role = typed == "width" ? SymbolRole::width : SymbolRole::depth;
        std::erase_if(open, [&](auto const& d) { return d.role != role; });
        if (open.size() == 1) return open.front();
        throw DomainError("`solve` " + typed + ": one symbol stands for the " + typed + " that is looked for, as " +
                              (role == SymbolRole::width ? "n in 784,n:10,1" : "L in 784,9:L,1") + "; here are " +
                              std::to_string(open.size()) + " without a value",
                          "solve");
    }

    /// A result that `of` may mean: by its index, or that of any layer `generic`, of which `of` names one.
    struct Row {
        Result result;
        std::string generic;
        std::string layer;
    };
    [[nodiscard]] std::optional<Row> row_of(Result const& r) const {
        if (wanted_.is(r, prefix_.size())) return Row{.result = r, .generic = {}, .layer = {}};
        std::size_t const parts = wanted_.index.size();
        if (r.name != wanted_.name || r.index.size() != prefix_.size() + parts) return std::nullopt;
        Row out{.result = r, .generic = {}, .layer = {}};
        for (std::size_t i = 0; i < parts; ++i) {
            std::string const own = Wanted::without_spaces(r.index[prefix_.size() + i]);
            if (own == wanted_.index[i]) continue;
            bool const is_generic =
                std::any_of(answer_.declared().begin(), answer_.declared().end(),
                            [&](auto const& d) { return d.role == SymbolRole::layer && d.range.symbol == own; });
            if (!is_generic || !out.generic.empty()) return std::nullopt;
            out.generic = own;
            out.layer = wanted_.index[i];
        }
        return out;
    }

    [[nodiscard]] Values values_at(Rational const& x) const {
        Values out = bindings_;
        out[symbol_] = x;
        return out;
    }
    /// With the number of the layer that `of` names; none where that is no number.
    [[nodiscard]] std::optional<Values> values_at(Rational const& x, Row const& row) const {
        Values out = values_at(x);
        if (row.generic.empty()) return out;
        std::string const layer = Wanted::without_spaces(index_at(row.layer, out));
        if (!is_number(layer)) return std::nullopt;
        out[row.generic] = parse_rational(layer, "of");
        return out;
    }
    /// A number of layers or neurons in digits.
    static bool is_number(std::string const& text) {
        return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    }
    static std::optional<Expression> formula_of(Result const& r) {
        auto const text = text_of(r);
        return text ? std::optional(Expression::parse(*text, r.name)) : std::nullopt;
    }
    struct Formula {
        Expression expression;
        Values values;  ///< of its symbols
    };
    /// The formula that holds there; none where there is not just one.
    [[nodiscard]] std::optional<Formula> formula_at(Rational const& x) const {
        std::optional<Formula> out;
        for (auto const& row : rows_) {
            auto formula = formula_of(row.result);
            auto const is_known = [&](auto const& s) { return s == symbol_ || (s == row.generic && !s.empty()); };
            auto const names = formula ? formula->symbols() : std::set<std::string>{};
            if (!formula || !std::all_of(names.begin(), names.end(), is_known)) continue;
            auto values = values_at(x, row);
            if (!values || !holds_at(row.result.range, *values)) continue;
            if (out) return std::nullopt;
            out = Formula{.expression = std::move(*formula), .values = std::move(*values)};
        }
        return out;
    }
    [[nodiscard]] std::optional<ExactValue> by_formula(Rational const& x) const {
        auto formula = formula_at(x);
        if (!formula) return std::nullopt;
        return ExactValue(std::move(formula->expression), formula->values);
    }
    [[nodiscard]] Variation question_at(Rational const& x) const {
        return {.bindings = values_at(x), .layer = session_.layer, .query = asker_.query()};
    }
    /// The rows that are meant, with a whole number in its place; none where that is refused.
    [[nodiscard]] std::vector<Result const*> asked_rows(Rational const& x) {
        std::vector<Result const*> out;
        Reply const* const reply = asker_.ask(question_at(x));
        if (reply == nullptr) return out;
        Wanted const here = wanted_.at(values_at(x));
        for (auto const& r : reply->results) {
            if (here.is(r, prefix_.size())) out.push_back(&r);
        }
        return out;
    }
    /// By asking for a whole number in its place.
    [[nodiscard]] ExactValue by_asking(Rational const& x) {
        session_.stop_if_told();
        std::string const place = symbol_ + " = " + to_string(x);
        if (auto const refusal = asker_.refusal(question_at(x)))
            throw UnsupportedError("`solve`: at " + place + " there is no answer: " + *refusal, "solve");
        auto const found = asked_rows(x);
        if (found.empty())
            throw DomainError("`of` " + printable(session_.solved_quantity) + ": there is none at " + place +
                                  "; an index is one that is there at every " + symbol_ + ", such as " + symbol_ +
                                  " or a number",
                              "of");
        if (found.size() != 1)
            throw DomainError("`of` " + wanted_.name + ": there are " + std::to_string(found.size()) + " of them at " +
                                  place + "; say which by its index, as in `of` " +
                                  printable(Wanted::spelled(*found.front(), prefix_.size())),
                              "of");
        auto const formula = formula_of(*found.front());
        if (!formula)
            throw UnsupportedError("`of` " + wanted_.name + ": at " + place + " it is no exact number" +
                                       (found.front()->form.empty() ? "" : ": " + found.front()->form),
                                   "of");
        if (!formula->symbols().empty())
            throw DomainError("`solve`: " + *formula->symbols().begin() +
                                  " needs a value too; give it by `set`, or by the index in `of` if it is a layer",
                              "set");
        return {*formula, {}};
    }
    [[nodiscard]] ExactValue at(std::uint64_t n) {
        Rational const x{Integer(n)};
        auto known = by_formula(x);
        return known ? std::move(*known) : by_asking(x);
    }
    [[nodiscard]] bool is_met(std::uint64_t n) { return at(n).sign_against(target_) <= 0; }

    /// Is there such a network, with the row that is meant?
    [[nodiscard]] bool is_there(std::uint64_t n) {
        Rational const x{Integer(n)};
        session_.stop_if_told();
        return by_formula(x) || !asked_rows(x).empty();
    }
    /// Where the search begins: the least number that is there; 1 where none is, which then says why.
    [[nodiscard]] std::uint64_t first_there() {
        std::set<std::uint64_t> tried;
        for (std::uint64_t n = 1; n <= most_first; ++n) tried.insert(n);
        for (auto const& row : rows_) {
            auto const* range = row.result.range.find(symbol_);
            bool const is_known = range != nullptr && is_number(range->least) && range->least.size() < most_digits;
            if (is_known) tried.insert(std::stoull(range->least));
        }
        auto const first = std::find_if(tried.begin(), tried.end(), [&](std::uint64_t n) { return is_there(n); });
        return first == tried.end() ? 1 : *first;
    }

    void say(std::string const& sought, std::uint64_t first, std::uint64_t found, std::string const& if_monotone) {
        if (found > checked_one_by_one) answer_.warn(if_monotone);
        answer_.assume(symbol_ + " is the " + sought + " looked for; exact comparison at every " + sought +
                       " tried: all " + (first == 1 ? "" : "from " + std::to_string(first) + " on ") +
                       (found > checked_one_by_one ? "below " : "up to ") +
                       std::to_string(std::min(found, checked_one_by_one)) +
                       (found > checked_one_by_one ? ", powers of 2 apart and the two that are printed" : ""));
    }
    void add_whole(std::string const& name, std::uint64_t x) {
        answer_.add(name, {}, Surd(Rational(Integer(x))), {}, a_solution);
    }

    void add_width() {
        constexpr std::uint64_t most = std::uint64_t{1} << 30U;
        auto const first = first_there();
        auto found = least_that([&](std::uint64_t n) { return is_met(n); }, first, most);
        if (!found)
            throw DomainError("`target` " + to_string(target_) + ": " + wanted_.name + " is still about " +
                                  at(most).shown() + " at " + symbol_ + " = 2^30",
                              "target");
        // Where it is cheap nothing rests on the quantity falling with the width.
        for (std::uint64_t n = first; n < std::min(*found, checked_one_by_one); ++n) {
            if (is_met(n)) found = n;
        }
        add_whole("solved_width", *found);
        answer_.add("value_at_width", {}, at(*found).value(), {}, a_solution);
        answer_.add("value_below_width", {},
                    *found == first
                        ? Value::absent(first == 1 ? "there is no smaller width" : "no smaller width was tried")
                        : at(*found - 1).value(),
                    {}, a_solution);
        say("width", first, *found,
            "the least width if the quantity falls with it beyond " + std::to_string(checked_one_by_one) +
                ", as it does for variances that scale with the width; of fixed variances it need not");
    }

    void add_depth() {
        constexpr std::uint64_t most = 1'000'000;
        auto const first = first_there();
        auto above = least_that([&](std::uint64_t n) { return !is_met(n); }, first, most);
        if (!above)
            throw DomainError("`target` " + to_string(target_) + ": " + wanted_.name + " is at most that at " +
                                  symbol_ + " = " + std::to_string(most) + " too, about " + at(most).shown(),
                              "target");
        for (std::uint64_t n = first; n < std::min(*above, checked_one_by_one); ++n) {
            if (!is_met(n)) above = n;
        }
        if (*above == first)
            throw DomainError("`target` " + to_string(target_) + ": " + wanted_.name + " is above it at " + symbol_ +
                                  " = " + std::to_string(first) + " already, about " + at(first).shown(),
                              "target");
        add_whole("solved_depth", *above - 1);
        constexpr std::uint64_t most_written = 10'000;  // its exact number has some digits for each layer
        for (auto const& [name, depth] :
             {std::pair("value_at_depth", *above - 1), std::pair("value_above_depth", *above)})
            answer_.add(name, {}, depth > most_written ? at(depth).digits() : at(depth).value(), {}, a_solution);
        say("depth", first, *above,
            "at most the target at every smaller depth too if the quantity grows with it beyond " +
                std::to_string(checked_one_by_one));
    }

    /// Where a number is looked for: powers of 2, and the ends of its range.
    static std::vector<Rational> points_of(SymbolRange const& range) {
        std::vector<Rational> out = powers_of_two(largest_power);
        for (std::string const& end : {range.least, range.most}) {
            if (end.empty() || !Expression::parse(end, "range").symbols().empty()) continue;
            Rational const x = parse_surd(end, "range").to_rational();
            if (x > 0) out.push_back(x);
        }
        std::sort(out.begin(), out.end());
        return out;
    }
    /// The quantity comes near the target from both sides: elsewhere the sign changes at a pole.
    [[nodiscard]] bool is_solution(SignChange const& root, Formula const& formula) const {
        constexpr int apart = 20;
        Surd const size = sign(target_) < 0 ? Surd(0) - target_ : target_;
        Surd const gap = (size + Surd(1)) / Surd(Rational(Integer(1) << static_cast<unsigned>(apart)));
        auto const is_near = [&](Rational const& x) {
            Values values = formula.values;
            values[symbol_] = x;
            ExactValue const value(formula.expression, values);
            return value.sign_against(target_ + gap) < 0 && value.sign_against(target_ - gap) > 0;
        };
        try {
            for (unsigned const bits : {64U, 256U, 1024U}) {
                auto const [lower, upper] = root.ends(bits);
                if (is_near(lower) && is_near(upper)) return true;
            }
        } catch (DomainError const&) {
            // the pole itself
        }
        return false;
    }
    void add_parameter(SymbolRange const& range) {
        auto const points = points_of(range);
        auto const sign_at = [this](Rational const& x) -> std::optional<int> {
            auto const value = by_formula(x);
            return value ? std::optional(value->sign_against(target_)) : std::nullopt;
        };
        std::optional<SignChange> found;
        (void)find_sign_change(points, sign_at, [&](Rational const& lower, Rational const& upper) {
            // What is looked for outlives this search.
            Formula const fixed = *formula_at(lower);
            SignChange const root(
                [fixed, symbol = symbol_, target = target_](Rational const& x) {
                    Values at = fixed.values;
                    at[symbol] = x;
                    return ExactValue(fixed.expression, at).sign_against(target);
                },
                lower, upper);
            if (is_solution(root, fixed)) found = root;
            return found.has_value();
        });
        if (!found) refuse_parameter(points, sign_at);
        auto const exact = found->exact();
        answer_.add("solved_parameter", {},
                    exact ? Value(Surd(*exact))
                          : Value::certified(
                                [root = *found](unsigned bits) { return root.enclosure(bits + guard_bits); },
                                symbol_ + " with " + wanted_.name + " = " + to_string(target_), most_digits_of_a_root),
                    {}, a_solution);
        answer_.assume(symbol_ +
                       " is looked for: a solution between the two powers of 2 nearest to 1 where the sign of " +
                       wanted_.name + " less its target changes; there may be others");
    }
    [[noreturn]] void refuse_parameter(std::vector<Rational> const& points, auto const& sign_at) const {
        auto const known = by_formula(1);
        if (!known && std::none_of(points.begin(), points.end(), [&](auto const& x) { return sign_at(x); }))
            throw UnsupportedError("`solve` " + symbol_ + ": no formula of " + wanted_.name + " in " + symbol_ +
                                       " alone is known; give other symbols values by `set`",
                                   "solve");
        std::string const power = std::to_string(largest_power);
        throw DomainError("`target` " + to_string(target_) + ": no " + symbol_ + " between 2^-" + power + " and 2^" +
                              power + " was found with which " + wanted_.name + " has it" +
                              (known ? "; at " + symbol_ + " = 1 it is about " + known->shown() : ""),
                          "target");
    }

    Session const& session_;
    Bindings bindings_;
    Names prefix_;
    Wanted wanted_;
    Surd target_;
    Answer& answer_;
    Asker asker_;
    std::vector<Row> rows_;
    Names names_;
    std::string symbol_;
};

}  // namespace

void solve(Command const& command, Task const& task, Session const& session, Bindings const& bindings,
           std::vector<std::string> const& prefix, std::size_t first, Answer& answer) {
    Search(command, task, session, bindings, prefix, first, answer).run();
}

}  // namespace isserlis::quantity
