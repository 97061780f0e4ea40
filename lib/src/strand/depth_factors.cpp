// SPDX-License-Identifier: MIT
#include "strand/depth_factors.hpp"

#include <isserlis/error.hpp>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "ring/word_modulus.hpp"
#include "strand/shortest_recurrence.hpp"
#include "strand/spelled_factors.hpp"

namespace isserlis {
namespace {

using Number = WordModulus::Number;
using NumberedWords = NumberedRows<WordModulus>;
using Block = std::vector<unsigned>;  ///< its states, in ascending order

/// Numbers of no special shape for the symbols.
class WordValues {
public:
    [[nodiscard]] Number value(Polynomial const& p) {
        Number sum = 0;
        auto const& names = p.variables();
        for (auto const& m : p.monomials()) {
            Number product = 1;
            for (std::size_t i = 0; i < names.size(); ++i) {
                if (m.exponents[i] != 0)
                    product = WordModulus::product(product, WordModulus::power(symbol(names[i]), m.exponents[i]));
            }
            WordModulus::add_product(sum, product, WordModulus::of(m.coefficient));
        }
        return sum;
    }

private:
    [[nodiscard]] Number symbol(std::string const& name) {
        auto const [at, fresh] = values_.try_emplace(name, 0);
        if (fresh) at->second = WordModulus::power(1'000'003, 7 + values_.size());
        return at->second;
    }
    std::map<std::string, Number> values_;
};

/// States that lead to each other, each block after those that lead to it.
std::vector<Block> blocks_of(PolynomialRows const& rows) {
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(rows.size());
    for (std::size_t s = 0; s < rows.size(); ++s) {
        for (auto const& [t, x] : rows[s]) boost::add_edge(s, t, graph);
    }
    std::vector<std::size_t> number(rows.size());
    auto const index = boost::get(boost::vertex_index, graph);
    std::size_t const count = boost::strong_components(graph, boost::make_iterator_property_map(number.begin(), index));
    std::vector<Block> out(count);  // what is found last leads to the others
    for (std::size_t s = 0; s < rows.size(); ++s) out[count - 1 - number[s]].push_back(static_cast<unsigned>(s));
    return out;
}

/// The rows and columns of a block.
template <class X>
std::vector<std::vector<std::pair<unsigned, X>>> within(std::vector<std::vector<std::pair<unsigned, X>>> const& rows,
                                                        Block const& block) {
    std::vector<std::vector<std::pair<unsigned, X>>> out(block.size());
    for (std::size_t i = 0; i < block.size(); ++i) {
        for (auto const& [t, x] : rows[block[i]]) {
            auto const at = std::lower_bound(block.begin(), block.end(), t);
            if (at != block.end() && *at == t) out[i].emplace_back(static_cast<unsigned>(at - block.begin()), x);
        }
    }
    return out;
}

/// Coefficients from that of the highest power on, which is 1.
using WordPolynomial = std::vector<Number>;

WordPolynomial word_polynomial(NumberedWords const& of) {
    constexpr std::size_t predicted = 8;
    return shortest_recurrence(of, WordModulus(), 0, predicted);
}

/// A factor, with numbers for the symbols.
struct WordFactor {
    Number trace;
    std::optional<Number> product;

    /// Divides by it as often as there is no remainder, and says how often.
    std::size_t divide(WordPolynomial& polynomial) const {
        std::size_t const degree = product ? 2 : 1;
        for (std::size_t times = 0;; ++times) {
            if (polynomial.size() <= degree) return times;
            WordPolynomial quotient = polynomial;
            for (std::size_t i = 1; i < quotient.size(); ++i) {
                // The last digit of degree 2 is part of the remainder without the trace.
                if (!product || i + 1 < quotient.size()) WordModulus::add_product(quotient[i], quotient[i - 1], trace);
                if (product && i > 1)
                    WordModulus::add_product(quotient[i], quotient[i - 2], WordModulus::negative(*product));
            }
            bool const leaves = std::any_of(quotient.end() - static_cast<std::ptrdiff_t>(degree), quotient.end(),
                                            [](Number x) { return x != 0; });
            if (leaves) return times;
            quotient.resize(quotient.size() - degree);
            polynomial = std::move(quotient);
        }
    }
};

/// The factors of what the blocks' powers satisfy, in the order of the blocks.
class BlockFactors {
public:
    BlockFactors(PolynomialRows const& rows, std::vector<Polynomial> const& v) : rows_(rows) {
        for (auto const& x : v) numbers_.v.push_back(values_.value(x));
        for (auto const& row : rows) {
            auto& words = numbers_.rows.emplace_back();
            for (auto const& [t, x] : row) words.emplace_back(t, values_.value(x));
        }
        least_ = word_polynomial(numbers_);
        left_ = least_;
    }
    /// None when they are not all of its factors.
    [[nodiscard]] std::optional<std::vector<DepthFactor>> found() {
        for (auto const& block : blocks_of(rows_)) {
            if (left_.size() > 1) look_at(block);
        }
        return left_.size() > 1 ? std::nullopt : std::optional(std::move(out_));
    }
    /// All at once, where the blocks' are not all.
    [[nodiscard]] std::vector<DepthFactor> spelled(std::vector<Polynomial> const& v) {
        return spelled(rows_, v, least_);
    }

private:
    void look_at(Block const& block) {
        auto const rows = within(rows_, block);
        if (block.size() == 1) {
            take({.trace = rows[0].empty() ? Polynomial() : rows[0][0].second, .product = std::nullopt});
            return;
        }
        // From a start of no special shape.
        NumberedWords words{.v = {}, .rows = within(numbers_.rows, block)};
        std::vector<Polynomial> start;
        for (std::size_t i = 0; i < block.size(); ++i) {
            start.emplace_back(static_cast<int>(1 + i * i * 31 + 7 * i));
            words.v.push_back(WordModulus::of(start.back().constant()));
        }
        auto const whole = word_polynomial(words);
        auto rest = whole;
        for (auto const& known : known_) known.divide(rest);
        if (rest.size() == 1) return;
        for (auto const& factor : spelled(rows, start, whole)) take(factor);
    }
    /// With room for squares where a polynomial does not split, but the number that it is read from does: m^2 + 8 n where
    /// n is m^2.
    [[nodiscard]] std::vector<DepthFactor> spelled(PolynomialRows const& rows, std::vector<Polynomial> const& v,
                                                   WordPolynomial least) {
        std::size_t const degree = least.size() - 1;
        auto out = spelled_factors(rows, v, degree);
        for (auto const& factor : out) words_of(factor).divide(least);
        return least.size() == 1 ? out : spelled_factors(rows, v, degree, 2);
    }
    [[nodiscard]] WordFactor words_of(DepthFactor const& factor) {
        return {.trace = values_.value(factor.trace),
                .product = factor.product ? std::optional(values_.value(*factor.product)) : std::nullopt};
    }
    void take(DepthFactor const& factor) {
        WordFactor const words = words_of(factor);
        out_.insert(out_.end(), words.divide(left_), factor);
        known_.push_back(words);
    }

    PolynomialRows const& rows_;
    WordValues values_;
    NumberedWords numbers_;
    WordPolynomial least_;
    WordPolynomial left_;  ///< of it, without what is found
    std::vector<WordFactor> known_;
    std::vector<DepthFactor> out_;
};

}  // namespace

std::vector<DepthFactor> depth_factors(PolynomialRows const& rows, std::vector<Polynomial> const& v) {
    require_short(rows);
    BlockFactors blocks(rows, v);
    try {
        if (auto factors = blocks.found()) return std::move(*factors);
    } catch (UnsupportedError const&) {  // of a block that may not matter
    }
    return blocks.spelled(v);
}

}  // namespace isserlis
