// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/rational.hpp>

#include <cstdint>

namespace isserlis {

/// Arithmetic modulo 2^61 - 1, in words.
class WordModulus {
public:
    using Number = std::uint64_t;

    [[nodiscard]] static Number of(Integer const& x) { return mpz_fdiv_ui(x.backend().data(), prime); }
    static void add_product(Number& sum, Number x, Number y) {
        __extension__ using Wide = unsigned __int128;
        auto const whole = static_cast<Wide>(x) * y;
        sum = added(sum, added(static_cast<Number>(whole & prime), static_cast<Number>(whole >> bits)));
    }
    [[nodiscard]] static Number product(Number x, Number y) {
        Number out = 0;
        add_product(out, x, y);
        return out;
    }
    [[nodiscard]] static Number reduced(Number x) { return x; }
    [[nodiscard]] static Number negative(Number x) { return x == 0 ? 0 : prime - x; }
    [[nodiscard]] static Number inverse(Number x) { return power(x, prime - 2); }  // Fermat
    [[nodiscard]] static Number power(Number x, std::uint64_t exponent) {
        Number out = 1;
        for (; exponent != 0; exponent /= 2) {
            if (exponent % 2 == 1) out = product(out, x);
            x = product(x, x);
        }
        return out;
    }

private:
    static constexpr unsigned bits = 61;
    static constexpr Number prime = (Number(1) << bits) - 1;
    [[nodiscard]] static Number added(Number x, Number y) { return x + y >= prime ? x + y - prime : x + y; }
};
}  // namespace isserlis
