// SPDX-License-Identifier: MIT
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/extreme_eigenvalue.hpp>
#include <isserlis/mlp/hessian_product.hpp>
#include <isserlis/monte_carlo/draw_network.hpp>
#include <isserlis/monte_carlo/top_eigenvalue.hpp>
#include <isserlis/random/stream.hpp>

namespace isserlis::monte_carlo {
namespace {

/// The mean of some Hessians.
class Products {
public:
    explicit Products(std::span<mlp::LossHessian const> hessians) : hessians_(hessians), part_(rows()) {}
    [[nodiscard]] Eigen::Index rows() const { return hessians_.front().weights(); }
    void perform_op(double const* in, double* out) const {
        hessians_.front().apply(in, out);
        if (hessians_.size() == 1) return;
        Eigen::Map<Eigen::VectorXd> sum(out, rows());
        for (auto const& hessian : hessians_.subspan(1)) {
            hessian.apply(in, part_.data());
            sum += part_;
        }
        sum /= static_cast<double>(hessians_.size());
    }

private:
    std::span<mlp::LossHessian const> hessians_;
    mutable Eigen::VectorXd part_;
};

/// H g for a vector of independent standard normals.
Eigen::VectorXd random_image(Products const& products, Stream& stream) {
    Eigen::VectorXd direction(products.rows());
    stream.fill_normal({direction.data(), static_cast<std::size_t>(direction.size())});
    Eigen::VectorXd image(products.rows());
    products.perform_op(direction.data(), image.data());
    return image;
}

struct EigenvalueSums {
    RunningVariance modulus;
    RunningVariance reciprocal;
    RunningVariance squared_norm;
    std::uint64_t without = 0;
    std::uint64_t negative = 0;

    void merge(EigenvalueSums const& other) {
        modulus.merge(other.modulus);
        reciprocal.merge(other.reciprocal);
        squared_norm.merge(other.squared_norm);
        without += other.without;
        negative += other.negative;
    }
};

}  // namespace

double top_eigenvalue(std::span<mlp::LossHessian const> hessians) {
    if (hessians.size() == 1) {
        auto const& hessian = hessians.front();
        return mlp::largest_by_modulus(
                   {.size = hessian.range_size(),
                    .apply = [&](double const* in, double* out) { hessian.apply_in_range(in, out); }})
            .value;
    }
    Products const products(hessians);
    return mlp::largest_by_modulus(
               {.size = products.rows(), .apply = [&](double const* in, double* out) { products.perform_op(in, out); }})
        .value;
}

TopEigenvalues top_eigenvalues(NetworkModel const& model, std::vector<std::vector<double>> const& inputs,
                               std::vector<double> const& factors, double target_second_moment, std::uint64_t samples,
                               std::uint64_t seed, RunControl const& control) {
    model.validate();
    if (inputs.empty()) throw DomainError("top_eigenvalues: no input is given", "input");
    double const size = std::sqrt(target_second_moment);
    auto const outputs = static_cast<Eigen::Index>(model.widths.back());
    auto const sums = run(samples, control, EigenvalueSums{}, [&] {
        return [&](std::uint64_t sample, EigenvalueSums& into) {
            Stream signs(seed, sample, StreamUse::targets);
            std::vector<mlp::LossHessian> hessians;
            auto const net = draw_network<double>(model, seed, sample);
            for (auto const& input : inputs) {
                mlp::Vector<double> y(outputs);
                for (auto& t : y) t = signs.sign() * size;
                mlp::Vector<double> const x =
                    Eigen::Map<mlp::Vector<double> const>(input.data(), static_cast<Eigen::Index>(input.size()));
                hessians.emplace_back(net, x, y, factors);
            }
            Stream directions(seed, sample, StreamUse::directions);
            into.squared_norm.push(random_image(Products(hessians), directions).squaredNorm());
            double const top = top_eigenvalue(hessians);
            into.modulus.push(std::abs(top));
            into.negative += top < 0 ? 1 : 0;
            if (top == 0) {
                ++into.without;
            } else {
                into.reciprocal.push(2 / std::abs(top));
            }
        };
    });
    return {.modulus = sums.modulus.estimate(),
            .reciprocal = sums.reciprocal.estimate(),
            .squared_norm = sums.squared_norm.estimate(),
            .without = sums.without,
            .negative = sums.negative};
}

}  // namespace isserlis::monte_carlo
