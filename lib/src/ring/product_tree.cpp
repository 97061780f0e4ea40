// SPDX-License-Identifier: MIT
#include <isserlis/ring/product_tree.hpp>

namespace isserlis {
namespace {

/// Operands of about this many words are multiplied one word at a time; above, balanced products win.
constexpr std::size_t words_per_leaf = 32;

bool is_word(Integer const& x) { return mpz_sgn(x.backend().data()) >= 0 && mpz_fits_ulong_p(x.backend().data()) != 0; }

void multiply_by_word(Integer& x, unsigned long word) { mpz_mul_ui(x.backend().data(), x.backend().data(), word); }

}  // namespace

template <>
Integer product_tree<Integer>(std::span<Integer const> factors) {
    std::vector<Integer> leaves;
    std::size_t i = 0;
    while (i < factors.size()) {
        Integer leaf = 1;
        unsigned long word = 1;
        for (std::size_t words = 0; i < factors.size() && words < words_per_leaf; ++i) {
            if (!is_word(factors[i])) {
                if (words > 0 || word != 1) break;
                leaf = factors[i++];
                break;
            }
            unsigned long const next = mpz_get_ui(factors[i].backend().data());
            unsigned long product = 0;
            if (__builtin_mul_overflow(word, next, &product)) {
                multiply_by_word(leaf, word);
                ++words;
                word = next;
            } else {
                word = product;
            }
        }
        if (word != 1) multiply_by_word(leaf, word);
        leaves.push_back(std::move(leaf));
    }
    if (leaves.empty()) return 1;
    while (leaves.size() > 1) {
        std::size_t const pairs = leaves.size() / 2;
        for (std::size_t k = 0; k < pairs; ++k) {
            mpz_mul(leaves[k].backend().data(), leaves[2 * k].backend().data(), leaves[2 * k + 1].backend().data());
        }
        if (leaves.size() % 2 == 1) leaves[pairs] = std::move(leaves.back());
        leaves.resize(pairs + leaves.size() % 2);
    }
    return leaves.front();
}

template <>
Rational product_tree<Rational>(std::span<Rational const> factors) {
    std::vector<Integer> numerators;
    std::vector<Integer> denominators;
    for (auto const& f : factors) {
        numerators.push_back(numerator_of(f));
        denominators.push_back(denominator_of(f));
    }
    return ratio(product_tree(numerators), product_tree(denominators));
}

template <>
Surd product_tree<Surd>(std::span<Surd const> factors) {
    std::vector<Rational> rational;
    Surd root = 1;  // one radicand that changes from factor to factor
    Surd sums = 1;  // what has more than one term
    for (auto const& f : factors) {
        if (f.is_zero()) return 0;
        if (f.terms().size() > 1) {
            sums = sums * f;
            continue;
        }
        auto const& t = f.terms().front();
        rational.push_back(t.coefficient);
        if (t.radicand == 1) continue;
        root = root * Surd::monomial(Rational(1), t.radicand);
        rational.push_back(root.terms().front().coefficient);
        root = Surd::monomial(Rational(1), root.terms().front().radicand);
    }
    return Surd(product_tree(rational)) * root * sums;
}

}  // namespace isserlis
