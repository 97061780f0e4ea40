// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <isserlis/ring/rational.hpp>
#include <vector>

// Brute force over every assignment of every weight. Knows no formula: it multiplies, gates and averages.
namespace isserlis::testing {

/// A law on finitely many integers with mean 0; the weight meant is the integer divided by its standard deviation.
struct DiscreteLaw {
    struct Atom {
        int value;
        int weight;  ///< probability times `total()`
    };
    std::vector<Atom> atoms;

    [[nodiscard]] int total() const {
        int sum = 0;
        for (auto const& a : atoms) sum += a.weight;
        return sum;
    }
    [[nodiscard]] Rational moment(unsigned k) const {
        Integer sum = 0;
        for (auto const& a : atoms) sum += power(Integer(a.value), k) * a.weight;
        return ratio(sum, Integer(total()));
    }
    [[nodiscard]] Rational kurtosis() const { return quotient(moment(4), moment(2) * moment(2)); }
};

[[nodiscard]] inline DiscreteLaw rademacher() { return {.atoms = {{1, 1}, {-1, 1}}}; }

/// P(+-1) = 1/(2k), P(0) = 1 - 1/k with k = p/q: kurtosis k.
[[nodiscard]] inline DiscreteLaw three_point(int p, int q) { return {.atoms = {{1, q}, {-1, q}, {0, 2 * (p - q)}}}; }

/// P(4) = 1/5, P(-1) = 4/5: mean 0, variance 4, fourth moment 52, so kurtosis 13/4; third moment not 0.
[[nodiscard]] inline DiscreteLaw lopsided() { return {.atoms = {{4, 1}, {-1, 4}}}; }

/// Symmetric on four values, kurtosis 41/25.
[[nodiscard]] inline DiscreteLaw four_point() { return {.atoms = {{1, 1}, {-1, 1}, {3, 1}, {-3, 1}}}; }

/// Calls visit(values, weight) for every assignment of one atom to each of the laws; weights sum to the product of
/// totals.
template <class Visit>
void for_each_assignment(std::vector<DiscreteLaw> const& laws, Visit const& visit) {
    std::vector<std::size_t> at(laws.size(), 0);
    std::vector<int> values(laws.size());
    for (;;) {
        std::int64_t weight = 1;
        for (std::size_t i = 0; i < laws.size(); ++i) {
            auto const& atom = laws[i].atoms[at[i]];
            values[i] = atom.value;
            weight *= atom.weight;
        }
        visit(values, weight);
        std::size_t i = 0;
        while (i < laws.size() && ++at[i] == laws[i].atoms.size()) at[i++] = 0;
        if (i == laws.size()) return;
    }
}

/// Row-major integer matrix.
struct IntMatrix {
    std::size_t rows;
    std::size_t cols;
    std::vector<std::int64_t> entries;

    [[nodiscard]] std::int64_t operator()(std::size_t i, std::size_t j) const { return entries[i * cols + j]; }
};

[[nodiscard]] inline IntMatrix multiplied(IntMatrix const& a, IntMatrix const& b) {
    IntMatrix out{a.rows, b.cols, std::vector<std::int64_t>(a.rows * b.cols, 0)};
    for (std::size_t i = 0; i < a.rows; ++i) {
        for (std::size_t k = 0; k < a.cols; ++k) {
            for (std::size_t j = 0; j < b.cols; ++j) out.entries[i * b.cols + j] += a(i, k) * b(k, j);
        }
    }
    return out;
}

/// Every E b_p b_q and E b_p b_q b_r b_s of the entries of B = A_q .. A_1, A_r of shape m_r x m_(r-1) and law
/// laws[r-1].
class EnumeratedProduct {
public:
    EnumeratedProduct(std::vector<int> const& shape, std::vector<DiscreteLaw> const& laws)
        : rows_(static_cast<std::size_t>(shape.back())), cols_(static_cast<std::size_t>(shape.front())) {
        std::vector<DiscreteLaw> entries;
        second_scale_ = 1;
        for (std::size_t r = 1; r < shape.size(); ++r) {
            entries.insert(entries.end(), static_cast<std::size_t>(shape[r]) * static_cast<std::size_t>(shape[r - 1]),
                           laws[r - 1]);
            second_scale_ *= laws[r - 1].moment(2);
        }
        std::size_t const n = rows_ * cols_;
        std::vector<std::int64_t> second(n * n, 0);
        std::vector<std::int64_t> fourth(n * n * n * n, 0);
        total_ = 1;
        for (auto const& law : entries) total_ *= law.total();
        for_each_assignment(entries, [&](std::vector<int> const& values, std::int64_t weight) {
            auto next = values.begin();
            IntMatrix product = take(next, shape[1], shape[0]);
            for (std::size_t r = 2; r < shape.size(); ++r)
                product = multiplied(take(next, shape[r], shape[r - 1]), product);
            auto const& b = product.entries;
            for (std::size_t p = 0; p < n; ++p) {
                for (std::size_t q = p; q < n; ++q) {
                    std::int64_t const two = weight * b[p] * b[q];
                    second[p * n + q] += two;
                    if (two == 0) continue;
                    for (std::size_t s = q; s < n; ++s) {
                        std::int64_t const three = two * b[s];
                        for (std::size_t t = s; t < n; ++t) fourth[((p * n + q) * n + s) * n + t] += three * b[t];
                    }
                }
            }
        });
        second_ = std::move(second);
        fourth_ = std::move(fourth);
    }

    struct Index {
        std::size_t row;
        std::size_t col;
    };
    [[nodiscard]] std::size_t rows() const { return rows_; }
    [[nodiscard]] std::size_t cols() const { return cols_; }

    /// E b_a b_b for unit variances.
    [[nodiscard]] Rational second(Index a, Index b) const {
        std::size_t const p = std::min(flat(a), flat(b));
        std::size_t const q = std::max(flat(a), flat(b));
        return quotient(ratio(Integer(second_[p * rows_ * cols_ + q]), total_), second_scale_);
    }
    /// E b_a b_b b_c b_d for unit variances.
    [[nodiscard]] Rational fourth(Index a, Index b, Index c, Index d) const {
        std::size_t const n = rows_ * cols_;
        std::array<std::size_t, 4> at = {flat(a), flat(b), flat(c), flat(d)};
        std::sort(at.begin(), at.end());
        return quotient(ratio(Integer(fourth_[((at[0] * n + at[1]) * n + at[2]) * n + at[3]]), total_),
                        second_scale_ * second_scale_);
    }

private:
    [[nodiscard]] std::size_t flat(Index a) const { return a.row * cols_ + a.col; }
    static IntMatrix take(std::vector<int>::const_iterator& next, int rows, int cols) {
        IntMatrix out{static_cast<std::size_t>(rows), static_cast<std::size_t>(cols), {}};
        for (int i = 0; i < rows * cols; ++i) out.entries.push_back(*next++);
        return out;
    }

    std::size_t rows_;
    std::size_t cols_;
    Rational second_scale_;
    Integer total_;
    std::vector<std::int64_t> second_;
    std::vector<std::int64_t> fourth_;
};

}  // namespace isserlis::testing
