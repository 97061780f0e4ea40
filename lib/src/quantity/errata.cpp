// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <cmath>
#include <isserlis/errata/errata.hpp>
#include <isserlis/error.hpp>
#include <isserlis/quantity/ask.hpp>
#include <isserlis/question/command_line.hpp>
#include <map>
#include <set>
#include <string>

#include "quantity/commands.hpp"
#include "quantity/question_line.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

using errata::Case;
using errata::Claim;
using errata::Item;

/// One side of a comparison, as it is printed and as it is compared.
struct Compared {
    std::string exact;    ///< a number or formula; empty where there is none
    std::string decimal;  ///< empty for a formula
};

RationalFunction exact_of(Result const& r) {
    if (!r.exact && !r.decimal) throw UnsupportedError(r.name + " has no value here: " + r.form, r.name);
    return parse_rational_function(r.exact ? *r.exact : *r.decimal, r.name);
}

Compared last_added(Answer const& answer) {
    auto const& r = answer.results().back();
    return {.exact = r.exact.value_or(""), .decimal = r.decimal.value_or("")};
}

/// Is what the source says of the true value so?
bool is_so(Claim claim, Compared const& printed, Compared const& correct) {
    bool const both_exact = !printed.exact.empty() && !correct.exact.empty();
    bool const formula = printed.decimal.empty() || correct.decimal.empty();
    if (claim == Claim::equal && both_exact) {
        return (parse_rational_function(printed.exact, "printed") - parse_rational_function(correct.exact, "correct"))
            .is_zero();
    }
    if (formula) return false;  // a number is no formula
    constexpr double rounding = 1e-9;
    constexpr double to_leading_order = 0.1;
    double const p = std::strtod(printed.decimal.c_str(), nullptr);
    double const c = std::strtod(correct.decimal.c_str(), nullptr);
    double const size = std::max(std::fabs(p), std::fabs(c));
    switch (claim) {
        case Claim::at_least: return c >= p - rounding * size;
        case Claim::at_most: return c <= p + rounding * size;
        case Claim::about: return std::fabs(c - p) <= to_leading_order * size;
        case Claim::equal: break;
    }
    return std::fabs(c - p) <= rounding * size;
}

char const* words_for_claim(Claim claim) {
    switch (claim) {
        case Claim::at_least: return "the source says correct >= printed";
        case Claim::at_most: return "the source says correct <= printed";
        case Claim::about: return "the source says correct = printed to leading order (within a tenth)";
        case Claim::equal: break;
    }
    return "the source says correct = printed";
}

class Comparison {
public:
    Comparison(Session const& session, Answer& answer) : answer_(answer), surroundings_(session.surroundings()) {}

    void add(Case const& one, std::vector<std::string> const& index) {
        auto const here = asked(one.asked);
        auto const there = asked(one.against);
        if (one.correct) {
            add("correct", index, one.correct, here, there);
        } else {
            adopt(here->at(one.row.name, one.row.index), "correct", index);
        }
        auto const correct = last_added(answer_);
        if (one.printed) {
            add("printed", index, one.printed, here, there);
        } else {
            adopt((there ? there : here)->at(one.printed_row.name, one.printed_row.index), "printed", index);
        }
        settle(is_so(one.claim, last_added(answer_), correct));
    }

private:
    [[nodiscard]] std::optional<Answer> asked(std::string const& line) const {
        if (line.empty()) return std::nullopt;
        return ask(question_of(line), surroundings_);
    }

    void add(std::string const& name, std::vector<std::string> const& index, errata::Side const& side,
             std::optional<Answer> const& here, std::optional<Answer> const& there) {
        bool exact = true;
        auto const rows_of = [&](std::optional<Answer> const& answer) -> errata::Rows {
            return [&](std::string const& row, std::vector<std::string> const& at) {
                auto const& result = answer.value().at(row, at);
                exact = exact && result.exact.has_value();
                return exact_of(result);
            };
        };
        Value const value = side(rows_of(here), rows_of(there));
        constexpr int good_digits = 12;  // a few less than rows have
        answer_.add(
            name, index,
            exact ? value : Value::approximate(value.to_double(), good_digits, "from rows known by their digits"));
    }

    void adopt(Result result, std::string const& name, std::vector<std::string> const& index) {
        result.name = name;
        result.index = index;
        result.bound.reset();
        answer_.adopt(std::move(result));
    }

    /// The verdict on the printed value, which is compared where the correct one holds.
    void settle(bool holds) {
        auto all = answer_.results();
        all.back().bound = holds ? Check::Verdict::holds : Check::Verdict::fails;
        if (!all.back().decimal) all.back().range = all[all.size() - 2].range;
        answer_.replace_results(0, std::move(all));
    }

    Answer& answer_;
    Surroundings surroundings_;
};

/// "jacobian_mean[l,1]"
std::string shown(errata::Row const& row) {
    std::string index;
    for (auto const& part : row.index) index += (index.empty() ? "" : ",") + part;
    return row.name + (index.empty() ? "" : "[" + index + "]");
}

std::string described(Item const& item) {
    std::string out = item.ids + ". " + item.statement + ": " + item.verdict + "\n  printed: " + item.printed +
                      "\n  correct: " + item.correct;
    if (item.cases.empty()) return out + "\n  words only: " + item.words;
    for (std::size_t i = 0; i < item.cases.size(); ++i) {
        auto const& one = item.cases[i];
        out += "\n  " + std::to_string(i + 1) + ": " + words_for_claim(one.claim);
        if (one.asked.empty()) continue;
        out += "; " + (one.row.name.empty() ? "from rows" : shown(one.row)) + " of " +
               command_line(words_for(question_of(one.asked)));
        // A side that is computed may take rows of both.
        char const* const joint = one.correct && one.printed ? " and " : ", printed from ";
        if (!one.against.empty()) out += joint + command_line(words_for(question_of(one.against)));
    }
    return out;
}

std::string one_line(Item const& item, std::size_t widest) {
    return item.ids + std::string(widest + 2 - item.ids.size(), ' ') + item.statement + ": " + item.verdict;
}

/// "I3" of "I3 to I7".
std::string first_id(Item const& item) { return item.ids.substr(0, item.ids.find_first_of(", ")); }

struct ErrataRequest {
    std::vector<Item> items;  ///< none for a list of all
};

/// The letter of a source: "H", "h", "thesis", "hettinger"; empty for other words.
std::string letter_of(std::string word) {
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
    static std::map<std::string, std::string> const letters = {
        {"h", "H"}, {"thesis", "H"},       {"hettinger", "H"},                    //
        {"r", "R"}, {"residual", "R"},     {"littwin", "R"},                      //
        {"i", "I"}, {"maximal-rate", "I"}, {"iyer", "I"},                         //
        {"m", "M"}, {"mup", "M"},          {"mup-depth", "M"}, {"jelassi", "M"},  //
        {"b", "B"}, {"book", "B"},         {"liquet", "B"}};
    auto const at = letters.find(word);
    return at == letters.end() ? "" : at->second;
}

/// Those of a source, or the one that has this number.
std::vector<Item> items_named(std::string const& word) {
    std::vector<Item> out;
    std::string const letter = letter_of(word);
    for (auto const& item : errata::items()) {
        if (!letter.empty() && item.ids.starts_with(letter)) out.push_back(item);
    }
    if (!out.empty()) return out;
    if (auto const* item = errata::find_item(word)) return {*item};
    throw ParseError(
        "errata: '" + printable(word) +
            "' is no entry; they are numbered H1, R7, M16, .., and `errata H` (or thesis), R (residual), I "
            "(maximal-rate), M (mup) or B (book) has those of one source; isserlis errata lists them",
        word);
}

void complete_errata(ErrataRequest& request, Session const& session) {
    std::set<std::string> known;
    for (auto const& word : session.question.words) {
        for (auto const& item : items_named(word)) {
            if (known.insert(item.ids).second) request.items.push_back(item);
        }
    }
}

/// Every entry in one line.
void list_errata(Answer& answer) {
    std::size_t widest = 0;
    for (auto const& item : errata::items()) widest = std::max(widest, item.ids.size());
    if (answer.options().format == Format::text) {
        std::string lines = answer.title() + "\n\n";
        for (auto const& item : errata::items()) lines += one_line(item, widest) + "\n";
        answer.set_document(lines +
                            "\nisserlis errata R24 computes both sides; isserlis errata R those of a source.\n");
        return;
    }
    for (auto const& item : errata::items()) answer.explain(one_line(item, item.ids.size()));
}

void evaluate_errata(ErrataRequest const& request, Session const& session, Bindings const&, Answer& answer) {
    if (request.items.empty()) return list_errata(answer);
    answer.assume(
        "printed formulas are coded as the source prints them; what is correct is asked of the commands, or computed "
        "where none has it");
    Comparison comparison(session, answer);
    for (auto const& item : request.items) {
        session.stop_if_told();
        for (std::size_t i = 0; i < item.cases.size(); ++i)
            comparison.add(item.cases[i], {first_id(item), std::to_string(i + 1)});
        answer.explain(described(item));
    }
}

}  // namespace

Command errata_command() {
    CommandOf<ErrataRequest> out;
    out.text = {
        .name = "errata",
        .summary = "What the sources misprint: both sides computed, and whether the printed one holds",
        .positional = "ID",
        .positional_help =
            "Entries of the errata, such as R24, or H, R, I, M, B or thesis, residual, maximal-rate, mup, book for "
            "those of a source; all are listed without",
        .most_positionals = 1000,
        .refusals = {{{"check", "time", "until", "layer", "set", "table", "digits", "explain", "shard", "keep"},
                      "{} means nothing to errata, whose questions are complete"}},
    };
    out.complete = complete_errata;
    out.evaluate = evaluate_errata;
    out.has_ranges = true;
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
