// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/data_loss.hpp>
#include <isserlis/mlp/extreme_eigenvalue.hpp>

#include <span>
#include <vector>

namespace isserlis::mlp {

/// sqrt(h) H sqrt(h), H the Hessian of the mean objective over examples, as an operator on directions in parameter
/// space.
///
/// Law     none: everything is given. Each node has a factor h >= 0, for the parameters that are part of it or lead into
///         it; none are 1.
/// Shape   directions lie as Architecture says; the bits do not depend on the number of threads.
/// Units   [objective] / [parameter]^2.
/// Errors  DomainError for sizes that clash, or factors that are negative or not finite; those of DataLoss.
/// Source  [Pearlmutter 1994]; factors of rates by layer [Iyer 2023, section 4.2]
class LossHessian {
public:
    /// All but the factors has to outlive this.
    LossHessian(Architecture const& architecture, Objective objective, Examples<double> const& examples,
                std::span<double const> parameters, std::vector<double> const& factors = {}, unsigned threads = 1);

    [[nodiscard]] std::size_t parameters() const { return parameters_.size(); }
    void apply(double const* direction, double* out);
    /// The same for Lanczos; this has to outlive it.
    [[nodiscard]] SymmetricOperator as_operator();

private:
    DataLoss<double> loss_;
    Examples<double> const* examples_;
    std::span<double const> parameters_;
    /// Parameters whose sqrt(h) is not 1.
    struct Scaled {
        std::size_t first, size;
        double root;
    };
    std::vector<Scaled> scaled_;
    std::vector<double> direction_;  ///< if there are any
};

/// The same operator for half the squared error at one sample, on what it does not send to 0: a fast path.
///
/// Law     none. The entries of a layer see a direction through its products with the activations below and the slopes
///         above alone. In coordinates E of the directions u h^T and s v^T, h and s normed and v orthogonal to h, it is
///         E^T H E, which has the eigenvalues of H but for zeros.
/// Shape   layer by layer u, fan_out numbers, and but for the first layer v, fan_in numbers.
/// Units   [objective] / [parameter]^2.
/// Errors  as above; DomainError for anything but a chain of identity, relu or leaky units with weights alone and a
///         linear head, and for another number of samples than 1.
/// Source  values and slopes by BatchPass; the products as those of LossHessian
class RangeHessian {
public:
    /// Architecture and parameters have to outlive this.
    RangeHessian(Architecture const& architecture, Examples<double> const& examples, std::span<double const> parameters,
                 std::vector<double> const& factors = {});

    [[nodiscard]] std::size_t size() const { return size_; }
    void apply(double const* coordinates, double* out) const;

private:
    /// What the weights of a layer meet.
    struct Side {
        double const* weights;
        std::size_t fan_out, fan_in;
        double factor;  ///< scale times sqrt(h)
        double scale;
        Vector<double> below;  ///< the activations below over their norm, or 0
        Vector<double> slope;  ///< of the loss by z
        Vector<double> above;  ///< that over its norm, or 0
        double below_norm = 0;
        double above_norm = 0;
        Vector<double> gates;
    };

    std::vector<Side> sides_;
    std::size_t size_ = 0;
};

}  // namespace isserlis::mlp
