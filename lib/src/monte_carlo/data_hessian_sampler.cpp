// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/data_hessian_sampler.hpp>

#include <Eigen/Core>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/data_loss.hpp>
#include <isserlis/mlp/extreme_eigenvalue.hpp>
#include <isserlis/mlp/loss_derivatives.hpp>
#include <memory>

#include "batch_examples.hpp"
#include "parameter_factors.hpp"
#include "tailed_variance.hpp"

namespace isserlis::monte_carlo {
namespace {

struct HessianSums {
    TailedVariance total, gauss_newton, functional, cross, target;
    RunningVariance modulus, reciprocal;
    std::vector<RunningVariance> blocks;
    std::uint64_t without = 0;

    static void members(auto& self, auto const& f) {
        f(self.total, self.gauss_newton, self.functional, self.cross, self.target, self.modulus, self.reciprocal,
          self.blocks, self.without);
    }
};

/// Where the weights of an edge lie.
struct EdgeRange {
    Eigen::Index first, size;
};

/// One network after another, with its Hessian.
class HessianWorker {
public:
    HessianWorker(GraphCurveModel const& model, std::uint64_t seed)
        : model_(model),
          seed_(seed),
          flat_(model.network.flat_graph()),
          architecture_(
              std::make_shared<mlp::Architecture const>(mlp::GraphLayout(flat_, model.network.unit_parameters))),
          loss_(*architecture_, mlp::Objective::half_squared),
          all_{.inputs = mlp::columns(model.inputs), .targets = mlp::columns(model.targets)},
          direction_(architecture_->parameters(), 0.0),
          product_(architecture_->parameters()) {
        require_doubles(model.network.precision, "the Hessian of a loss over samples");
        if (layout().concatenated())
            throw UnsupportedError("the Hessian of a loss over samples: relu, leaky or linear units are required",
                                   "activation");
        require_no_ties(flat_);
        for (auto const& edge : layout().edges()) {
            if (edge.weighted)
                ranges_.push_back({.first = static_cast<Eigen::Index>(edge.first),
                                   .size = static_cast<Eigen::Index>(layout().entries(edge))});
        }
        auto const factors = parameter_factors(*architecture_, flat_);
        roots_.resize(static_cast<Eigen::Index>(layout().size()));
        for (Eigen::Index i = 0; i < roots_.size(); ++i) roots_[i] = std::sqrt(factors[static_cast<std::size_t>(i)]);
    }

    [[nodiscard]] std::size_t edges() const { return ranges_.size(); }

    void operator()(std::uint64_t sample, HessianSums& into) {
        draw_weights(flat_, layout(), seed_, sample, weights_);
        auto examples = model_.batch ? drawn_batch(all_, *model_.batch, seed_, sample, drawn_) : all_;
        fill_hessian(examples, whole_);
        fill_gauss_newton(examples.inputs);
        examples.targets.setZero();
        fill_hessian(examples, functional_);
        into.target.push((whole_ - functional_).squaredNorm());
        functional_ -= gauss_newton_;
        into.total.push(whole_.squaredNorm());
        into.gauss_newton.push(gauss_newton_.squaredNorm());
        into.functional.push(functional_.squaredNorm());
        into.cross.push(2 * gauss_newton_.cwiseProduct(functional_).sum());
        for (std::size_t k = 0; k < edges(); ++k) {
            for (std::size_t l = 0; l < edges(); ++l)
                into.blocks[k * edges() + l].push(
                    whole_.block(ranges_[k].first, ranges_[l].first, ranges_[k].size, ranges_[l].size).squaredNorm());
        }
        push_eigenvalue(into);
    }

private:
    using Matrix = Eigen::MatrixXd;

    [[nodiscard]] mlp::GraphLayout const& layout() const { return architecture_->wiring(); }

    void fill_hessian(mlp::Examples<double> const& examples, Matrix& out) {
        out.resize(roots_.size(), roots_.size());
        for (Eigen::Index j = 0; j < roots_.size(); ++j) {
            auto& entry = direction_[static_cast<std::size_t>(j)];
            entry = roots_[j];
            loss_.hessian_product(weights_, examples, direction_, product_);
            entry = 0;
            out.col(j) = Eigen::Map<Eigen::VectorXd const>(product_.data(), roots_.size()).cwiseProduct(roots_);
        }
    }

    void fill_gauss_newton(mlp::Matrix<double> const& inputs) {
        auto const all = mlp::output_jacobian<double>(*architecture_, weights_, inputs);
        Matrix const jacobian = all.leftCols(roots_.size()) * roots_.asDiagonal();
        gauss_newton_.noalias() = jacobian.transpose() * jacobian / static_cast<double>(inputs.cols());
    }

    void push_eigenvalue(HessianSums& into) const {
        auto const size = roots_.size();
        auto const apply = [&](double const* in, double* out) {
            Eigen::Map<Eigen::VectorXd>(out, size).noalias() = whole_ * Eigen::Map<Eigen::VectorXd const>(in, size);
        };
        double const top = std::fabs(mlp::largest_by_modulus({.size = size, .apply = apply}).value);
        into.modulus.push(top);
        if (top == 0) {
            ++into.without;
        } else {
            into.reciprocal.push(2 / top);
        }
    }

    GraphCurveModel const& model_;
    std::uint64_t seed_;
    Graph<double, std::uint64_t> flat_;
    std::shared_ptr<mlp::Architecture const> architecture_;  // the loss refers to it
    mlp::DataLoss<double> loss_;
    mlp::Examples<double> all_;
    std::vector<EdgeRange> ranges_;
    Eigen::VectorXd roots_;  ///< of the label factors, by weight
    std::vector<double> weights_, direction_, product_;
    Matrix whole_, gauss_newton_, functional_;
    std::vector<std::size_t> drawn_;
};

}  // namespace

DataHessianEstimates sample_data_hessian(GraphCurveModel const& model, std::uint64_t samples, std::uint64_t seed,
                                         RunControl const& control) {
    std::size_t const edges = HessianWorker(model, seed).edges();
    HessianSums empty;
    empty.blocks.resize(edges * edges);
    auto const sums = run(samples, control, empty, [&] { return HessianWorker(model, seed); });
    DataHessianEstimates out{.total = sums.total.tailed(),
                             .gauss_newton = sums.gauss_newton.tailed(),
                             .functional = sums.functional.tailed(),
                             .cross = sums.cross.tailed(),
                             .target = sums.target.tailed(),
                             .blocks = std::vector<std::vector<Estimate>>(edges),
                             .modulus = sums.modulus.estimate(),
                             .reciprocal = sums.reciprocal.estimate(),
                             .without = sums.without};
    for (std::size_t k = 0; k < edges; ++k)
        for (std::size_t l = 0; l < edges; ++l) out.blocks[k].push_back(sums.blocks[k * edges + l].estimate());
    return out;
}

}  // namespace isserlis::monte_carlo
