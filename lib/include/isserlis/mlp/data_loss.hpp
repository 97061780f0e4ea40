// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <isserlis/mlp/batch_pass.hpp>
#include <isserlis/mlp/objective.hpp>
#include <optional>
#include <span>
#include <vector>

namespace isserlis::mlp {

/// Inputs with what should come out; a column is a sample.
template <class T>
struct Examples {
    Matrix<T> inputs;          ///< d_0 x s
    Matrix<double> targets{};  ///< d_n x s
};

/// The mean of an objective over examples, its gradient, and its Hessian times a direction.
///
/// Law     none.
/// Shape   gradient, direction and product lie as Architecture says, and are written over. Samples go in chunks of 256,
///         chunks into 8 sums at most: memory is a few gradients and a chunk's pass for each thread, whatever the data,
///         and the bits are the same with any number of threads. A form with dropout, or with batch norm by the batch's
///         own moments, is passed whole, in one thread.
/// Units   [objective] / [parameter], / [parameter]^2.
/// Errors  DomainError for sizes that clash, no sample, 0 threads, or a softmax or sigmoid head under an
///         objective that has it in itself; those of BatchPass.
/// Source  [Liquet 2024, Algorithm 5.2] on a whole mini-batch; products [Pearlmutter 1994]
template <class T>
class DataLoss {
public:
    /// The architecture has to outlive this.
    DataLoss(Architecture const& architecture, Objective objective, unsigned threads = 1);

    struct Value {
        double loss = 0;                   ///< the mean
        std::optional<std::size_t> right;  ///< samples with every class right; none without classes
    };

    [[nodiscard]] Value value(std::span<T const> parameters, Examples<T> const& examples, PassForm<T> const& form = {});
    Value gradient(std::span<T const> parameters, Examples<T> const& examples, std::span<T> gradient,
                   PassForm<T> const& form = {});
    void hessian_product(std::span<T const> parameters, Examples<T> const& examples, std::span<T const> direction,
                         std::span<T> product, PassForm<T> const& form = {});

    [[nodiscard]] Architecture const& architecture() const { return workers_.front().pass.architecture(); }
    [[nodiscard]] Objective objective() const { return objective_; }
    /// (5.38) of the last call, if that passed its samples whole.
    [[nodiscard]] Moments<T> const& batch_moments() const { return workers_.front().pass.batch_moments(); }

private:
    enum class Task { value, gradient, hessian_product };
    struct Call {
        Task task;
        std::span<T const> parameters;
        Examples<T> const* examples;
        PassForm<T> const* form;
        std::span<T const> direction;
        std::span<T> out;
    };
    struct Worker {
        BatchPass<T> pass;
        std::vector<T> sum;
        double loss = 0;
        std::size_t right = 0;
    };

    Value run(Call const& call);
    void work(Call const& call, Eigen::Index chunk, std::size_t lane, std::size_t lanes, Worker& worker) const;

    Objective objective_;
    std::vector<Worker> workers_;
};

/// The outputs for all inputs, chunk by chunk: d_n x s.
/// Errors  those of BatchPass; DomainError for batch norm without moments.
template <class T>
[[nodiscard]] Matrix<T> network_outputs(Architecture const& architecture, std::span<T const> parameters,
                                        Matrix<T> const& inputs, Moments<T> const* moments = nullptr);

/// d(output i of sample k) / d(parameter) in row k d_n + i: for small networks and for checking.
/// Shape   s d_n rows, a pass back for each.
/// Errors  those of BatchPass.
/// Source  [Liquet 2024, Algorithm 5.2], once for each output
template <class T>
[[nodiscard]] Matrix<T> output_jacobian(Architecture const& architecture, std::span<T const> parameters,
                                        Matrix<T> const& inputs, PassForm<T> const& form = {});

}  // namespace isserlis::mlp
