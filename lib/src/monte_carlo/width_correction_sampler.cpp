// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/width_correction_sampler.hpp>

#include <array>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/architecture.hpp>
#include <isserlis/mlp/data_loss.hpp>
#include <isserlis/mlp/loss_derivatives.hpp>
#include <isserlis/random/stream.hpp>
#include <memory>
#include <span>

#include "running_covariance.hpp"

namespace isserlis::monte_carlo {
namespace {

/// What one network adds, in this order, and where the wider one's begin.
enum Place : std::size_t { at_square, at_fourth, at_product, at_square_of_products, at_tangent, at_tangent_xy, places };

struct CorrectionSums {
    detail::RunningCovariance all{2 * places};
    static void members(auto& self, auto const& f) { f(self.all); }
};

/// Networks of one of the two widths. The few outputs that are differentiated are the first of the many.
class DrawnWidth {
public:
    DrawnWidth(FiniteWidths const& model, std::uint64_t times)
        : bias_(std::sqrt(model.bias_variance)), inputs_(mlp::columns({model.x, model.y})) {
        std::vector<std::size_t> widths{model.x.size()};
        std::vector<double> scales;
        for (std::uint64_t const width : model.hidden) widths.push_back(times * width);
        for (std::size_t const below : widths)
            scales.push_back(std::sqrt(model.weight_variance / static_cast<double>(below)));
        auto const with_outputs = [&](std::size_t outputs) {
            auto all = widths;
            all.push_back(outputs);
            return std::make_shared<mlp::Architecture const>(
                mlp::perceptron(all, model.unit, {}, model.bias_variance > 0, scales));
        };
        many_ = with_outputs(correction_outputs);
        few_ = with_outputs(tangent_outputs);
        weights_ = many_->wiring().size();
        few_weights_ = few_->wiring().size();
        parameters_.resize(many_->parameters());
    }

    void draw(Stream& stream, std::span<double> out) {
        stream.fill_normal(parameters_);
        for (std::size_t i = weights_; i < parameters_.size(); ++i) parameters_[i] *= bias_;
        add_moments(mlp::network_outputs<double>(*many_, parameters_, inputs_), out);
        // Rows of the last matrix, and its biases, come last.
        chosen_.assign(parameters_.begin(), parameters_.begin() + static_cast<std::ptrdiff_t>(few_weights_));
        auto const biases = parameters_.begin() + static_cast<std::ptrdiff_t>(weights_);
        chosen_.insert(chosen_.end(), biases, biases + static_cast<std::ptrdiff_t>(few_->parameters() - few_weights_));
        auto derivatives = mlp::output_jacobian<double>(*few_, chosen_, inputs_);
        auto const behind = static_cast<Eigen::Index>(few_->parameters() - few_weights_);
        derivatives.rightCols(behind) *= bias_;  // by beta of b = sqrt(variance) beta
        auto const rows = static_cast<Eigen::Index>(tangent_outputs);
        auto const at_x = derivatives.topRows(rows);
        auto const at_y = derivatives.bottomRows(rows);
        out[at_tangent] = at_x.squaredNorm() / static_cast<double>(tangent_outputs);
        out[at_tangent_xy] = at_x.cwiseProduct(at_y).sum() / static_cast<double>(tangent_outputs);
    }

private:
    static void add_moments(mlp::Matrix<double> const& z, std::span<double> out) {
        auto const n = static_cast<double>(z.rows());
        auto const squares = z.col(0).cwiseAbs2().eval();
        auto const products = z.col(0).cwiseProduct(z.col(1)).eval();
        out[at_square] = squares.sum() / n;
        out[at_fourth] = squares.squaredNorm() / n;
        out[at_product] = products.sum() / n;
        // of two different neurons
        out[at_square_of_products] = (products.sum() * products.sum() - products.squaredNorm()) / (n * (n - 1));
    }

    double bias_;
    mlp::Matrix<double> inputs_;
    std::shared_ptr<mlp::Architecture const> many_, few_;
    std::size_t weights_ = 0, few_weights_ = 0;
    std::vector<double> parameters_, chosen_;
};

/// A mean, and its gradient by the means that it is made of, at both widths.
struct Coefficient {
    double value = 0;
    std::array<double, 2 * places> gradient{};
};

Estimate estimate(Coefficient const& c, detail::RunningCovariance const& sums) {
    double variance = 0;
    for (std::size_t i = 0; i < c.gradient.size(); ++i) {
        for (std::size_t j = 0; j < c.gradient.size(); ++j)
            variance += c.gradient[i] * c.gradient[j] * sums.covariance(i, j);
    }
    return {.mean = c.value,
            .std_error = std::sqrt(std::max(0.0, variance) / static_cast<double>(sums.count())),
            .samples = sums.count()};
}

}  // namespace

WidthCorrectionEstimates sample_width_corrections(FiniteWidths const& model, std::uint64_t samples, std::uint64_t seed,
                                                  RunControl const& control) {
    if (model.hidden.empty()) throw DomainError("sample_width_corrections: there is no hidden layer", "model");
    auto const sums = run(samples, control, CorrectionSums{}, [&] {
        return [narrow = DrawnWidth(model, 1), wide = DrawnWidth(model, 2), seed,
                numbers = std::vector<double>(2 * places)](std::uint64_t sample, CorrectionSums& into) mutable {
            Stream stream(seed, sample);
            narrow.draw(stream, std::span(numbers).first(places));
            wide.draw(stream, std::span(numbers).last(places));
            into.all.push(numbers);
        };
    });
    // Twice 2n of the wider network, less n of the narrower one.
    std::array<double, 2> const weights{-model.width, 4 * model.width};
    auto const of_mean = [&](Place place, double limit) {
        Coefficient out;
        for (std::size_t w = 0; w < 2; ++w) {
            out.gradient[w * places + place] = weights[w];
            out.value += weights[w] * (sums.all.mean(w * places + place) - limit);
        }
        return estimate(out, sums.all);
    };
    /// factor * (E of `place` - times * (E of `root`)^2)
    auto const of_cumulant = [&](Place place, Place root, double times, double factor) {
        Coefficient out;
        for (std::size_t w = 0; w < 2; ++w) {
            double const mean = sums.all.mean(w * places + root);
            out.gradient[w * places + place] = weights[w] * factor;
            out.gradient[w * places + root] = -2 * weights[w] * factor * times * mean;
            out.value += weights[w] * factor * (sums.all.mean(w * places + place) - times * mean * mean);
        }
        return estimate(out, sums.all);
    };
    return {.vertex = of_cumulant(at_fourth, at_square, 3, 1.0 / 3),
            .kernel = of_mean(at_square, model.kernel_x),
            .tangent = of_mean(at_tangent, model.tangent_x),
            .vertex_xy = of_cumulant(at_square_of_products, at_product, 1, 1),
            .kernel_xy = of_mean(at_product, model.kernel_xy),
            .tangent_xy = of_mean(at_tangent_xy, model.tangent_xy)};
}

}  // namespace isserlis::monte_carlo
