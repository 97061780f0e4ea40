// SPDX-License-Identifier: MIT
#include <isserlis/mlp/loss.hpp>

#include <cmath>
#include <isserlis/error.hpp>
#include <string>

namespace isserlis::mlp {
namespace {

using Index = Eigen::Index;
using VectorOut = Eigen::Ref<Vector<double>, 0, Eigen::InnerStride<>>;

void require_one_size(char const* function, Index outputs, Index others, char const* what) {
    if (outputs == others) return;
    throw DomainError(std::string(function) + ": the output has " + std::to_string(outputs) + " entries, the " + what +
                          " " + std::to_string(others) + "; they must agree",
                      what);
}

/// softmax(z) in a form that keeps small numbers: p_j = exp(z_j - z_top) / (1 + others).
struct Softmax {
    VectorView const& z;
    Index top = 0;
    double others = 0;  ///< sum of exp(z_j - z_top) over j other than the largest

    explicit Softmax(VectorView const& logits) : z(logits) {
        z.maxCoeff(&top);
        for (Index j = 0; j < z.size(); ++j)
            if (j != top) others += std::exp(z[j] - z[top]);
    }
    [[nodiscard]] double operator[](Index j) const {
        return j == top ? 1 / (1 + others) : std::exp(z[j] - z[top]) / (1 + others);
    }
    /// 1 - p_j
    [[nodiscard]] double complement(Index j) const { return j == top ? others / (1 + others) : 1 - (*this)[j]; }
};

/// What is left of a sigmoid on the side where it is small: sigmoid(-|z|).
double small_sigmoid(double z) {
    double const e = std::exp(-std::abs(z));
    return e / (1 + e);
}

/// weight * z, which is 0 for a weight of 0 even where z is infinite: no part of the loss speaks of that z.
double weighted(double weight, double z) { return weight == 0 && !std::isnan(z) ? 0 : weight * z; }

double binary_value(double z, double y) {
    return (z > 0 ? weighted(1 - y, z) : -weighted(y, z)) + std::log1p(std::exp(-std::abs(z)));
}
double binary_gradient(double z, double y) { return z > 0 ? (1 - y) - small_sigmoid(z) : small_sigmoid(z) - y; }
double binary_hessian(double z) {
    double const p = small_sigmoid(z);
    return p * (1 - p);
}

double cross_entropy(VectorView const& z, VectorView const& y) {
    if (z.size() == 0) return 0;
    Softmax const p(z);
    double out = std::log1p(p.others);
    double targets = 0;
    for (Index j = 0; j < z.size(); ++j) {
        if (j != p.top) out -= weighted(y[j], z[j] - z[p.top]);
        targets += y[j];
    }
    return out + weighted(1 - targets, z[p.top]);
}

void write_gradient(LossKind kind, VectorView const& z, VectorView const& y, VectorOut out) {
    switch (kind) {
        case LossKind::squared: out = 2 * (z - y); return;
        case LossKind::half_squared: out = z - y; return;
        case LossKind::cross_entropy: {
            if (z.size() == 0) return;
            Softmax const p(z);
            for (Index j = 0; j < z.size(); ++j) out[j] = j == p.top ? (1 - y[j]) - p.complement(j) : p[j] - y[j];
            return;
        }
        case LossKind::binary_cross_entropy:
            for (Index j = 0; j < z.size(); ++j) out[j] = binary_gradient(z[j], y[j]);
            return;
    }
}

}  // namespace

double loss_value(LossKind kind, VectorView const& z, VectorView const& y) {
    require_one_size("loss_value", z.size(), y.size(), "target");
    switch (kind) {
        case LossKind::squared: return (z - y).squaredNorm();
        case LossKind::half_squared: return (z - y).squaredNorm() / 2;
        case LossKind::cross_entropy: return cross_entropy(z, y);
        case LossKind::binary_cross_entropy: break;
    }
    double out = 0;
    for (Index j = 0; j < z.size(); ++j) out += binary_value(z[j], y[j]);
    return out;
}

Vector<double> loss_gradient(LossKind kind, VectorView const& z, VectorView const& y) {
    require_one_size("loss_gradient", z.size(), y.size(), "target");
    Vector<double> out(z.size());
    write_gradient(kind, z, y, out);
    return out;
}

Matrix<double> loss_hessian(LossKind kind, VectorView const& z) {
    Matrix<double> out = Matrix<double>::Identity(z.size(), z.size());
    switch (kind) {
        case LossKind::squared: return 2 * out;
        case LossKind::half_squared: return out;
        case LossKind::cross_entropy: {
            if (z.size() == 0) return out;
            Softmax const p(z);
            for (Index i = 0; i < z.size(); ++i)
                for (Index j = 0; j < z.size(); ++j) out(i, j) = i == j ? p[i] * p.complement(i) : -p[i] * p[j];
            return out;
        }
        case LossKind::binary_cross_entropy:
            for (Index j = 0; j < z.size(); ++j) out(j, j) = binary_hessian(z[j]);
            return out;
    }
    return out;
}

double loss_hessian_form(LossKind kind, VectorView const& z, VectorView const& u) {
    require_one_size("loss_hessian_form", z.size(), u.size(), "direction");
    double out = 0;
    switch (kind) {
        case LossKind::squared: return 2 * u.squaredNorm();
        case LossKind::half_squared: return u.squaredNorm();
        case LossKind::cross_entropy: {
            // The variance of u under the probabilities p.
            if (z.size() == 0) return 0;
            Softmax const p(z);
            double mean = 0;  // of u - u_top, which is small where p is nearly one-hot
            for (Index j = 0; j < z.size(); ++j) mean += p[j] * (u[j] - u[p.top]);
            for (Index j = 0; j < z.size(); ++j) {
                double const deviation = u[j] - u[p.top] - mean;
                out += p[j] * deviation * deviation;
            }
            return out;
        }
        case LossKind::binary_cross_entropy:
            for (Index j = 0; j < z.size(); ++j) out += binary_hessian(z[j]) * u[j] * u[j];
            return out;
    }
    return out;
}

Vector<double> loss_hessian_product(LossKind kind, VectorView const& z, VectorView const& u) {
    require_one_size("loss_hessian_product", z.size(), u.size(), "direction");
    Vector<double> out = u;
    switch (kind) {
        case LossKind::squared: out *= 2; break;
        case LossKind::half_squared: break;
        case LossKind::cross_entropy: {
            if (z.size() == 0) break;
            Softmax const p(z);
            double mean = 0;  // of u - u_top, as above
            for (Index j = 0; j < z.size(); ++j) mean += p[j] * (u[j] - u[p.top]);
            for (Index j = 0; j < z.size(); ++j) out[j] = p[j] * (u[j] - u[p.top] - mean);
            break;
        }
        case LossKind::binary_cross_entropy:
            for (Index j = 0; j < z.size(); ++j) out[j] *= binary_hessian(z[j]);
            break;
    }
    return out;
}

Vector<double> softmax(VectorView const& z) {
    Vector<double> out(z.size());
    if (z.size() == 0) return out;
    Softmax const p(z);
    for (Index j = 0; j < z.size(); ++j) out[j] = p[j];
    return out;
}

double sigmoid(double z) { return z > 0 ? 1 / (1 + std::exp(-z)) : small_sigmoid(z); }

double mean_loss(LossKind kind, Matrix<double> const& outputs, Matrix<double> const& targets) {
    require_one_size("mean_loss", outputs.cols(), targets.cols(), "targets");
    require_one_size("mean_loss", outputs.rows(), targets.rows(), "target");
    auto const samples = static_cast<double>(outputs.cols());
    if (kind == LossKind::squared) return (outputs - targets).squaredNorm() / samples;
    if (kind == LossKind::half_squared) return (outputs - targets).squaredNorm() / (2 * samples);
    double out = 0;
    for (Index k = 0; k < outputs.cols(); ++k) out += loss_value(kind, outputs.col(k), targets.col(k));
    return out / samples;
}

void loss_gradients(LossKind kind, Matrix<double> const& outputs, Matrix<double> const& targets,
                    Matrix<double>& gradients) {
    require_one_size("loss_gradients", outputs.cols(), targets.cols(), "targets");
    require_one_size("loss_gradients", outputs.rows(), targets.rows(), "target");
    gradients.resize(outputs.rows(), outputs.cols());
    for (Index k = 0; k < outputs.cols(); ++k) write_gradient(kind, outputs.col(k), targets.col(k), gradients.col(k));
}

double mean_hessian_form(LossKind kind, Matrix<double> const& outputs, Matrix<double> const& directions) {
    require_one_size("mean_hessian_form", outputs.cols(), directions.cols(), "directions");
    double out = 0;
    for (Index k = 0; k < outputs.cols(); ++k) out += loss_hessian_form(kind, outputs.col(k), directions.col(k));
    return out / static_cast<double>(outputs.cols());
}

}  // namespace isserlis::mlp
