// SPDX-License-Identifier: MIT
#include <Spectra/SymEigsSolver.h>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/hessian_product.hpp>
#include <isserlis/monte_carlo/draw_network.hpp>
#include <isserlis/monte_carlo/top_eigenvalue.hpp>
#include <isserlis/random/stream.hpp>
#include <string>

namespace isserlis::monte_carlo {
namespace {

constexpr Eigen::Index least_weights_of_lanczos = 40;
constexpr Eigen::Index basis_size = 20;
constexpr Eigen::Index most_restarts = 1000;
constexpr double tolerance = 1e-8;

/// The mean of some Hessians, as Spectra asks for an operator.
class Products {
public:
    using Scalar = double;
    explicit Products(std::span<mlp::LossHessian const> hessians) : hessians_(hessians), part_(rows()) {}
    [[nodiscard]] Eigen::Index rows() const { return hessians_.front().weights(); }
    [[nodiscard]] Eigen::Index cols() const { return rows(); }
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

double dense_top_eigenvalue(Products const& products) {
    Eigen::Index const p = products.rows();
    Eigen::MatrixXd matrix(p, p);
    Eigen::VectorXd unit = Eigen::VectorXd::Zero(p);
    for (Eigen::Index i = 0; i < p; ++i) {
        unit[i] = 1;
        products.perform_op(unit.data(), matrix.col(i).data());
        unit[i] = 0;
    }
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> const solver(matrix, Eigen::EigenvaluesOnly);
    auto const& values = solver.eigenvalues();
    return std::abs(values[0]) > std::abs(values[p - 1]) ? values[0] : values[p - 1];
}

/// H g for a vector of independent standard normals.
Eigen::VectorXd random_image(Products const& products, Stream& stream) {
    Eigen::VectorXd direction(products.rows());
    for (auto& x : direction) x = stream.normal();
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
    Products products(hessians);
    if (products.rows() < least_weights_of_lanczos) return dense_top_eigenvalue(products);
    // A fixed direction without a pattern: an operator takes it to 0 if it is 0, and else almost never.
    Stream stream(0, 0);
    Eigen::VectorXd const start = random_image(products, stream);
    if (start.isZero(0)) return 0;
    Spectra::SymEigsSolver<Products> solver(products, 1, basis_size);
    solver.init(start.data());
    auto const converged = solver.compute(Spectra::SortRule::LargestMagn, most_restarts, tolerance);
    if (converged < 1) {
        throw UnsupportedError("top_eigenvalue: Lanczos did not converge on " + std::to_string(products.rows()) +
                               " weights");
    }
    return solver.eigenvalues()[0];
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
