// SPDX-License-Identifier: MIT
#include <isserlis/mlp/loss_derivatives.hpp>

#include <isserlis/error.hpp>
#include <isserlis/mlp/loss.hpp>
#include <string>

namespace isserlis::mlp {
namespace {

using Index = Eigen::Index;

std::string shape(Matrix<double> const& m) { return std::to_string(m.rows()) + " x " + std::to_string(m.cols()); }

void require_outputs(Matrix<double> const& outputs, Matrix<double> const& given, char const* what) {
    if (outputs.rows() != given.rows() || outputs.cols() != given.cols())
        throw DomainError(std::string("loss_derivatives: the ") + what + " are " + shape(given) + ", the outputs " +
                              shape(outputs) + "; they must agree",
                          what);
}

void require_given(Matrix<double> const& outputs, GivenDerivatives const& given) {
    require_outputs(outputs, given.gradients, "gradients");
    if (given.hessians.size() != static_cast<std::size_t>(outputs.cols()))
        throw DomainError("loss_derivatives: " + std::to_string(given.hessians.size()) + " Hessians for " +
                              std::to_string(outputs.cols()) + " samples; one each is needed",
                          "hessians");
    for (std::size_t k = 0; k < given.hessians.size(); ++k) {
        auto const& h = given.hessians[k];
        if (h.rows() != outputs.rows() || h.cols() != outputs.rows() || h != h.transpose())
            throw DomainError("loss_derivatives: the Hessian of sample " + std::to_string(k + 1) +
                                  " is not symmetric " + std::to_string(outputs.rows()) + " x " +
                                  std::to_string(outputs.rows()),
                              "hessians");
    }
}

double mean_product(Matrix<double> const& a, Matrix<double> const& b) {
    return a.cwiseProduct(b).sum() / static_cast<double>(a.cols());
}

}  // namespace

Matrix<double> columns(std::vector<std::vector<double>> const& rows) {
    if (rows.empty()) throw DomainError("columns: there are no samples; at least 1 is needed", "rows");
    Matrix<double> out(static_cast<Index>(rows.front().size()), static_cast<Index>(rows.size()));
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (rows[k].size() != rows.front().size())
            throw DomainError("columns: sample " + std::to_string(k + 1) + " has " + std::to_string(rows[k].size()) +
                                  " numbers, the first " + std::to_string(rows.front().size()),
                              "rows");
        for (std::size_t i = 0; i < rows[k].size(); ++i) out(static_cast<Index>(i), static_cast<Index>(k)) = rows[k][i];
    }
    return out;
}

GivenDerivatives derivatives_at(LossKind loss, Matrix<double> const& outputs, Matrix<double> const& targets) {
    GivenDerivatives out;
    loss_gradients(loss, outputs, targets, out.gradients);
    for (Index k = 0; k < outputs.cols(); ++k) out.hessians.push_back(loss_hessian(loss, outputs.col(k)));
    return out;
}

template <class T>
LossDerivatives derivatives_of(GradientStep<T> const& step, Matrix<double> const& gradients,
                               Matrix<double> const& targets, LossKind loss) {
    Matrix<double> const& outputs = in_doubles(step.outputs());
    Matrix<double> const& moves = in_doubles(step.first_derivatives());
    return {.loss = mean_loss(loss, outputs, targets),
            .slope = mean_product(gradients, moves),
            .curvature_gamma = mean_product(gradients, in_doubles(step.second_derivatives())),
            .curvature_chi = mean_hessian_form(loss, outputs, moves)};
}

template <class T>
LossDerivatives derivatives_of(GradientStep<T> const& step, GivenDerivatives const& given) {
    Matrix<double> const& moves = in_doubles(step.first_derivatives());
    double chi = 0;
    for (Index k = 0; k < moves.cols(); ++k) {
        auto const& h = given.hessians[static_cast<std::size_t>(k)];
        for (Index i = 0; i < moves.rows(); ++i) chi += moves(i, k) * h.row(i).dot(moves.col(k));
    }
    return {.loss = std::nullopt,
            .slope = mean_product(given.gradients, moves),
            .curvature_gamma = mean_product(given.gradients, in_doubles(step.second_derivatives())),
            .curvature_chi = chi / static_cast<double>(moves.cols())};
}

template LossDerivatives derivatives_of(GradientStep<float> const&, Matrix<double> const&, Matrix<double> const&,
                                        LossKind);
template LossDerivatives derivatives_of(GradientStep<double> const&, Matrix<double> const&, Matrix<double> const&,
                                        LossKind);
template LossDerivatives derivatives_of(GradientStep<float> const&, GivenDerivatives const&);
template LossDerivatives derivatives_of(GradientStep<double> const&, GivenDerivatives const&);

LossDerivatives loss_derivatives(Network<double> const& net, Samples const& samples, LossKind loss) {
    GradientStep step(net, samples.inputs);
    step.forward();
    require_outputs(step.outputs(), samples.targets, "targets");
    Matrix<double> gradients;
    loss_gradients(loss, step.outputs(), samples.targets, gradients);
    step.backward(gradients);
    step.differentiate();
    return derivatives_of(step, gradients, samples.targets, loss);
}

LossDerivatives loss_derivatives(Network<double> const& net, Matrix<double> const& inputs,
                                 GivenDerivatives const& given) {
    GradientStep step(net, inputs);
    step.forward();
    require_given(step.outputs(), given);
    step.backward(given.gradients);
    step.differentiate();
    return derivatives_of(step, given);
}

double loss_after_step(Network<double> const& net, Samples const& samples, LossKind loss, double rate) {
    GradientStep step(net, samples.inputs);
    step.forward();
    require_outputs(step.outputs(), samples.targets, "targets");
    Matrix<double> gradients;
    loss_gradients(loss, step.outputs(), samples.targets, gradients);
    step.backward(gradients);
    return mean_loss(loss, step.outputs_after(rate), samples.targets);
}

std::optional<double> greedy_rate(LossDerivatives const& at) {
    if (!(at.curvature() > 0)) return std::nullopt;
    return -at.slope / at.curvature();
}

std::optional<double> greedy_rate_printed(LossDerivatives const& at) {
    auto const rate = greedy_rate(at);
    if (!rate) return std::nullopt;
    return *rate / 2;
}

}  // namespace isserlis::mlp
