// SPDX-License-Identifier: MIT
#include "quantity/claim_text.hpp"

#include <algorithm>
#include <array>
#include <isserlis/error.hpp>
#include <isserlis/network/widths.hpp>
#include <isserlis/quantity/ask.hpp>
#include <isserlis/question/reason.hpp>
#include <isserlis/report/quantities.hpp>
#include <set>
#include <sstream>
#include <string_view>

#include "quantity/question_line.hpp"
#include "question/block_word.hpp"
#include "question/fan_words.hpp"
#include "question/graph_file.hpp"
#include "question/spelling.hpp"
#include "question/with_file.hpp"

namespace isserlis::quantity {
namespace {

/// Parameters whose values are formulas.
constexpr std::array formula_parameters = {"variance",
                                           "bias_variance",
                                           "kurtosis",
                                           "input",
                                           "input_squared_norm",
                                           "input_fourth",
                                           "target_second_moment",
                                           "alpha",
                                           "multiplier",
                                           "label_factor",
                                           "eta_squared",
                                           "eta",
                                           "activation",
                                           "target_mean",
                                           "target_third_moment",
                                           "target_fourth_moment",
                                           "bias_label_factor",
                                           "fourth_moment",
                                           "c"};

std::string without_blanks_around(std::string const& text) {
    auto const first = text.find_first_not_of(" \t");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// "jacobian_mean[1, 2]": its name and index; none for an observable.
std::optional<std::pair<std::string, std::vector<Expression>>> quantity_in(std::string const& text) {
    std::size_t const open = text.find('[');
    std::string const name = without_blanks_around(text.substr(0, open));
    auto const* q = find_quantity(name);
    // The first is an observable too, without an index, and says more; the second would be that of itself.
    if (q == nullptr || (name == "loss" && open == std::string::npos) || name == "value") return std::nullopt;
    std::vector<Expression> index;
    if (open != std::string::npos) {
        if (text.back() != ']')
            throw ParseError("claim: '" + printable(text) + "' does not end with the index of " + name, text);
        std::istringstream parts(text.substr(open + 1, text.size() - open - 2));
        for (std::string part; std::getline(parts, part, ',');) index.push_back(Expression::parse(part, "index"));
    }
    return std::pair(name, index);
}

/// The names in a text, as one reads them.
std::set<std::string> identifiers(std::string_view text) {
    std::set<std::string> out;
    auto const is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i;
        while (end < text.size() && is_letter(text[end])) ++end;
        std::string const word(text.substr(i, end - i));
        if (is_identifier(word)) out.insert(word);
        i = std::max(end, i + 1);
    }
    return out;
}

/// Why what a command prints cannot be claimed of one list of widths; none where it can.
std::optional<std::string> why_no_claims(std::string const& command) {
    if (command == "transfer") return "which compares two networks; claims are about one";
    auto const& positional = find_command(command)->positional;
    if (positional.starts_with("`widths`")) return std::nullopt;
    return positional.find("`widths`") == std::string::npos
               ? "which takes no widths; claims are about networks"
               : "which has more than widths before it; claims are about observables and quantities of networks";
}

/// Has the command that computes the left side this parameter? The order of expect is that of an expansion, which claims
/// have not.
bool is_served(ClaimText const& claim, std::string const& parameter) {
    if (claim.asked.command == "expect" && parameter == "order") return false;
    auto const is_it = [&](Parameter const& p) { return p.name == parameter; };
    auto const& own = find_command(claim.asked.command)->parameters;
    auto const& common = common_parameters();
    return std::any_of(own.begin(), own.end(), is_it) || std::any_of(common.begin(), common.end(), is_it);
}

}  // namespace

ClaimText read_claim(Question const& given) {
    if (given.words.empty())
        throw ParseError("claim: an equation is missing, such as 'z^4 = 12*(n + 5)/n' 1,n,1", "claim");
    ClaimText out;
    out.typed = given.words.front();
    std::size_t const equals = out.typed.find('=');
    bool const compares = out.typed.find_first_of("<>!") != std::string::npos;
    if (compares || equals == std::string::npos || out.typed.find('=', equals + 1) != std::string::npos)
        throw ParseError("claim: '" + printable(out.typed) + "' is not one equation, MEAN = FORMULA", out.typed);
    out.left = without_blanks_around(out.typed.substr(0, equals));
    std::string const right = without_blanks_around(out.typed.substr(equals + 1));
    if (out.left.empty() || right.empty())
        throw ParseError("claim: '" + printable(out.typed) + "' has nothing " +
                             (out.left.empty() ? "before" : "behind") + " its =; MEAN = FORMULA is required",
                         out.typed);
    out.formula = Expression::parse(right, "claim");
    if (auto const at = given.parameters.find("network");
        at != given.parameters.end() && at->second.back().ends_with(".json"))
        throw UnsupportedError("`network`: claims are tried at widths; choose vanilla, resnet:M or densenet",
                               "network");
    if (given.words.size() < 2)
        throw ParseError("claim: `widths` is missing; list the layers from the input on, such as 1,n,1", "widths");
    out.asked = {.command = "expect", .words = {out.left, given.words[1]}, .parameters = given.parameters};
    if (auto const quantity = quantity_in(out.left)) {
        out.quantity = quantity->first;
        out.index = quantity->second;
        out.asked.command = find_quantity(out.quantity)->command;
        if (auto const why = why_no_claims(out.asked.command))
            throw UnsupportedError("claim: " + out.quantity + " is of isserlis " + out.asked.command + ", " + *why,
                                   "claim");
        out.asked.words = {given.words[1]};
    }
    for (auto const& [parameter, values] : given.parameters) {
        if (!is_served(out, parameter))
            throw ParseError(named(parameter) + " means nothing to '" + printable(out.left) + "', which isserlis " +
                                 out.asked.command + " computes",
                             parameter);
    }
    return out;
}

std::vector<ClaimText> read_claims(std::string const& path, Question const& given) {
    std::istringstream content(file_content(path, "CLAIM"));
    std::vector<ClaimText> out;
    std::size_t number = 0;
    for (std::string line; std::getline(content, line);) {
        ++number;
        line = without_blanks_around(line.substr(0, line.find_first_of("#\r")));
        if (line.empty()) continue;
        std::string const place = "'" + printable(path) + "', line " + std::to_string(number) + ": ";
        try {
            Question one{.command = "claim", .words = {}, .parameters = given.parameters};
            one.words = take_options(words_of(line), one);
            if (one.words.size() > 2) throw ParseError("more than an equation and widths", one.words[2]);
            out.push_back(read_claim(one));
            out.back().place = place;
        } catch (Error const& e) {
            std::string const message = reason(e);
            std::size_t const own = message.starts_with("claim: ") ? 7 : 0;
            throw ParseError("claim: " + place + message.substr(own), e.argument());
        }
    }
    if (out.empty()) throw ParseError("claim: '" + printable(path) + "' has no claim", path);
    return out;
}

namespace {

/// What a command reads a file of `with` for.
WithUse use_of_file(std::string const& command) {
    if (command == "expect") return WithUse::observable;
    return command == "norm" || command == "ntk" ? WithUse::inputs : WithUse::samples;
}

}  // namespace

ClaimSymbols symbols_of(ClaimText const& claim, std::vector<std::string> const& bound) {
    auto const is_bound = [&](std::string const& s) { return std::find(bound.begin(), bound.end(), s) != bound.end(); };
    ClaimSymbols out;
    std::set<std::string> known(bound.begin(), bound.end());
    auto counted = identifiers(claim.asked.words.back());
    if (auto const at = claim.asked.parameters.find("branch_widths"); at != claim.asked.parameters.end())
        counted.merge(identifiers(at->second.back()));
    for (auto const& symbol : counted) {
        known.insert(symbol);
        if (!is_bound(symbol)) out.counts.push_back(symbol);
    }
    for (char const* parameter : formula_parameters) {
        auto const at = claim.asked.parameters.find(parameter);
        if (at == claim.asked.parameters.end()) continue;
        std::string value = at->second.back();
        // leaky:S has a slope behind its name; files have names that mean nothing.
        if (std::string_view(parameter) == "activation") value.erase(0, std::min(value.find(':'), value.size()));
        for (auto const& symbol : identifiers(value)) {
            if (symbol == fan_in_word || symbol == fan_out_word || symbol == blocks_word || symbol == "sqrt") continue;
            if (known.insert(symbol).second) out.numbers.push_back(symbol);
        }
    }
    if (auto const at = claim.asked.parameters.find("with"); at != claim.asked.parameters.end()) {
        for (auto const& symbol : read_with_file(at->second.back(), use_of_file(claim.asked.command)).symbols())
            if (known.insert(symbol).second) out.numbers.push_back(symbol);
    }
    for (auto const& symbol : claim.formula.symbols()) {
        if (known.count(symbol) == 0)
            throw ParseError("claim: the formula has '" + printable(symbol) + "', which the network " +
                                 printable(claim.asked.words.back()) + " and its parameters have not",
                             symbol);
    }
    return out;
}

}  // namespace isserlis::quantity
