// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/crelu_kernels.hpp>
#include <isserlis/formula/loss_curve_linear.hpp>

#include <vector>

#include "ring/ball.hpp"

namespace isserlis {

/// Rigorous enclosures in double-doubles, for sums over millions of pairs.
struct BallKernels {
    using Data = Ball;
    using Number = Ball;
    [[nodiscard]] Ball of(Ball const& x) const { return x; }
    [[nodiscard]] Ball const& pi() const;
};

/// The angle from 0 to pi of the point (x, y), y >= 0.
[[nodiscard]] Ball angle_of(Ball const& x, Ball const& y);

/// Rows of numbers in columns, whose products take some nanoseconds a column.
class BallRows {
public:
    /// Errors  DomainError for no rows of `what`, not `samples` of them, or rows of unlike sizes.
    BallRows(char const* what, Rows<Interval> const& rows, std::size_t samples);
    explicit BallRows(Rows<Ball> const& rows);

    [[nodiscard]] BallKernels kernels() const { return {}; }
    [[nodiscard]] std::size_t size() const { return norms_.size(); }
    [[nodiscard]] Ball dot(std::size_t k, std::size_t l) const;
    /// sum_r relu(x_r y_r)
    [[nodiscard]] Ball shared_signs(std::size_t k, std::size_t l) const;
    [[nodiscard]] InputPair<BallKernels> pair(std::size_t k, std::size_t l) const;

    friend Ball dot(BallRows const& a, std::size_t k, BallRows const& b, std::size_t l);

private:
    template <class Keep>
    static Ball sum(BallRows const& a, std::size_t k, BallRows const& b, std::size_t l, Keep const& keep);

    std::size_t columns_;
    std::size_t padded_;                 ///< columns in whole lanes
    std::vector<double> high_, low_;     ///< rows one after the other, padded by zeros
    std::vector<double> upper_, lower_;  ///< halves of `high_`, whose products are exact
    std::vector<double> errors_;         ///< of a row as a vector, at most
    std::vector<double> norms_;          ///< at least
    std::vector<Ball> squares_;
};

/// Of a row and one of as many columns.
[[nodiscard]] Ball dot(BallRows const& a, std::size_t k, BallRows const& b, std::size_t l);

/// Inputs with combinations of them.
class BallInputs {
public:
    using Combination = BallRows;

    explicit BallInputs(Rows<Interval> const& inputs);

    [[nodiscard]] BallKernels kernels() const { return {}; }
    [[nodiscard]] Ball dot(std::size_t k, std::size_t l) const { return samples_.dot(k, l); }
    [[nodiscard]] Ball shared_signs(std::size_t k, std::size_t l) const { return samples_.shared_signs(k, l); }
    [[nodiscard]] InputPair<BallKernels> pair(std::size_t k, std::size_t l) const { return samples_.pair(k, l); }
    /// sum_k c_k x^k
    [[nodiscard]] Combination combination(std::vector<Ball> const& weights) const;
    [[nodiscard]] Ball dot(Combination const& sum, std::size_t k) const;

private:
    BallRows samples_;
    BallRows columns_;
};

}  // namespace isserlis
