// SPDX-License-Identifier: MIT
#include "scanner.hpp"

#include <isserlis/error.hpp>

#include <algorithm>

namespace isserlis {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

void Scanner::check_length() const {
    constexpr std::size_t longest_query = 10'000;
    if (text_.size() <= longest_query) return;
    throw UnsupportedError(
        "EXPR: " + std::to_string(text_.size()) + " characters; up to " + std::to_string(longest_query) + " are read",
        "EXPR");
}

void Scanner::fail_at(std::size_t position, std::string const& why) const {
    // The text up to the character, so that a long query still shows the place.
    constexpr std::size_t around = 40;
    std::size_t const start = position > around ? position - around : 0;
    std::string const before = printable(text_.substr(start, position - start));
    std::string const after = printable(text_.substr(std::min(position, text_.size()), around));
    throw ParseError("EXPR: character " + std::to_string(position + 1) + ": " + why + "\n  " + before + after + "\n  " +
                         std::string(before.size(), ' ') + "^",
                     "EXPR");
}

void Scanner::skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
}

char Scanner::peek() {
    skip_space();
    return at_ < text_.size() ? text_[at_] : '\0';
}

bool Scanner::accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
}

void Scanner::expect(char c, std::string const& why) {
    if (!accept(c)) fail(why);
}

std::string_view Scanner::word() {
    skip_space();
    std::size_t end = at_;
    if (end < text_.size() && is_letter(text_[end])) {
        while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    }
    return text_.substr(at_, end - at_);
}

bool Scanner::accept_word(std::string_view w) {
    if (word() != w) return false;
    at_ += w.size();
    return true;
}

std::string Scanner::digits() {
    constexpr std::size_t longest_number = 1'000;
    std::size_t const start = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    if (at_ == start) fail("a whole number is expected here");
    if (at_ - start > longest_number) fail_at(start, "this number has too many digits");
    if (at_ - start > 1 && text_[start] == '0') fail_at(start, "a number has no leading zeros");
    return std::string(text_.substr(start, at_ - start));
}

std::string Scanner::divisor() {
    skip_space();
    std::size_t const start = at_;
    if (is_letter(peek()) || peek() == '(')
        fail("a whole number is expected here; expectations are divided as E[..]/E[..]");
    std::string out = digits();
    if (out == "0") fail_at(start, "division by 0");
    return out;
}

unsigned Scanner::exponent() {
    skip_space();
    std::size_t const start = at_;
    std::string const text = digits();
    if (text.size() > 2) fail_at(start, "the exponent is too large; up to 99 is read");
    if (peek() == '^') fail("a power of a power needs brackets");
    return static_cast<unsigned>(std::stoul(text));
}

bool Scanner::at_factor() {
    char const c = peek();
    return c == '(' || is_digit(c) || (is_letter(c) && word() != "where");
}

}  // namespace isserlis
