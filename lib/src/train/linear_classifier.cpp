// SPDX-License-Identifier: MIT
#include <isserlis/train/linear_classifier.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <limits>
#include <span>
#include <string>

namespace isserlis::train {
namespace {

using Vector = Eigen::VectorXd;

std::span<double const> view(Vector const& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }
std::span<double> view(Vector& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }

class NewtonRun {
public:
    NewtonRun(mlp::Architecture const& unit, mlp::Objective objective, mlp::Examples<double> const& training,
              LinearClassifierOptions const& options)
        : training_(training),
          options_(options),
          loss_(unit, objective, options.threads),
          at_(Vector::Zero(static_cast<Eigen::Index>(unit.parameters()))),
          gradient_(at_.size()) {}

    LinearClassifier run() {
        LinearClassifier out;
        for (;; ++out.steps) {
            auto const value = loss_.gradient(view(at_), training_, view(gradient_));
            out.loss = value.loss;
            out.gradient_norm = gradient_.norm();
            out.accuracy = static_cast<double>(*value.right) / static_cast<double>(training_.inputs.cols());
            out.converged = out.gradient_norm <= options_.tolerance;
            if (out.converged || out.steps == options_.most || !step(out.loss)) break;
        }
        out.parameters.assign(at_.begin(), at_.end());
        return out;
    }

private:
    [[nodiscard]] Vector product(Vector const& direction) {
        Vector out(at_.size());
        loss_.hessian_product(view(at_), training_, view(direction), view(out));
        return out;
    }

    /// H p = -g, as far as is worth it: the error falls with the gradient.
    [[nodiscard]] Vector newton_direction() {
        double const length = gradient_.norm();
        double const wanted = std::min(0.1, std::sqrt(length)) * length;
        Vector p = Vector::Zero(at_.size());
        Vector residual = -gradient_;
        Vector direction = residual;
        double squared = residual.squaredNorm();
        Eigen::Index const most = 2 * at_.size() + 10;
        for (Eigen::Index i = 0; i < most && std::sqrt(squared) > wanted; ++i) {
            Vector const image = product(direction);
            double const curvature = direction.dot(image);
            // What is flat to rounding, such as all logits moved alike, is left alone.
            if (!(curvature > std::numeric_limits<double>::epsilon() * 1e-3 * direction.squaredNorm())) break;
            double const length_along = squared / curvature;
            p += length_along * direction;
            residual -= length_along * image;
            double const next = residual.squaredNorm();
            direction = residual + next / squared * direction;
            squared = next;
        }
        return p.isZero(0) ? Vector(-gradient_) : p;
    }

    /// Moves to a lower loss; false where rounding leaves none to be found.
    bool step(double loss) {
        Vector const p = newton_direction();
        double const slope = gradient_.dot(p);
        double const rounding = 16 * std::numeric_limits<double>::epsilon() * std::abs(loss);
        constexpr double enough = 1e-4;
        for (double length = 1; length > 1e-12; length /= 2) {
            Vector const next = at_ + length * p;
            if (next == at_) return false;
            double const value = loss_.value(view(next), training_).loss;
            if (!(value <= loss + enough * length * slope + rounding)) continue;
            at_ = next;
            return true;
        }
        return false;
    }

    mlp::Examples<double> const& training_;
    LinearClassifierOptions const& options_;
    mlp::DataLoss<double> loss_;
    Vector at_;
    Vector gradient_;
};

}  // namespace

LinearClassifier linear_classifier(mlp::Objective objective, mlp::Examples<double> const& training,
                                   mlp::Examples<double> const* validation, LinearClassifierOptions const& options) {
    if (objective != mlp::Objective::cross_entropy && objective != mlp::Objective::binary_cross_entropy)
        throw UnsupportedError(std::string("linear_classifier: the objective ") + mlp::name(objective) +
                                   "; cross-entropy and binary-cross-entropy have a linear classifier here",
                               "objective");
    mlp::require_targets(objective, training.targets);
    auto const unit = mlp::perceptron(
        {static_cast<std::size_t>(training.inputs.rows()), static_cast<std::size_t>(training.targets.rows())}, {}, {},
        options.bias);
    auto out = NewtonRun(unit, objective, training, options).run();
    if (validation != nullptr) {
        mlp::DataLoss<double> loss(unit, objective, options.threads);
        auto const value = loss.value(out.parameters, *validation);
        out.validation_accuracy = static_cast<double>(*value.right) / static_cast<double>(validation->inputs.cols());
    }
    return out;
}

}  // namespace isserlis::train
