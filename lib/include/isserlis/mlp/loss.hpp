// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/network.hpp>
#include <isserlis/network/loss_kind.hpp>

namespace isserlis::mlp {

/// A vector, or one column of a batch; nothing is copied.
using VectorView = Eigen::Ref<Vector<double> const, 0, Eigen::InnerStride<>>;

/// The loss of one sample with output z and target y; value, gradient and Hessian by z.
///
/// Law     none. Formulas: `losses` in network/loss_kind.hpp. No exponential overflows and no difference of large
///         numbers is taken, so tiny losses and gradients far out keep all their digits (for y of 0 and 1).
/// Shape   z and y of one size d; the Hessian is symmetric, d x d.
/// Units   squared: [z]^2; logits are pure numbers.
/// Errors  DomainError when the sizes differ. Targets are taken as they are: data/targets.hpp checks them.
/// Source  [Hettinger 2019, Def 3.17 and 3.18]; binary: softplus(z) - y z
[[nodiscard]] double loss_value(LossKind kind, VectorView const& z, VectorView const& y);
[[nodiscard]] Vector<double> loss_gradient(LossKind kind, VectorView const& z, VectorView const& y);
[[nodiscard]] Matrix<double> loss_hessian(LossKind kind, VectorView const& z);
/// u' H u, without forming H; never negative.
[[nodiscard]] double loss_hessian_form(LossKind kind, VectorView const& z, VectorView const& u);
/// H u, without forming H.
[[nodiscard]] Vector<double> loss_hessian_product(LossKind kind, VectorView const& z, VectorView const& u);

/// softmax(z), every entry to full precision: (5.18) of [Liquet 2024]; and sigmoid of one number.
[[nodiscard]] Vector<double> softmax(VectorView const& z);
[[nodiscard]] double sigmoid(double z);

/// The same for a batch, one column a sample: the mean loss, all gradients, the mean of u_k' H_k u_k.
/// Nothing is allocated when `gradients` has the right size already.
[[nodiscard]] double mean_loss(LossKind kind, Matrix<double> const& outputs, Matrix<double> const& targets);
void loss_gradients(LossKind kind, Matrix<double> const& outputs, Matrix<double> const& targets,
                    Matrix<double>& gradients);
[[nodiscard]] double mean_hessian_form(LossKind kind, Matrix<double> const& outputs, Matrix<double> const& directions);

}  // namespace isserlis::mlp
