// SPDX-License-Identifier: MIT
#include "quantity/quantity_search.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace isserlis::quantity {
namespace {

std::string lower(std::string_view text) {
    std::string out;
    for (char const c : text) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

/// Words and numbers: what brackets, commas and blanks separate, without points at the end.
std::vector<std::string> tokens(std::string_view text) {
    std::vector<std::string> out(1);
    for (char const c : lower(text)) {
        if (std::string_view(" ()[],;").find(c) != std::string_view::npos) {
            out.emplace_back();
        } else {
            out.back() += c;
        }
    }
    for (auto& t : out) {
        if (t != "..") t.erase(t.find_last_not_of('.') + 1);
    }
    std::erase(out, "");
    return out;
}

/// The short form of a kind of statement, as sources write it; none for other words.
std::optional<std::string> kind_of(std::string const& token) {
    static std::map<std::string, std::string, std::less<>> const kinds = {
        {"theorem", "thm"},     {"theorems", "thm"},     {"thm", "thm"},
        {"thms", "thm"},        {"lemma", "lemma"},      {"lemmas", "lemma"},
        {"definition", "def"},  {"def", "def"},          {"equation", "eq"},
        {"eq", "eq"},           {"eqs", "eq"},           {"corollary", "cor"},
        {"cor", "cor"},         {"proposition", "prop"}, {"prop", "prop"},
        {"section", "section"}, {"sec", "section"},      {"appendix", "appendix"}};
    auto const at = kinds.find(token);
    return at == kinds.end() ? std::nullopt : std::optional(at->second);
}

struct Statement {
    std::string kind;
    std::string number;
    auto operator<=>(Statement const&) const = default;
};

/// A statement's number: "2", "4.11", "a.8", "h".
bool is_statement_number(std::string const& token) {
    bool const letter = !token.empty() && std::isalpha(static_cast<unsigned char>(token[0])) != 0;
    std::string_view const rest = std::string_view(token).substr(letter ? 1 : 0);
    return !token.empty() && rest.find_first_not_of("0123456789.") == std::string_view::npos;
}

/// "a.9" and "a.15" make a.9, a.10 .. a.15.
std::vector<std::string> between(std::string const& first, std::string const& last) {
    auto const point = first.rfind('.') + 1;
    std::vector<std::string> out;
    if (first.substr(0, point) != last.substr(0, point)) return out;
    int const end = std::atoi(last.substr(point).c_str());
    for (int i = std::atoi(first.substr(point).c_str()) + 1; i <= end; ++i)
        out.push_back(first.substr(0, point) + std::to_string(i));
    return out;
}

/// All statements that a source names: "[Hettinger 2019, Lemma A.6, A.8]" has two lemmas.
std::set<Statement> statements(std::string_view source) {
    std::set<Statement> out;
    std::string kind;
    std::string number;
    bool range = false;
    for (auto const& token : tokens(source)) {
        if (auto const k = kind_of(token)) {
            kind = *k;
        } else if (token == "..") {
            range = true;
        } else if (!kind.empty() && is_statement_number(token)) {
            if (range) {
                for (auto const& n : between(number, token)) out.insert({kind, n});
            }
            out.insert({kind, token});
            number = token;
            range = false;
        } else {
            kind.clear();  // the year of the next source is no number of a statement
        }
    }
    return out;
}

/// What one search looks for: a statement, or a text that may be a command's name or a statement's number.
struct Term {
    std::string text;
    std::optional<Statement> statement;
};

/// "Theorem 2" is one term, as one word or as two.
std::vector<Term> terms(std::vector<std::string> const& words) {
    std::vector<Term> out;
    std::string kind;
    for (auto const& word : words) {
        for (auto const& part : tokens(word)) {
            if (!kind.empty() && is_statement_number(part)) {
                out.back() = {.text = part, .statement = Statement{kind, part}};
                kind.clear();
                continue;
            }
            kind = kind_of(part).value_or("");
            out.push_back({.text = kind.empty() ? part : kind, .statement = {}});
        }
    }
    return out;
}

bool is_command(std::string const& text) {
    return std::any_of(quantities().begin(), quantities().end(), [&](Quantity const& q) { return text == q.command; });
}

bool fits(Term const& term, Quantity const& q) {
    auto const named = statements(q.source);
    if (term.statement) return named.count(*term.statement) != 0;
    if (is_command(term.text)) {
        // A quantity of two commands is listed under one and says of the other what it is there.
        return term.text == q.command ||
               std::string_view(q.formula).find("in " + term.text + ",") != std::string_view::npos;
    }
    bool const digits = std::isdigit(static_cast<unsigned char>(term.text[0])) != 0;
    auto const same = [&](Statement const& s) { return s.number == term.text; };
    if (std::any_of(named.begin(), named.end(), same)) return true;
    if (digits && is_statement_number(term.text)) return false;  // a 2 in a formula is no statement
    for (std::string_view const text : {std::string_view(q.name), std::string_view(q.formula),
                                        std::string_view(q.source), std::string_view(q.summary)}) {
        if (lower(text).find(term.text) != std::string::npos) return true;
    }
    return false;
}

}  // namespace

std::vector<Quantity const*> find_quantities(std::vector<std::string> const& words) {
    auto const all = terms(words);
    std::vector<Quantity const*> out;
    for (auto const& q : quantities()) {
        bool const fits_all =
            !all.empty() && std::all_of(all.begin(), all.end(), [&](Term const& t) { return fits(t, q); });
        if (fits_all) out.push_back(&q);
    }
    return out;
}

}  // namespace isserlis::quantity
