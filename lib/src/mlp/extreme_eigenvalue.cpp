// SPDX-License-Identifier: MIT
#include <isserlis/mlp/extreme_eigenvalue.hpp>

#include <Spectra/SymEigsSolver.h>
#include <Eigen/Eigenvalues>

#include <cmath>
#include <isserlis/error.hpp>
#include <string>

namespace isserlis::mlp {
namespace {

constexpr Eigen::Index least_size_of_lanczos = 40;
constexpr Eigen::Index lanczos_basis = 20;
constexpr Eigen::Index most_restarts = 1000;
constexpr double lanczos_tolerance = 1e-8;

/// H + shift, as Spectra asks for an operator.
class Shifted {
public:
    using Scalar = double;
    Shifted(SymmetricOperator const& h, double shift) : h_(h), shift_(shift) {}
    [[nodiscard]] Eigen::Index rows() const { return h_.size; }
    [[nodiscard]] Eigen::Index cols() const { return h_.size; }
    void perform_op(double const* in, double* out) const {
        h_.apply(in, out);
        Eigen::Map<Eigen::VectorXd> image(out, h_.size);
        if (!image.allFinite()) throw DomainError("top eigenvalue: a product with the Hessian is not finite");
        if (shift_ != 0) image += shift_ * Eigen::Map<Eigen::VectorXd const>(in, h_.size);
    }

private:
    SymmetricOperator const& h_;
    double shift_;
};

/// A fixed direction without a pattern, from the bits of the golden ratio's multiples.
Eigen::VectorXd patternless(Eigen::Index size) {
    Eigen::VectorXd out(size);
    for (Eigen::Index i = 0; i < size; ++i) {
        double const multiple = static_cast<double>(i + 1) * 0.6180339887498949;
        double const part = (multiple - std::floor(multiple)) * 127.0 + 1.0 / 3;
        out[i] = 2 * (part - std::floor(part)) - 1;
    }
    return out;
}

ExtremeEigenvalue with_residual(Shifted const& h, double value, Eigen::VectorXd const& vector) {
    Eigen::VectorXd image(vector.size());
    h.perform_op(vector.data(), image.data());
    return {.value = value, .residual = (image - value * vector).norm() / vector.norm()};
}

ExtremeEigenvalue dense_extreme(Shifted const& h) {
    Eigen::Index const n = h.rows();
    Eigen::MatrixXd matrix(n, n);
    Eigen::VectorXd unit = Eigen::VectorXd::Zero(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        unit[i] = 1;
        h.perform_op(unit.data(), matrix.col(i).data());
        unit[i] = 0;
    }
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> const solver(matrix);
    auto const& values = solver.eigenvalues();
    Eigen::Index const at = std::abs(values[0]) > std::abs(values[n - 1]) ? 0 : n - 1;
    return with_residual(h, values[at], solver.eigenvectors().col(at));
}

ExtremeEigenvalue extreme(Shifted const& h) {
    if (h.rows() < least_size_of_lanczos) return dense_extreme(h);
    Eigen::VectorXd start(h.rows());
    h.perform_op(patternless(h.rows()).data(), start.data());
    if (start.isZero(0)) return {};
    Shifted products = h;
    Spectra::SymEigsSolver<Shifted> solver(products, 1, lanczos_basis);
    solver.init(start.data());
    if (solver.compute(Spectra::SortRule::LargestMagn, most_restarts, lanczos_tolerance) < 1)
        throw UnsupportedError("top eigenvalue: Lanczos did not converge on " + std::to_string(h.rows()) + " weights");
    return with_residual(h, solver.eigenvalues()[0], solver.eigenvectors().col(0));
}

}  // namespace

ExtremeEigenvalue largest_by_modulus(SymmetricOperator const& h) { return extreme({h, 0}); }

ExtremeEigenvalue largest_by_value(SymmetricOperator const& h, ExtremeEigenvalue const& by_modulus) {
    if (by_modulus.value >= 0) return by_modulus;
    auto out = extreme({h, -by_modulus.value});
    out.value += by_modulus.value;
    return out;
}

}  // namespace isserlis::mlp
