// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/trace_sampler.hpp>

#include <isserlis/error.hpp>
#include <isserlis/random/stream.hpp>
#include <isserlis/random/unit_weight.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include "monte_carlo/semi_orthogonal.hpp"
#include "sampled_moments.hpp"

namespace isserlis::monte_carlo {
namespace {

using detail::Dual;
using TraceKind = TraceExpression::Kind;
using Complex = std::complex<double>;

bool is_complex(TraceModel const& model) {
    return std::any_of(model.matrices.begin(), model.matrices.end(),
                       [](auto const& m) { return m.law == SampledMatrix::Law::complex_gaussian; });
}

double number_of(TraceExpression const& e) {
    auto const slash = e.text.find('/');
    double const over = std::strtod(e.text.c_str(), nullptr);
    return slash == std::string::npos ? over : over / std::strtod(e.text.c_str() + slash + 1, nullptr);
}

/// The values of expressions on one draw of the matrices.
template <class Scalar>
class Draw {
public:
    using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

    Draw(TraceModel const& model, std::uint64_t seed, std::uint64_t sample) : model_(model) {
        Stream stream(seed, sample);
        for (auto const& m : model.matrices) matrices_.emplace(m.name, drawn(m, stream));
    }

    [[nodiscard]] Scalar value(TraceExpression const& e) const {
        switch (e.kind) {
            case TraceKind::trace: {
                Shifted const x = matrix(e.operands[0]);
                return x.shift * static_cast<double>(x.matrix.rows()) + x.matrix.trace();
            }
            case TraceKind::norm2: {
                Shifted x = matrix(e.operands[0]);
                x.matrix += x.shift * Matrix::Identity(x.matrix.rows(), x.matrix.cols());
                return Scalar(x.matrix.squaredNorm());
            }
            case TraceKind::entry: {
                Shifted const x = matrix(e.operands[0]);
                auto const i = static_cast<Eigen::Index>(e.row - 1);
                auto const j = static_cast<Eigen::Index>(e.column - 1);
                return x.matrix(i, j) + (i == j ? x.shift : Scalar(0));
            }
            default: return arithmetic<Scalar>(e, [&](TraceExpression const& part) { return value(part); });
        }
    }

private:
    /// matrix + shift * identity; a number, or a multiple of the identity, while `matrix` is empty.
    struct Shifted {
        Scalar shift = Scalar(0);
        Matrix matrix = {};

        [[nodiscard]] bool is_number() const { return matrix.size() == 0; }
        friend Shifted operator*(Shifted const& a, Shifted const& b) {
            Shifted out{.shift = a.shift * b.shift};
            if (a.is_number() && b.is_number()) return out;
            out.matrix = Matrix::Zero((a.is_number() ? b : a).matrix.rows(), (b.is_number() ? a : b).matrix.cols());
            // A shift other than 0 beside a matrix means that the other one keeps its shape.
            if (!a.is_number() && b.shift != Scalar(0)) out.matrix += b.shift * a.matrix;
            if (!b.is_number() && a.shift != Scalar(0)) out.matrix += a.shift * b.matrix;
            if (!a.is_number() && !b.is_number()) out.matrix += a.matrix * b.matrix;
            return out;
        }
        friend Shifted operator+(Shifted const& a, Shifted const& b) {
            Shifted out{.shift = a.shift + b.shift};
            out.matrix = a.is_number() ? b.matrix : b.is_number() ? a.matrix : Matrix(a.matrix + b.matrix);
            return out;
        }
    };

    template <class T, class Part>
    [[nodiscard]] T arithmetic(TraceExpression const& e, Part const& part) const {
        auto const constant = [](double x) {
            if constexpr (std::is_same_v<T, Scalar>) {
                return Scalar(x);
            } else {
                return T{.shift = Scalar(x)};
            }
        };
        T out = constant(0);
        switch (e.kind) {
            case TraceKind::number: return constant(number_of(e));
            case TraceKind::parameter: return constant(model_.parameters.at(e.text));
            case TraceKind::power: {
                T const base = part(e.operands[0]);
                if constexpr (std::is_same_v<T, Shifted>) {
                    // Power 0 of a matrix is an identity that has its shape.
                    if (e.exponent == 0 && !base.is_number())
                        return T{.shift = Scalar(1), .matrix = Matrix::Zero(base.matrix.rows(), base.matrix.cols())};
                }
                out = constant(1);
                for (unsigned k = 0; k < e.exponent; ++k) out = k == 0 ? base : T(out * base);
                return out;
            }
            case TraceKind::product:
                out = part(e.operands[0]);
                for (std::size_t k = 1; k < e.operands.size(); ++k) {
                    if (e.signs[k] > 0) {
                        out = out * part(e.operands[k]);
                    } else if constexpr (std::is_same_v<T, Scalar>) {
                        out = out / part(e.operands[k]);
                    } else {
                        out = out * T{.shift = Scalar(1) / part(e.operands[k]).shift};
                    }
                }
                return out;
            case TraceKind::sum:
                for (std::size_t k = 0; k < e.operands.size(); ++k) {
                    T const x = part(e.operands[k]);
                    out = out + (e.signs[k] < 0 ? T(constant(-1) * x) : x);
                }
                return out;
            default: break;
        }
        throw DomainError("sample_traces: a part of the expression does not belong there", "query");
    }

    [[nodiscard]] Shifted matrix(TraceExpression const& e) const {
        Shifted out;
        switch (e.kind) {
            case TraceKind::matrix: return {.shift = Scalar(0), .matrix = matrices_.at(e.text)};
            case TraceKind::identity: return {.shift = Scalar(1)};
            case TraceKind::transpose:
            case TraceKind::adjoint:
                out = matrix(e.operands[0]);
                if (!out.is_number()) {
                    out.matrix =
                        e.kind == TraceKind::transpose ? Matrix(out.matrix.transpose()) : Matrix(out.matrix.adjoint());
                }
                return out;
            default: return arithmetic<Shifted>(e, [&](TraceExpression const& part) { return matrix(part); });
        }
    }

    [[nodiscard]] static Eigen::MatrixXd normals(std::size_t rows, std::size_t columns, Stream& stream) {
        Eigen::MatrixXd out(rows, columns);
        stream.fill_normal({out.data(), static_cast<std::size_t>(out.size())});
        return out;
    }

    [[nodiscard]] static Matrix drawn(SampledMatrix const& m, Stream& stream) {
        double const scale = std::sqrt(m.variance);
        if (m.law == SampledMatrix::Law::complex_gaussian) {
            if constexpr (std::is_same_v<Scalar, Complex>) {
                Matrix out = normals(m.rows, m.columns, stream).template cast<Complex>();
                out += Complex(0, 1) * normals(m.rows, m.columns, stream).template cast<Complex>();
                return out * std::sqrt(m.variance / 2);
            }
        }
        if (m.law == SampledMatrix::Law::orthogonal)
            return semi_orthogonal(m.rows, m.columns, stream).template cast<Scalar>();
        Eigen::MatrixXd out(m.rows, m.columns);
        if (m.law == SampledMatrix::Law::diagonal) {
            out.setZero();
            for (std::size_t i = 0; i < m.diagonal.size(); ++i)
                out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(i)) = m.diagonal[i];
            return out.template cast<Scalar>();
        }
        if (m.law == SampledMatrix::Law::fixed) {
            for (std::size_t i = 0; i < m.rows; ++i)
                for (std::size_t j = 0; j < m.columns; ++j)
                    out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = m.values[i * m.columns + j];
            return out.template cast<Scalar>();
        }
        UnitWeight(m.entries).fill(stream, {out.data(), static_cast<std::size_t>(out.size())});
        return (scale * out).template cast<Scalar>();
    }

    TraceModel const& model_;
    std::map<std::string, Matrix> matrices_;
};

/// The expectations of an expression, as they are sampled.
class TraceFeatures {
public:
    TraceFeatures(TraceModel const& model, TraceExpression const& expression) : model_(model), expression_(expression) {
        collect(expression);
    }

    [[nodiscard]] std::size_t size() const { return moments_.size(); }
    void set_origin(std::uint64_t seed) {
        std::vector<double> origin;
        for (auto const& x : on_draw(seed, 0)) origin.push_back(x.real());
        moments_.set_origin(std::move(origin));
    }

    [[nodiscard]] std::vector<double> of(std::uint64_t seed, std::uint64_t sample) const {
        auto x = on_draw(seed, sample);
        std::vector<double> out;
        for (std::size_t k = 0; k < x.size(); ++k) out.push_back((x[k] -= moments_.origin()[k]).real());
        for (auto const& [j, k] : moments_.products()) out.push_back((x[j] * x[k]).real());
        return out;
    }

    [[nodiscard]] Estimate estimate(detail::RunningCovariance const& sums) const {
        return moments_.estimate(value(expression_, sums), sums);
    }

private:
    template <class Scalar>
    [[nodiscard]] std::vector<Complex> values(std::uint64_t seed, std::uint64_t sample) const {
        Draw<Scalar> const draw(model_, seed, sample);
        std::vector<Complex> out;
        for (auto const* part : parts_) out.emplace_back(draw.value(*part));
        return out;
    }
    [[nodiscard]] std::vector<Complex> on_draw(std::uint64_t seed, std::uint64_t sample) const {
        return is_complex(model_) ? values<Complex>(seed, sample) : values<double>(seed, sample);
    }

    void collect(TraceExpression const& e) {
        bool const second = e.kind == TraceKind::variance || e.kind == TraceKind::covariance;
        for (auto const& operand : e.operands) {
            if (e.kind != TraceKind::mean && !second) {
                collect(operand);
            } else if (moments_.add(to_string(operand))) {
                parts_.push_back(&operand);
            }
        }
        if (second) moments_.add_product(to_string(e.operands.front()), to_string(e.operands.back()));
    }

    [[nodiscard]] Dual value(TraceExpression const& e, detail::RunningCovariance const& sums) const {
        auto const operand = [&](std::size_t k) { return value(e.operands[k], sums); };
        switch (e.kind) {
            case TraceKind::number: return moments_.constant(number_of(e));
            case TraceKind::parameter: return moments_.constant(model_.parameters.at(e.text));
            case TraceKind::mean: return moments_.mean(to_string(e.operands[0]), sums);
            case TraceKind::variance:
            case TraceKind::covariance:
                return moments_.covariance(to_string(e.operands.front()), to_string(e.operands.back()), sums);
            case TraceKind::power: return detail::power(moments_.constant(1), e.exponent, operand);
            case TraceKind::product: return detail::product(e.signs, operand);
            case TraceKind::sum: return detail::sum(moments_.constant(0), e.signs, operand);
            default: break;
        }
        throw DomainError("sample_traces: a trace stands outside of the expectations", "query");
    }

    TraceModel const& model_;
    TraceExpression const& expression_;
    std::vector<TraceExpression const*> parts_;
    detail::SampledMoments moments_;
};

/// How many products of two matrices the expression asks for.
double products_in(TraceExpression const& e) {
    double out = 0;
    for (auto const& operand : e.operands) out += products_in(operand);
    if (e.kind == TraceKind::power) return out * e.exponent + e.exponent;
    if (e.kind == TraceKind::product) out += static_cast<double>(e.operands.size());
    return out + 1;
}

}  // namespace

Estimate sample_traces(TraceModel const& model, TraceExpression const& expression, std::uint64_t samples,
                       std::uint64_t seed, RunControl const& control) {
    TraceFeatures features(model, expression);
    features.set_origin(seed);
    auto const sums = run(samples, control, detail::RunningCovariance(features.size()), [&] {
        return [&](std::uint64_t sample, detail::RunningCovariance& into) { into.push(features.of(seed, sample)); };
    });
    Estimate const out = features.estimate(sums);
    if (!std::isfinite(out.mean) || !std::isfinite(out.std_error)) {
        throw UnsupportedError("sample_traces: the value or its error is beyond double; scale the variances down",
                               "query");
    }
    return out;
}

double trace_work(TraceModel const& model, TraceExpression const& expression) {
    double entries = 0;
    double side = 0;
    for (auto const& m : model.matrices) {
        auto const rows = static_cast<double>(m.rows);
        auto const columns = static_cast<double>(m.columns);
        entries += rows * columns;
        side = std::max({side, rows, columns});
        if (m.law == SampledMatrix::Law::orthogonal) entries += rows * columns * std::min(rows, columns) / 10;
    }
    // A multiplication takes about a twentieth of a drawn weight.
    return entries + products_in(expression) * (1 + side * side * side / 20) * (is_complex(model) ? 4 : 1);
}

}  // namespace isserlis::monte_carlo
