// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <isserlis/error.hpp>
#include <isserlis/quantity/ask.hpp>
#include <isserlis/question/command_line.hpp>
#include <isserlis/question/nearest_name.hpp>
#include <isserlis/question/reason.hpp>
#include <isserlis/report/quantities.hpp>
#include <isserlis/report/tidy.hpp>
#include <isserlis/ring/parse.hpp>
#include <iterator>
#include <set>

#include "quantity/claim_networks.hpp"
#include "quantity/claim_text.hpp"
#include "quantity/commands.hpp"
#include "quantity/unchecked.hpp"
#include "range/holds_at.hpp"

namespace isserlis::quantity {
namespace {

constexpr int digits = 17;             ///< of a number that is known by its digits alone
constexpr int approximate_digits = 9;  ///< of one that was computed in double

/// Is it this number, as far as it is known?
bool agrees(Surd const& claimed, Result const& actual) {
    if (actual.certified) return Value(claimed).decimal(digits) == actual.decimal;
    double const x = std::strtod(actual.decimal->c_str(), nullptr);
    double const y = to_double(claimed);
    return std::fabs(x - y) <= std::pow(10.0, -approximate_digits) * std::max(std::fabs(x), std::fabs(y));
}

Surd surd_at(Expression const& e, Bindings const& values) {
    return evaluate<Surd>(e, [&](std::string const& name) { return Surd(values.at(name)); });
}

/// Both sides at one network.
struct Sides {
    Point at;
    Result actual;
    Surd claimed;
    std::vector<std::string> assumptions;  ///< of the actual one
    bool equal = false;
    std::optional<Surd> ratio;  ///< actual over claimed, where both are exact and not 0
};

/// Networks at which there was nothing to compare.
struct LeftOut {
    std::size_t count = 0;
    Point first;
    std::string why;  ///< there

    void add(Point const& point, Error const& e) {
        if (count++ != 0) return;
        first = point;
        why = reason(e);
    }
    /// "n=1, m=2: WHY", of several "13 networks, such as n=1, m=2: WHY".
    [[nodiscard]] std::string said() const {
        return (count == 1 ? "" : std::to_string(count) + " networks, such as ") + shown(first, ", ") + ": " + why;
    }
};

/// What was found about a claim.
struct Finding {
    std::vector<Sides> sides;
    std::optional<Result> formula;          ///< the left side in symbols
    bool proved = false;                    ///< equal to the claimed one
    std::optional<RationalFunction> other;  ///< the claimed one, where it is another formula
    LeftOut refused;                        ///< by the command, within the range of the formula
    LeftOut undefined;                      ///< where the claimed formula has no value
    [[nodiscard]] Sides const* counterexample() const {
        auto const at = std::find_if(sides.begin(), sides.end(), [](Sides const& s) { return !s.equal; });
        return at == sides.end() ? nullptr : &*at;
    }
    /// By which the formula is off everywhere; none where that is no constant.
    [[nodiscard]] std::optional<Surd> factor() const {
        std::optional<Surd> out;
        std::size_t same = 0;
        for (auto const& s : sides) {
            bool const vanishes = s.actual.exact == "0" && s.claimed.is_zero();
            if (vanishes) continue;
            if (!s.ratio || (out && !(*out == *s.ratio))) return std::nullopt;
            out = s.ratio;
            ++same;
        }
        return same > 1 ? out : std::nullopt;
    }
};

class ClaimCheck {
public:
    ClaimCheck(ClaimText const& claim, Session const& session)
        : claim_(claim), session_(session), surroundings_(session.surroundings()) {
        for (auto const& [symbol, value] : session.bindings) bound_.push_back(symbol);
    }

    Finding run() {
        Finding out;
        auto const symbols = symbols_of(claim_, bound_);
        auto const in_symbols = asked_in_symbols(symbols);
        if (in_symbols.row) compare_formulas(*in_symbols.row, out);
        auto const points = small_networks(symbols, in_symbols.row ? in_symbols.row->range : Range{});
        for (auto const& point : points) {
            session_.stop_if_told();
            auto reply = served(point, in_symbols.refusal, out);
            if (!reply) continue;
            try {
                out.sides.push_back(sides_at(point, std::move(*reply)));
            } catch (DomainError const& e) {
                out.undefined.add(point, e);
            }
        }
        if (out.sides.empty() && out.undefined.count != 0)
            throw DomainError("claim: the formula has no value at " + out.undefined.said(), "claim");
        if (out.sides.empty()) (void)asked(points.back());  // says what is wrong
        return out;
    }

private:
    /// The command answers, but has no such result.
    class NoRow : public DomainError {
        using DomainError::DomainError;
    };

    [[nodiscard]] Bindings values_of(Point const& point) const {
        Bindings out = session_.bindings;
        out.insert(point.begin(), point.end());
        return out;
    }

    struct Reply {
        Result value;
        std::vector<std::string> assumptions;
    };

    struct InSymbols {
        std::optional<Result> row = {};
        std::exception_ptr refusal = {};  ///< of what is no question
    };

    [[nodiscard]] InSymbols asked_in_symbols(ClaimSymbols const& symbols) const {
        // Steps are of widths in numbers, and their refusal says no more than that.
        if ((symbols.counts.empty() && symbols.numbers.empty()) || claim_.asked.command == "coord-check") return {};
        try {
            return {.row = asked({}).value};
        } catch (Interrupted const&) {
            throw;
        } catch (UnsupportedError const&) {
            return {};  // numbers only
        } catch (NoRow const&) {
            return {};  // likewise
        } catch (Error const&) {
            return {.refusal = std::current_exception()};
        }
    }

    /// None of a network that is left out.
    /// Errors  `refusal` of the question in symbols: that it means something at other networks is an accident.
    [[nodiscard]] std::optional<Reply> served(Point const& point, std::exception_ptr const& refusal,
                                              Finding& out) const {
        try {
            return asked(point);
        } catch (Interrupted const&) {
            throw;
        } catch (UnsupportedError const&) {
            throw;
        } catch (Error const& e) {
            if (refusal) std::rethrow_exception(refusal);
            if (!out.formula || holds_at(out.formula->range, values_of(point))) out.refused.add(point, e);
            return std::nullopt;
        }
    }

    /// Errors  NoRow; those of the command.
    [[nodiscard]] Reply asked(Point const& point) const {
        Question question = claim_.asked;
        if (!point.empty()) question.parameters["set"].push_back(shown(point, ","));
        auto const values = values_of(point);
        std::vector<std::string> index;
        for (auto const& part : claim_.index) index.push_back(index_at(part, values));
        // Of many layers, and of any at a depth in symbols, one may have to be asked for.
        Question of_layer = question;
        if (!index.empty()) of_layer.parameters["layer"] = {index.front()};
        try {
            return reply_to(question, index, values);
        } catch (NoRow const&) {
            if (index.empty()) throw;
            try {
                return reply_to(of_layer, index, values);
            } catch (Interrupted const&) {
                throw;
            } catch (Error const&) {
                // no such layer, or a command that has none
            }
            throw;
        } catch (UnsupportedError const& e) {
            if (e.argument() != "layer") throw;
            if (index.empty())
                throw UnsupportedError("claim: isserlis " + question.command +
                                           " has too many layers here for a claim; a smaller network may be served",
                                       "widths");
        }
        return reply_to(of_layer, index, values);
    }

    [[nodiscard]] Reply reply_to(Question const& question, std::vector<std::string> const& index,
                                 Bindings const& values) const {
        Answer const answer = ask(question, surroundings_);
        Reply out;
        try {
            out.value = answer.at(claim_.quantity.empty() ? "value" : claim_.quantity, index);
        } catch (DomainError const& e) {
            throw NoRow(reason(e), e.argument());
        }
        std::remove_copy(answer.assumptions().begin(), answer.assumptions().end(), std::back_inserter(out.assumptions),
                         values_text(values));
        return out;
    }

    /// A number where all its symbols have values.
    [[nodiscard]] static std::string index_at(Expression const& part, Bindings const& values) {
        return to_string(evaluate<RationalFunction>(part, [&](std::string const& name) {
            auto const at = values.find(name);
            return at == values.end() ? RationalFunction::symbol(name) : RationalFunction(at->second);
        }));
    }

    /// Errors  DomainError where the claimed formula has no value.
    [[nodiscard]] Sides sides_at(Point const& point, Reply reply) const {
        Sides out{.at = point,
                  .actual = std::move(reply.value),
                  .claimed = surd_at(claim_.formula, values_of(point)),
                  .assumptions = std::move(reply.assumptions),
                  .ratio = {}};
        if (out.actual.exact) {
            require_number(*out.actual.exact);
            Surd const actual = parse_surd(*out.actual.exact, claim_.left);
            out.equal = actual == out.claimed;
            try {
                if (!out.claimed.is_zero() && !actual.is_zero()) out.ratio = actual / out.claimed;
            } catch (UnsupportedError const&) {
                // a quotient of roots too long to be rationalised
            }
        } else if (out.actual.decimal) {
            out.equal = agrees(out.claimed, out.actual);
        } else {
            throw UnsupportedError("claim: " + printable(claim_.left) + " has no value here: " + out.actual.form,
                                   claim_.left);
        }
        return out;
    }

    /// Errors  ParseError for a symbol of the left side that the network has not, such as a misspelt quantity.
    void require_number(std::string const& exact) const {
        auto const unknown = Expression::parse(exact, claim_.left).symbols();
        if (unknown.empty()) return;
        std::vector<std::string> names;
        for (auto const& q : quantities()) names.emplace_back(q.name);
        if (*unknown.begin() == "value")
            throw ParseError(
                "claim: value is what isserlis expect calls the mean of any observable; claim that of one, "
                "such as 'z^2 = 2'",
                claim_.left);
        auto const near = nearest_name(*unknown.begin(), names);
        throw ParseError("claim: '" + printable(*unknown.begin()) +
                             "' is no symbol of the network, no observable of expect and no quantity; " +
                             (near ? "did you mean '" + *near + "'?" : "isserlis list shows the quantities"),
                         claim_.left);
    }

    /// Of the formula that the command has, where it has one.
    void compare_formulas(Result const& formula, Finding& out) const {
        if (!formula.exact) return;
        try {
            auto const actual = parse_rational_function(*formula.exact, claim_.left);
            auto const claimed = evaluate<RationalFunction>(claim_.formula, [&](std::string const& name) {
                auto const at = session_.bindings.find(name);
                return at == session_.bindings.end() ? RationalFunction::symbol(name) : RationalFunction(at->second);
            });
            out.proved = (actual - claimed).is_zero();
            out.formula = formula;
            if (!out.proved) out.other = claimed;
        } catch (Error const&) {
            // numbers only
        }
    }

    ClaimText const& claim_;
    Session const& session_;
    Surroundings surroundings_;
    std::vector<std::string> bound_;
};

struct ClaimRequest {
    std::vector<ClaimText> claims;
};

/// Where an equation that holds elsewhere is not known to.
std::string not_compared(Finding const& found) {
    std::string out;
    if (found.refused.count != 0) out += "; refused at " + found.refused.said();
    if (found.undefined.count != 0) out += "; the formula claimed has no value at " + found.undefined.said();
    return out;
}

/// In words, what was found.
std::string described(ClaimText const& claim, Finding const& found) {
    std::string const tried = std::to_string(found.sides.size()) + (found.sides.size() == 1 ? " network" : " networks");
    std::string range;
    std::string right;
    if (found.formula) {
        if (!found.formula->range.empty()) range = " for " + stated(found.formula->range);
        right = "\n  right: " + claim.left + " = " + *found.formula->exact + range;
    }
    std::string out = claim.typed + "  of " + command_line(words_for(claim.asked)) + "\n  ";
    if (auto const* wrong = found.counterexample()) {
        auto const at = wrong->at.empty() ? "" : " at " + shown(wrong->at, ", ");
        out += "wrong" + at + ": " + wrong->actual.exact.value_or(wrong->actual.decimal.value_or("")) + ", not " +
               to_string(wrong->claimed);
        if (auto const factor = found.factor())
            out += "; right up to the factor " + to_string(*factor) + " at all " + tried;
        return out + right;
    }
    std::string const left_out = not_compared(found);
    if (found.proved) return out + "holds as a formula" + range + ", and at " + tried + left_out;
    if (found.other) return out + "holds at " + tried + ", but the formulas differ" + right;
    auto const known = [](Sides const& s) {
        return s.actual.exact ? 0 : (s.actual.certified ? digits : approximate_digits);
    };
    int least = 0;
    for (auto const& side : found.sides) {
        if (known(side) != 0 && (least == 0 || known(side) < least)) least = known(side);
    }
    return out + "holds " + (least == 0 ? "" : "to " + std::to_string(least) + " digits ") + "at " + tried + left_out;
}

/// The message with the line of a file.
std::string in_place(ClaimText const& claim, std::string const& message) {
    constexpr std::string_view command = "claim: ";
    if (claim.place.empty()) return message;
    std::size_t const own = message.starts_with(command) ? command.size() : 0;
    return std::string(command) + claim.place + message.substr(own);
}

/// Of the claims' networks; those that not all have say whose they are.
void state_networks(std::vector<std::vector<std::string>> const& assumptions, Answer& answer) {
    std::vector<std::pair<std::string, std::vector<std::size_t>>> all;
    for (std::size_t k = 0; k < assumptions.size(); ++k) {
        for (auto const& text : assumptions[k]) {
            auto at = std::find_if(all.begin(), all.end(), [&](auto const& known) { return known.first == text; });
            if (at == all.end()) at = all.insert(at, {text, {}});
            if (at->second.empty() || at->second.back() != k + 1) at->second.push_back(k + 1);
        }
    }
    for (auto const& [text, whose] : all) {
        std::string of;
        for (auto const k : whose) of += (of.empty() ? "" : ",") + std::to_string(k);
        answer.assume(whose.size() == assumptions.size() ? text : "claim " + of + ": " + text);
    }
}

/// Errors  name the line of a file.
Finding checked(ClaimText const& claim, Session const& session) {
    try {
        return ClaimCheck(claim, session).run();
    } catch (Interrupted const&) {
        throw;
    } catch (UnsupportedError const& e) {
        throw UnsupportedError(in_place(claim, reason(e)), e.argument());
    } catch (DomainError const& e) {
        throw DomainError(in_place(claim, reason(e)), e.argument());
    } catch (Error const& e) {
        throw ParseError(in_place(claim, reason(e)), e.argument());
    }
}

void evaluate_claims(ClaimRequest const& request, Session const& session, Bindings const&, Answer& answer) {
    answer.assume("each side is computed at small networks, and in symbols where the command has a formula");
    std::size_t number = 0;
    std::size_t wrong = 0;
    std::vector<std::vector<std::string>> assumptions;
    for (auto const& claim : request.claims) {
        std::string const k = std::to_string(++number);
        auto const found = checked(claim, session);
        bool const fails = found.counterexample() != nullptr || found.other;
        bool const by_formulas = fails && found.counterexample() == nullptr;
        auto const& shown_sides = found.counterexample() != nullptr ? *found.counterexample() : found.sides.back();
        assumptions.push_back(shown_sides.assumptions);
        std::vector<std::string> index{k};
        if (!by_formulas && !shown_sides.at.empty()) index.push_back(shown(shown_sides.at, " "));
        Result actual = by_formulas ? *found.formula : shown_sides.actual;
        actual.name = "actual";
        actual.index = index;
        actual.unchecked = not_random;
        answer.adopt(std::move(actual));
        answer.add_bound("claimed", index, by_formulas ? Value(tidy(*found.other)) : Value(shown_sides.claimed), !fails,
                         not_random);
        answer.explain(k + ". " + described(claim, found));
        if (fails) {
            answer.fail();
            ++wrong;
        }
    }
    state_networks(assumptions, answer);
    answer.warn(std::to_string(number - wrong) + " of " + std::to_string(number) +
                (number == 1 ? " claim holds" : " claims hold"));
}

/// Those of the commands whose quantities are claimed most, each once, but for what makes another answer.
std::vector<Parameter> claim_parameters() {
    static std::set<std::string> const left_out = {"emit_test", "emit_samples", "emit_tolerance", "plot",    "plot_of",
                                                   "series",    "limit",        "solve",          "of",      "target",
                                                   "budget",    "printed",      "bounds",         "samples", "weights",
                                                   "precision", "ties",         "series_order"};
    std::set<std::string> known = left_out;
    std::vector<Parameter> out;
    for (auto const make : {expect_command, norm_command, hessian_command, jacobian_command, ntk_command,
                            moments_command, init_command, loss_curve_command}) {
        for (auto const& p : make().text.parameters) {
            bool const expands = make == expect_command && p.name == "order";
            if (expands || !known.insert(p.name).second) continue;
            out.push_back(p);
            if (p.name != "network") continue;  // a file has widths of its own
            out.back().value = "vanilla|resnet:M|densenet";
            out.back().help =
                "Wiring: `widths` of resnet:M (branches of M matrices) and densenet are those of y^0..y^L";
        }
    }
    return out;
}

ClaimRequest read_claim_request(Session const& session) {
    Question given = session.question;
    given.parameters.erase("format");
    bool const is_file = given.words.size() == 1 && given.words.front().find('=') == std::string::npos;
    if (is_file && !std::filesystem::exists(given.words.front()))
        throw ParseError(
            "CLAIM: '" + printable(given.words.front()) + "' is neither an equation, MEAN = FORMULA, nor a file",
            "CLAIM");
    if (is_file) return {read_claims(given.words.front(), given)};
    return {{read_claim(given)}};
}

}  // namespace

Command claim_command() {
    Command out;
    out.text = {
        .name = "claim",
        .summary = "Whether a formula is the mean that it is said to be, with exit code 1 where it is not",
        .positional = "CLAIM `widths`",
        .positional_help =
            "MEAN = FORMULA in the symbols of the network; MEAN is an observable of expect, or a quantity of list "
            "with its index, such as squared_norm_variance[2]. A file alone has a claim and its network on each line",
        .most_positionals = 2,
        .parameters = claim_parameters(),
        .refusals = {{{"check", "time", "until", "yes", "seed", "threads", "shard", "keep", "layer", "table", "digits",
                       "explain"},
                      "{} means nothing to claim, which compares exact numbers"}},
    };
    out.read = [](Session const& session) {
        auto const request = std::make_shared<ClaimRequest>(read_claim_request(session));
        Task task;
        task.evaluate = [request](Session const& here, Bindings const& bindings, Answer& answer) {
            evaluate_claims(*request, here, bindings, answer);
        };
        return task;
    };
    out.has_ranges = true;
    return out;
}

}  // namespace isserlis::quantity
