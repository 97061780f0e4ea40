// SPDX-License-Identifier: MIT
#include "scanner.hpp"

#include <isserlis/error.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>

namespace isserlis {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

void Scanner::check_length() const {
    constexpr std::size_t longest_query = 10'000;
    if (text_.size() <= longest_query) return;
    throw UnsupportedError("`query`: " + std::to_string(text_.size()) + " characters; up to " +
                               std::to_string(longest_query) + " are read",
                           "query");
}

void Scanner::fail_at(std::size_t position, std::string const& why) const {
    // The text up to the character, so that a long query still shows the place.
    constexpr std::size_t around = 40;
    std::size_t const start = position > around ? position - around : 0;
    std::string const before = printable(text_.substr(start, position - start));
    std::string const after = printable(text_.substr(std::min(position, text_.size()), around));
    throw ParseError("`query`: character " + std::to_string(position + 1) + ": " + why + "\n  " + before + after +
                         "\n  " + std::string(before.size(), ' ') + "^",
                     "query");
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

Scanner::Fraction Scanner::number_text() {
    constexpr std::size_t longest_number = 1'000;
    std::size_t const start = at_;
    auto const digit_at = [&](std::size_t at) { return at < text_.size() && is_digit(text_[at]); };
    auto const take_digits = [&] {
        std::string out;
        while (digit_at(at_) || (!out.empty() && at_ < text_.size() && text_[at_] == '_' && digit_at(at_ + 1)))
            if (char const c = text_[at_++]; c != '_') out += c;
        return out;
    };
    std::string digits = take_digits();
    if (digits.size() > 1 && digits[0] == '0') fail_at(start, "a number has no leading zeros");
    long exponent = 0;
    if (at_ < text_.size() && text_[at_] == '.') {
        if (!digit_at(++at_)) fail("a digit is expected after the point");
        std::string const fraction = take_digits();
        digits += fraction;
        exponent = -static_cast<long>(fraction.size());
    }
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
        bool const has_sign = at_ + 1 < text_.size() && (text_[at_ + 1] == '-' || text_[at_ + 1] == '+');
        std::size_t const first = at_ + (has_sign ? 2 : 1);
        if (digit_at(first)) {
            bool const negative = has_sign && text_[at_ + 1] == '-';
            at_ = first;
            std::string const size = take_digits();
            long const by = size.size() > 4 ? 10'000L : std::stol(size);
            exponent += negative ? -by : by;
        }
    }
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
    while (exponent < 0 && digits.size() > 1 && digits.back() == '0') {
        digits.pop_back();
        ++exponent;
    }
    if (digits == "0") exponent = 0;
    if (digits.size() + static_cast<std::size_t>(std::abs(exponent)) > longest_number)
        fail_at(start, "this number has too many digits");
    if (exponent >= 0) return {digits + std::string(static_cast<std::size_t>(exponent), '0'), "1"};
    std::string under = "1" + std::string(static_cast<std::size_t>(-exponent), '0');
    if (digits.size() < 19 && under.size() < 19) {
        std::uint64_t const a = std::stoull(digits);
        std::uint64_t const b = std::stoull(under);
        std::uint64_t const common = std::gcd(a, b);
        return {std::to_string(a / common), std::to_string(b / common)};
    }
    return {digits, under};
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
