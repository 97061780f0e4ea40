// SPDX-License-Identifier: MIT
#include <isserlis/mlp/objective.hpp>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/loss.hpp>
#include <string>

#include "named.hpp"

namespace isserlis::mlp {
namespace {

using Index = Eigen::Index;

/// The loss that it is, if it is one of mlp/loss.hpp.
std::optional<LossKind> loss_kind(Objective objective) {
    switch (objective) {
        case Objective::squared: return LossKind::squared;
        case Objective::half_squared: return LossKind::half_squared;
        case Objective::cross_entropy: return LossKind::cross_entropy;
        case Objective::binary_cross_entropy: return LossKind::binary_cross_entropy;
        case Objective::hinge: break;
    }
    return std::nullopt;
}

void require_one_shape(Matrix<double> const& outputs, Matrix<double> const& others, char const* what) {
    if (outputs.rows() == others.rows() && outputs.cols() == others.cols()) return;
    throw DomainError("objective: the outputs are " + std::to_string(outputs.rows()) + " x " +
                          std::to_string(outputs.cols()) + ", the " + what + " " + std::to_string(others.rows()) +
                          " x " + std::to_string(others.cols()) + "; they must agree",
                      what);
}

[[noreturn]] void refuse_without(Objective objective, char const* what) {
    throw UnsupportedError(std::string("the objective ") + name(objective) + " has no " + what, "objective");
}

/// What is required of a target, if it is not fulfilled.
char const* fault(Objective objective, Matrix<double> const& targets, Index i, Index k) {
    double const y = targets(i, k);
    if (!std::isfinite(y)) return "a finite number";
    switch (objective) {
        case Objective::squared:
        case Objective::half_squared: break;
        case Objective::cross_entropy: {
            constexpr double rounding = 1e-6;
            if (y < 0 || std::abs(targets.col(k).sum() - 1) > rounding) return "a class: one entry 1, the others 0";
            break;
        }
        case Objective::binary_cross_entropy:
            if (y < 0 || y > 1) return "0, 1 or a probability";
            break;
        case Objective::hinge:
            if (y != 1 && y != -1) return "-1 or 1";
            break;
    }
    return nullptr;
}

}  // namespace

char const* name(Objective objective) {
    switch (objective) {
        case Objective::squared: return isserlis::name(LossKind::squared);
        case Objective::half_squared: return isserlis::name(LossKind::half_squared);
        case Objective::cross_entropy: return isserlis::name(LossKind::cross_entropy);
        case Objective::binary_cross_entropy: return isserlis::name(LossKind::binary_cross_entropy);
        case Objective::hinge: return "hinge";
    }
    return "";
}

std::optional<Objective> objective(std::string_view wanted) { return named<Objective>(wanted); }

double objective_sum(Objective objective, Matrix<double> const& outputs, Matrix<double> const& targets) {
    require_one_shape(outputs, targets, "targets");
    auto const kind = loss_kind(objective);
    double out = 0;
    for (Index k = 0; k < outputs.cols(); ++k) {
        if (kind) {
            out += loss_value(*kind, outputs.col(k), targets.col(k));
            continue;
        }
        for (Index i = 0; i < outputs.rows(); ++i) {
            double const missing = 1 - targets(i, k) * outputs(i, k);
            out += missing <= 0 ? 0 : missing;  // NaN stays
        }
    }
    return out;
}

Matrix<double> objective_gradients(Objective objective, Matrix<double> const& outputs, Matrix<double> const& targets) {
    require_one_shape(outputs, targets, "targets");
    Matrix<double> out;
    if (auto const kind = loss_kind(objective)) {
        loss_gradients(*kind, outputs, targets, out);
        return out;
    }
    return outputs.binaryExpr(targets, [](double z, double y) { return y * z < 1 ? -y : std::isnan(z) ? z : 0; });
}

Matrix<double> objective_hessian_products(Objective objective, Matrix<double> const& outputs,
                                          Matrix<double> const& directions) {
    require_one_shape(outputs, directions, "directions");
    Matrix<double> out = Matrix<double>::Zero(outputs.rows(), outputs.cols());
    if (auto const kind = loss_kind(objective))
        for (Index k = 0; k < outputs.cols(); ++k)
            out.col(k) = loss_hessian_product(*kind, outputs.col(k), directions.col(k));
    return out;
}

void require_targets(Objective objective, Matrix<double> const& targets) {
    for (Index k = 0; k < targets.cols(); ++k)
        for (Index i = 0; i < targets.rows(); ++i)
            if (char const* const required = fault(objective, targets, i, k))
                throw DomainError("targets: entry " + std::to_string(i + 1) + " of sample " + std::to_string(k + 1) +
                                      " is " + std::to_string(targets(i, k)) + "; " + name(objective) + " requires " +
                                      required,
                                  "targets");
}

Matrix<double> probabilities(Objective objective, Matrix<double> const& outputs) {
    Matrix<double> out(outputs.rows(), outputs.cols());
    switch (objective) {
        case Objective::cross_entropy:
            for (Index k = 0; k < outputs.cols(); ++k) out.col(k) = softmax(outputs.col(k));
            return out;
        case Objective::binary_cross_entropy: return outputs.unaryExpr([](double z) { return sigmoid(z); });
        case Objective::squared:
        case Objective::half_squared:
        case Objective::hinge: break;
    }
    refuse_without(objective, "probabilities");
}

bool has_classes(Objective objective) {
    switch (objective) {
        case Objective::squared:
        case Objective::half_squared: return false;
        case Objective::cross_entropy:
        case Objective::binary_cross_entropy:
        case Objective::hinge: return true;
    }
    return false;
}

Matrix<int> predicted_classes(Objective objective, Matrix<double> const& outputs, std::optional<double> threshold) {
    if (threshold && (objective != Objective::binary_cross_entropy || !(*threshold > 0 && *threshold < 1)))
        throw DomainError(std::string("predicted_classes: a threshold is a number between 0 and 1, for ") +
                              name(Objective::binary_cross_entropy),
                          "threshold");
    // p > t where z > log(t / (1 - t)).
    double const least = threshold ? std::log(*threshold) - std::log1p(-*threshold) : 0;
    Matrix<int> out;
    switch (objective) {
        case Objective::squared:
        case Objective::half_squared: break;
        case Objective::cross_entropy:
            out.resize(1, outputs.cols());
            for (Index k = 0; k < outputs.cols(); ++k) {
                Index top = 0;
                for (Index i = 1; i < outputs.rows(); ++i)
                    if (outputs(i, k) > outputs(top, k)) top = i;
                out(0, k) = static_cast<int>(top);
            }
            return out;
        case Objective::binary_cross_entropy:
        case Objective::hinge: return outputs.unaryExpr([least](double z) { return z > least ? 1 : 0; });
    }
    refuse_without(objective, "classes");
}

std::optional<std::size_t> count_right(Objective objective, Matrix<double> const& outputs,
                                       Matrix<double> const& targets) {
    require_one_shape(outputs, targets, "targets");
    if (!has_classes(objective)) return std::nullopt;
    auto const predicted = predicted_classes(objective, outputs);
    // As outputs sure of their target; only binary targets have their border at 1/2.
    Matrix<double> const sure =
        objective == Objective::binary_cross_entropy ? Matrix<double>(targets.array() - 0.5) : targets;
    auto const wanted = predicted_classes(objective, sure);
    std::size_t right = 0;
    for (Index k = 0; k < outputs.cols(); ++k)
        right += predicted.col(k) == wanted.col(k) && outputs.col(k).allFinite() ? 1U : 0U;
    return right;
}

}  // namespace isserlis::mlp
