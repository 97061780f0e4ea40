// SPDX-License-Identifier: MIT
#include <isserlis/question/reason.hpp>

#include <algorithm>
#include <string_view>

namespace isserlis::quantity {
namespace {

constexpr std::string_view small = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view large = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view others = "_0123456789";

bool is_one_of(char c, std::string_view some) { return some.find(c) != std::string_view::npos; }
bool has(std::string_view text, std::string_view some) { return text.find_first_of(some) != std::string_view::npos; }

/// such_a_name or SuchAName.
bool is_name_of_code(std::string_view text) {
    bool const is_word = std::all_of(text.begin(), text.end(), [](char c) {
        return is_one_of(c, small) || is_one_of(c, large) || is_one_of(c, others);
    });
    if (!is_word || text.empty() || !has(text, small)) return false;
    return is_one_of(text.front(), large) ? !has(text, "_")
                                          : is_one_of(text.front(), small) && has(text, "_") && !has(text, large);
}

}  // namespace

std::string reason(Error const& e) {
    std::string const message = e.what();
    auto const colon = message.find(": ");
    if (colon == std::string::npos) return message;
    std::string const name = message.substr(0, colon);
    return name == e.argument() || !is_name_of_code(name) ? message : message.substr(colon + 2);
}

std::string reason_of_own_query(Error const& e) {
    constexpr std::string_view query = "`query`: ";
    std::string const out = reason(e);
    return out.starts_with(query) ? out.substr(query.size()) : out;
}

}  // namespace isserlis::quantity
