// SPDX-License-Identifier: MIT
#include "range/asker.hpp"

#include <algorithm>
#include <cctype>
#include <isserlis/error.hpp>
#include <isserlis/observable/statistic.hpp>
#include <isserlis/question/reason.hpp>
#include <isserlis/report/product_text.hpp>
#include <isserlis/ring/parse.hpp>
#include <string_view>

#include "question/spelling.hpp"
#include "range/range_fit.hpp"

namespace isserlis::quantity {

Asker::Asker(Command const& command, Task const& task, Session const& session, std::vector<std::string> prefix)
    : command_(command), session_(session), prefix_(std::move(prefix)) {
    session_.samples.reset();
    session_.explain = false;
    // Some of what is answered is printed beside the rest: in its digits and, where that is asked for, its LaTeX.
    auto const& printed = session.output;
    session_.output = {.format = Format::text,
                       .digits = printed.digits,
                       .unlimited = true,
                       .checking = false,
                       .latex = printed.latex || printed.format == Format::latex};
    for (char const* parameter : {"check", "explain"}) session_.question.parameters.erase(parameter);
    if (session_.question.command == "expect" && !session_.question.words.empty())
        query_ = session_.question.words.front();
    tasks_.emplace(query_, task);
}

Reply const* Asker::ask(Variation const& question) {
    auto const& out = reply(question);
    return out.refusal ? nullptr : &out;
}

Reply const& Asker::reply(Variation const& question) {
    auto const known = replies_.find(question);
    if (known != replies_.end()) return known->second;
    auto& reply = replies_[question];
    Session session = session_;
    session.layer = question.layer;
    if (!query_.empty()) session.question.words.front() = question.query;
    session.output.exact_only = question.exact_only;
    Answer answer(session.question.command, session.output);
    std::vector<std::string> swept;
    for (auto const& s : session.sweeps) swept.push_back(s.symbol);
    answer.set_sweeps(swept);
    answer.set_index_prefix(prefix_);
    try {
        auto const task = tasks_.find(question.query);
        evaluate_at(
            question.bindings,
            task != tasks_.end() ? task->second : tasks_.emplace(question.query, command_.read(session)).first->second,
            session, answer);
    } catch (Interrupted const&) {
        throw;
    } catch (Error const& e) {
        reply.refusal = reason(e);
        return reply;
    }
    reply = {.results = answer.results(), .declared = answer.declared()};
    return reply;
}

Integer largest_layer(std::string const& list) {
    Integer out = 0;
    for (auto const& part : split(list)) {
        try {
            out = std::max<Integer>(out, numerator_of(abs(linear_form(part).constant())));
        } catch (Error const&) {
            continue;  // a name
        }
    }
    return out;
}

namespace {

bool is_word_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Digits of names such as n0 are none.
Integer largest_number(std::string const& text) {
    Integer out = 0;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i;
        while (end < text.size() && is_word_letter(text[end])) ++end;
        std::string const word = text.substr(i, end - i);
        if (!word.empty() && word[0] != '0' && word.find_first_not_of("0123456789") == std::string::npos)
            out = std::max(out, parse_integer(word, "range"));
        i = end + 1;
    }
    return out;
}

Integer largest_between(char open, char close, std::string const& query, auto const& is_meant) {
    Integer out = 0;
    for (auto at = query.find(open); at != std::string::npos; at = query.find(open, at + 1)) {
        if (is_meant(at)) out = std::max(out, largest_number(query.substr(at, query.find(close, at) - at)));
    }
    return out;
}

/// Whether the bracket that opens here holds coordinates or labels, and not what a mean is of, as in E[z^2].
bool holds_coordinates(std::string const& query, std::size_t bracket) {
    std::size_t end = bracket;
    while (end > 0 && std::isspace(static_cast<unsigned char>(query[end - 1])) != 0) --end;
    std::size_t first = end;
    while (first > 0 && is_word_letter(query[first - 1])) --first;
    return !is_statistic_function(std::string_view(query).substr(first, end - first));
}

}  // namespace

Integer largest_coordinate(std::string const& query) {
    return largest_between('[', ']', query, [&](std::size_t at) { return holds_coordinates(query, at); });
}

Integer largest_place(std::string const& query) {
    auto const where = query.find("where");
    return std::max(largest_between('{', '}', query, [](std::size_t) { return true; }),
                    where == std::string::npos ? Integer(0) : largest_number(query.substr(where)));
}

std::string renamed(std::string const& query, std::string const& symbol, std::string const& label) {
    std::string out;
    bool coordinates = false;
    for (std::size_t i = 0; i < query.size();) {
        if (query[i] == '[') coordinates = holds_coordinates(query, i);
        if (query[i] == ']') coordinates = false;
        std::size_t end = i;
        while (end < query.size() && is_word_letter(query[end])) ++end;
        if (end == i) {
            out += query[i++];
            continue;
        }
        std::string const word = query.substr(i, end - i);
        out += word == symbol && !coordinates ? label : word;
        i = end;
    }
    return out;
}

std::string index_at(std::string const& part, std::map<std::string, Rational> const& values) {
    try {
        auto const form = linear_form(part);
        return form.is_constant() ? part : to_string(at_values(form, values));
    } catch (Error const&) {
        return part;  // a name
    }
}

std::optional<std::string> text_of(Result const& r) {
    if (r.exact) return r.exact;
    return read_products(r.form) ? std::optional(r.form) : std::nullopt;
}

}  // namespace isserlis::quantity
