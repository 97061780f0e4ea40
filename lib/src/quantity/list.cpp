// SPDX-License-Identifier: MIT
#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/network/scheme.hpp>
#include <isserlis/question/nearest_name.hpp>
#include <isserlis/report/bibliography.hpp>
#include <isserlis/report/quantities.hpp>
#include <string>
#include <vector>

#include "quantity/commands.hpp"
#include "quantity/quantity_search.hpp"

namespace isserlis::quantity {
namespace {

using Found = std::vector<Quantity const*>;

std::string padded(std::string_view text, std::size_t width) {
    return std::string(text) + std::string(width - std::min(width, text.size()), ' ');
}

/// One line for each: command, name, what it is.
std::string compact(Found const& found) {
    std::size_t commands = 0;
    std::size_t names = 0;
    for (auto const* q : found) {
        commands = std::max(commands, std::string_view(q->command).size());
        names = std::max(names, std::string_view(q->name).size());
    }
    std::string out;
    for (auto const* q : found)
        out += padded(q->command, commands + 2) + padded(q->name, names + 2) + q->summary + "\n";
    return out;
}

bool names_schemes(std::vector<std::string> const& words) {
    return words.size() == 1 && (words[0] == "scheme" || words[0] == "schemes");
}

[[noreturn]] void refuse_search(std::vector<std::string> const& words) {
    std::string all;
    for (auto const& w : words) all += (all.empty() ? "" : " ") + w;
    std::vector<std::string> known;
    for (auto const& q : quantities()) {
        known.emplace_back(q.name);
        known.emplace_back(q.command);
    }
    auto const near = nearest_name(all, known);
    throw ParseError("list: no quantity has '" + printable(all) + "' in its name, formula or source; " +
                         (near ? "did you mean '" + *near + "'?" : "isserlis list shows them all"),
                     all);
}

/// Quantities by their names, or else those that fit a search; all of them without words.
Found found_by(std::vector<std::string> const& words, bool& by_name) {
    by_name = !words.empty() &&
              std::all_of(words.begin(), words.end(), [](auto const& w) { return find_quantity(w) != nullptr; });
    if (!words.empty() && !by_name) return find_quantities(words);
    Found out;
    for (auto const& q : quantities()) {
        if (words.empty() || std::find(words.begin(), words.end(), q.name) != words.end()) out.push_back(&q);
    }
    return out;
}

/// The words of a search.
struct ListRequest {
    std::vector<std::string> words;
};

void evaluate_list(ListRequest const& request, Session const& session, Bindings const&, Answer& answer) {
    auto const& words = request.words;
    if (words == std::vector<std::string>{"bibtex"}) {
        if (session.output.format != Format::text)
            throw ParseError("`format` has no effect on BibTeX entries; leave it out", "format");
        return answer.set_document(std::string(bibtex()));
    }
    bool by_name = false;
    bool const schemes_only = names_schemes(words);
    Found const found = schemes_only ? Found{} : found_by(words, by_name);
    if (found.empty() && !schemes_only) refuse_search(words);
    bool const text = session.output.format == Format::text;
    if (text && !by_name && !session.explain && !schemes_only) {
        answer.set_document(
            answer.title() + "\n\n" + compact(found) +
            session.output.spoken(
                "\nisserlis list NAME prints formula, source and assumptions; isserlis list `explain` those "
                "of all.\nisserlis list COMMAND or WORD.. searches, such as `list norm`, `list Theorem 2`;\n"
                "`list schemes` has the schemes, `list bibtex` the sources.\n"));
        return;
    }
    for (auto const* q : found) answer.add_entry(*q);
    if (!words.empty() && !schemes_only) return;
    for (auto const& s : schemes)
        answer.explain(std::string("`scheme` ") + s.name + ": variance " + s.variance + "  " + s.source);
}

}  // namespace

Command list_command() {
    CommandOf<ListRequest> out;
    out.text = {
        .name = "list",
        .summary = "Every quantity in one line; by name, command or word: formula, source, assumptions",
        .positional = "WORD",
        .positional_help =
            "Names of quantities, or words to search: a command, part of a name or formula, a source, a "
            "theorem; schemes; bibtex for the sources as BibTeX entries",
        .most_positionals = 1000,
        .refusals = {{{"check", "layer", "set", "table", "digits", "shard", "keep"},
                      "{} means nothing to list, which evaluates nothing"}},
    };
    out.complete = [](ListRequest& request, Session const& session) { request.words = session.question.words; };
    out.evaluate = evaluate_list;
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
