// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "characters.hpp"

namespace isserlis {

/// The words and signs of an EXPR, one after the other, and errors that show the character.
class Scanner {
public:
    explicit Scanner(std::string_view text) : text_(text) {}

protected:
    static constexpr int deepest = 100;

    /// Refuses text that is longer than any query needs.
    void check_length() const;
    [[noreturn]] void fail_at(std::size_t position, std::string const& why) const;
    [[noreturn]] void fail(std::string const& why) const { fail_at(at_, why); }

    void skip_space();
    /// The next character that is no space; '\0' at the end.
    [[nodiscard]] char peek();
    bool accept(char c);
    void expect(char c, std::string const& why);
    /// The identifier that starts here, without moving on.
    [[nodiscard]] std::string_view word();
    bool accept_word(std::string_view w);
    /// A whole number, which has to stand here.
    std::string digits();
    /// Over one another, whole numbers of digits.
    struct Fraction {
        std::string over;
        std::string under;  ///< "1" or a power of 10, in lowest terms where 18 digits hold them
    };
    /// 3, 0.25, 1e-3 or 1_000, which has to stand here. An e without a number behind it begins a name.
    Fraction number_text();
    /// The whole number from 1 after a '/', as it divides.
    std::string divisor();
    /// The exponent after a '^', which has to be the only one.
    unsigned exponent();
    /// ['-'] term (('+'|'-') term)*, as the terms and their signs.
    template <class Node>
    struct Terms {
        std::size_t start;
        std::vector<Node> terms;
        std::vector<int> signs;
        /// One term without a sign.
        [[nodiscard]] bool is_plain() const { return terms.size() == 1 && signs[0] == 1; }
    };
    template <class Node>
    Terms<Node> signed_terms(auto const& term) {
        if (++depth_ > deepest) fail("brackets are nested too deeply");
        skip_space();
        std::size_t const start = at_;
        int sign = accept('-') ? -1 : 1;
        Terms<Node> out{.start = start, .terms = {}, .signs = {}};
        do {
            out.signs.push_back(sign);
            out.terms.push_back(term());
            sign = accept('+') ? 1 : accept('-') ? -1 : 0;
        } while (sign != 0);
        --depth_;
        return out;
    }
    /// Does a factor start here, so that a missing * is a product?
    [[nodiscard]] bool at_factor();

    std::string_view text_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

[[nodiscard]] std::string_view trimmed(std::string_view text);

}  // namespace isserlis
