// SPDX-License-Identifier: MIT
#include <Spectra/SymEigsSolver.h>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/hessian_product.hpp>
#include <isserlis/monte_carlo/draw_network.hpp>
#include <isserlis/monte_carlo/random.hpp>
#include <isserlis/monte_carlo/top_eigenvalue.hpp>

namespace isserlis::monte_carlo {
namespace {

constexpr Eigen::Index least_weights_of_lanczos = 40;
constexpr Eigen::Index basis_size = 20;
constexpr Eigen::Index most_restarts = 1000;
constexpr double tolerance = 1e-8;

/// As Spectra asks for it.
class Products {
public:
    using Scalar = double;
    explicit Products(mlp::LossHessian const& hessian) : hessian_(&hessian) {}
    [[nodiscard]] Eigen::Index rows() const { return hessian_->weights(); }
    [[nodiscard]] Eigen::Index cols() const { return hessian_->weights(); }
    void perform_op(double const* in, double* out) const { hessian_->apply(in, out); }

private:
    mlp::LossHessian const* hessian_;
};

double dense_top_eigenvalue(mlp::LossHessian const& hessian) {
    Eigen::Index const p = hessian.weights();
    Eigen::MatrixXd matrix(p, p);
    Eigen::VectorXd unit = Eigen::VectorXd::Zero(p);
    for (Eigen::Index i = 0; i < p; ++i) {
        unit[i] = 1;
        hessian.apply(unit.data(), matrix.col(i).data());
        unit[i] = 0;
    }
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> const solver(matrix, Eigen::EigenvaluesOnly);
    auto const& values = solver.eigenvalues();
    return std::abs(values[0]) > std::abs(values[p - 1]) ? values[0] : values[p - 1];
}

struct Sums {
    RunningVariance modulus;
    RunningVariance reciprocal;
    std::uint64_t without = 0;
    std::uint64_t negative = 0;

    void merge(Sums const& other) {
        modulus.merge(other.modulus);
        reciprocal.merge(other.reciprocal);
        without += other.without;
        negative += other.negative;
    }
};

}  // namespace

double top_eigenvalue(mlp::LossHessian const& hessian) {
    Eigen::Index const p = hessian.weights();
    if (p < least_weights_of_lanczos) return dense_top_eigenvalue(hessian);
    // A fixed direction without a pattern; a symmetric operator that takes it to 0 is 0 with certainty for a dead
    // network, and else almost never.
    Eigen::VectorXd start(p);
    Stream stream(0, 0);
    for (Eigen::Index i = 0; i < p; ++i) start[i] = stream.normal();
    Eigen::VectorXd image(p);
    hessian.apply(start.data(), image.data());
    if (image.isZero(0)) return 0;
    Products products(hessian);
    Spectra::SymEigsSolver<Products> solver(products, 1, basis_size);
    solver.init(image.data());
    auto const converged = solver.compute(Spectra::SortRule::LargestMagn, most_restarts, tolerance);
    if (converged < 1)
        throw UnsupportedError("top_eigenvalue: Lanczos did not converge on " + std::to_string(p) + " weights");
    return solver.eigenvalues()[0];
}

TopEigenvalues top_eigenvalues(NetworkModel const& model, std::vector<double> const& factors,
                               double target_second_moment, std::uint64_t samples, std::uint64_t seed,
                               RunControl const& control) {
    model.validate();
    mlp::Vector<double> const x =
        Eigen::Map<mlp::Vector<double> const>(model.input.data(), static_cast<Eigen::Index>(model.input.size()));
    double const size = std::sqrt(target_second_moment);
    auto const outputs = static_cast<Eigen::Index>(model.widths.back());
    auto const sums = run(samples, control, Sums{}, [&] {
        return [&](std::uint64_t sample, Sums& into) {
            constexpr StreamUse target_use{2};  // beside those of weights and ties
            Stream signs(seed, sample, target_use);
            mlp::Vector<double> y(outputs);
            for (auto& t : y) t = signs.sign() * size;
            mlp::LossHessian const hessian(draw_network<double>(model, seed, sample), x, y, factors);
            double const top = top_eigenvalue(hessian);
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
            .without = sums.without,
            .negative = sums.negative};
}

}  // namespace isserlis::monte_carlo
