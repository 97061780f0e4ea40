// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/step_sampler.hpp>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/data_loss.hpp>
#include <isserlis/mlp/loss_derivatives.hpp>
#include <isserlis/mlp/matrix_vector.hpp>
#include <isserlis/mlp/network.hpp>
#include <isserlis/random/stream.hpp>
#include <string>

#include "chain_weights.hpp"
#include "float_range.hpp"

namespace isserlis::monte_carlo {
namespace {

using mlp::multiply_vector;
using mlp::multiply_vector_transposed;

struct LayerSums {
    RunningVariance square, change, covariance, change_square, updated_square;
    RunningVariance absolute, change_absolute, updated_absolute;

    void push(mlp::Vector<double> const& z, mlp::Vector<double> const& moved) {
        auto const n = static_cast<double>(z.size());
        square.push(z.squaredNorm() / n);
        change.push(moved.sum() / n);
        covariance.push(z.dot(moved) / n);
        change_square.push(moved.squaredNorm() / n);
        updated_square.push((z + moved).squaredNorm() / n);
        absolute.push(z.lpNorm<1>() / n);
        change_absolute.push(moved.lpNorm<1>() / n);
        updated_absolute.push((z + moved).lpNorm<1>() / n);
    }
    static void members(auto& self, auto const& f) {
        f(self.square, self.change, self.covariance, self.change_square, self.updated_square, self.absolute,
          self.change_absolute, self.updated_absolute);
    }
};

/// Networks of one model, one after another, and how their pre-activations move along a step.
template <class T>
class Stepped {
    using Vector = mlp::Vector<T>;

public:
    explicit Stepped(NetworkModel const& model)
        : model_(model), drawing_(model), weights_(drawing_.size()), layers_(model.depth()) {
        for (std::size_t l = 0; l < layers_.size(); ++l) {
            auto const rows = static_cast<Eigen::Index>(model.widths[l + 1]);
            for (Vector* v : {&layers_[l].z, &layers_[l].h, &layers_[l].slopes, &layers_[l].moves, &layers_[l].moved})
                v->setZero(rows);
            layers_[l].gates.setOnes(rows);
        }
        input_ =
            Eigen::Map<mlp::Vector<double> const>(model.input.data(), static_cast<Eigen::Index>(model.input.size()))
                .cast<T>();
    }

    /// On the loss |z^n - y|^2 / 2 with targets y of random signs and this size.
    void take_step(std::uint64_t seed, std::uint64_t sample, std::vector<double> const& rates, double size) {
        drawing_.draw(seed, sample, std::span<T>(weights_));
        for (std::size_t l = 0; l < layers_.size(); ++l) pass_forward(l);
        Stream signs(seed, sample, StreamUse::targets);
        auto& last = layers_.back();
        for (Eigen::Index i = 0; i < last.z.size(); ++i)
            last.slopes[i] = last.z[i] - static_cast<T>(signs.sign() * size);
        for (std::size_t l = layers_.size(); l-- > 1;) {
            multiply_vector_transposed(model_.widths[l + 1], model_.widths[l], matrix(l), layers_[l].slopes.data(),
                                       layers_[l - 1].slopes.data());
            layers_[l - 1].slopes.array() *= static_cast<T>(model_.scale(l + 1)) * layers_[l - 1].gates.array();
        }
        for (std::size_t l = 0; l < layers_.size(); ++l) {
            auto& layer = layers_[l];
            // The gradient is an outer product, so that it takes h to a multiple of the slopes.
            T const scale = static_cast<T>(model_.scale(l + 1));
            layer.moves = (static_cast<T>(-rates[l]) * scale * scale * below(l).squaredNorm()) * layer.slopes;
            if (l > 0) {
                multiply_vector(model_.widths[l + 1], model_.widths[l], matrix(l), layers_[l - 1].moved.data(),
                                layer.moved.data());
                layer.moves += scale * layer.moved;
            }
            layer.moved = layer.gates.cwiseProduct(layer.moves);
        }
    }

    [[nodiscard]] Vector const& preactivations(std::size_t l) const { return layers_[l].z; }
    [[nodiscard]] Vector const& moves(std::size_t l) const { return layers_[l].moves; }

private:
    struct State {
        Vector z, gates, h;
        Vector slopes;        ///< of the loss by z
        Vector moves, moved;  ///< of z, and of h
    };

    [[nodiscard]] T const* matrix(std::size_t l) const { return &weights_[drawing_.first(l + 1)]; }
    [[nodiscard]] Vector const& below(std::size_t l) const { return l == 0 ? input_ : layers_[l - 1].h; }

    void pass_forward(std::size_t l) {
        auto& layer = layers_[l];
        multiply_vector(model_.widths[l + 1], model_.widths[l], matrix(l), below(l).data(), layer.z.data());
        layer.z *= static_cast<T>(model_.scale(l + 1));
        if (model_.has_gates(l + 1))
            for (Eigen::Index i = 0; i < layer.z.size(); ++i)
                layer.gates[i] = layer.z[i] > 0 ? T(1) : static_cast<T>(model_.activation.gate().negative);
        layer.h = layer.gates.cwiseProduct(layer.z);
    }

    NetworkModel const& model_;
    detail::ChainWeights drawing_;
    std::vector<T> weights_;
    Vector input_;
    std::vector<State> layers_;
};

struct BatchSums {
    std::vector<RunningVariance> inputs;

    static void members(auto& self, auto const& f) { f(self.inputs); }
};

struct StepSums {
    std::vector<LayerSums> layers;

    static void members(auto& self, auto const& f) { f(self.layers); }
};

template <class T>
StepSums stepped(NetworkModel const& model, std::vector<double> const& rates, double size, std::uint64_t samples,
                 std::uint64_t seed, RunControl const& control) {
    return run(samples, control, StepSums{std::vector<LayerSums>(model.depth())}, [&] {
        return [net = Stepped<T>(model), seed, size, &rates](std::uint64_t sample, StepSums& into) mutable {
            net.take_step(seed, sample, rates, size);
            for (std::size_t l = 0; l < into.layers.size(); ++l)
                into.layers[l].push(net.preactivations(l).template cast<double>(),
                                    net.moves(l).template cast<double>());
        };
    });
}

}  // namespace

std::vector<StepEstimates> sample_steps(NetworkModel const& model, std::vector<double> const& rates,
                                        double target_second_moment, std::uint64_t samples, std::uint64_t seed,
                                        RunControl const& control) {
    model.validate();
    model.require_no_ties();
    if (rates.size() != model.depth()) {
        throw DomainError(
            "sample_steps: " + std::to_string(rates.size()) + " rates for " + std::to_string(model.depth()) + " layers",
            "rates");
    }
    if (model.gated_head || model.activation.is_concatenated())
        throw DomainError("sample_steps: relu, leaky or linear units and a linear head are required", "model");
    double const size = std::sqrt(target_second_moment);
    std::vector<double> factors = rates;
    factors.push_back(size);
    require_float_range(model, {model.input}, factors);
    auto const sample_all = model.precision == Precision::float32 ? stepped<float> : stepped<double>;
    auto const sums = sample_all(model, rates, size, samples, seed, control);
    std::vector<StepEstimates> out;
    for (auto const& s : sums.layers) {
        out.push_back({.square = s.square.estimate(),
                       .change = s.change.estimate(),
                       .covariance = s.covariance.estimate(),
                       .change_square = s.change_square.estimate(),
                       .updated_square = s.updated_square.estimate(),
                       .absolute = s.absolute.estimate(),
                       .change_absolute = s.change_absolute.estimate(),
                       .updated_absolute = s.updated_absolute.estimate()});
    }
    return out;
}

std::vector<Estimate> sample_batch_step(NetworkModel const& model, std::vector<std::vector<double>> const& inputs,
                                        double rate, double target_second_moment, std::uint64_t samples,
                                        std::uint64_t seed, RunControl const& control) {
    model.validate();
    model.require_no_ties();
    require_doubles(model.precision, "a step on a batch");
    if (inputs.empty()) throw DomainError("sample_batch_step: no input is given", "input");
    if (model.gated_head || model.activation.is_concatenated())
        throw DomainError("sample_batch_step: relu, leaky or linear units and a linear head are required", "model");
    double const size = std::sqrt(target_second_moment);
    auto const net = mlp::perceptron(model.widths, mlp::unit_of(model.activation), {}, false, model.scales);
    auto const drawing = detail::ChainWeights(model);
    auto const rows = static_cast<Eigen::Index>(model.widths[1]);
    auto const sums = run(samples, control, BatchSums{std::vector<RunningVariance>(inputs.size())}, [&] {
        mlp::Examples<double> examples{mlp::columns(inputs), {}};
        examples.targets.resize(static_cast<Eigen::Index>(model.widths.back()), examples.inputs.cols());
        return [&, examples, loss = mlp::DataLoss<double>(net, mlp::Objective::half_squared),
                weights = std::vector<double>(drawing.size()),
                gradient = std::vector<double>(drawing.size())](std::uint64_t sample, BatchSums& into) mutable {
            drawing.draw(seed, sample, std::span(weights));
            Stream signs(seed, sample, StreamUse::targets);
            for (Eigen::Index k = 0; k < examples.targets.cols(); ++k)
                for (Eigen::Index i = 0; i < examples.targets.rows(); ++i) examples.targets(i, k) = signs.sign() * size;
            loss.gradient(weights, examples, gradient);
            using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
            Eigen::Map<RowMajor const> const first(gradient.data(), rows, examples.inputs.rows());
            auto const change = (-rate * model.scale(1) * first * examples.inputs).eval();
            for (std::size_t k = 0; k < into.inputs.size(); ++k)
                into.inputs[k].push(change.col(static_cast<Eigen::Index>(k)).squaredNorm() / static_cast<double>(rows));
        };
    });
    std::vector<Estimate> out;
    for (auto const& s : sums.inputs) out.push_back(s.estimate());
    return out;
}

}  // namespace isserlis::monte_carlo
