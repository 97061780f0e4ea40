// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/optimiser_sampler.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/matrix_vector.hpp>
#include <isserlis/random/stream.hpp>
#include <string>

#include "chain_weights.hpp"
#include "first_step_sums.hpp"

namespace isserlis::monte_carlo {
namespace {

using Numbers = std::vector<double>;

double squared_length(Numbers const& x) {
    double sum = 0;
    for (double const entry : x) sum += entry * entry;
    return sum;
}

/// No gradient, no step.
void divide(Numbers& x, double by) {
    for (double& entry : x) entry = by > 0 ? entry / by : 0;
}

/// One network after another, with its weights, passes and steps written out.
class OptimisedNetwork {
public:
    OptimisedNetwork(NetworkModel const& model, StepRule rule, Numbers const& rates, double target)
        : model_(&model), rule_(rule), rates_(rates), target_(target), drawing_(model), layers_(model.depth()) {
        for (std::size_t l = 0; l < layers_.size(); ++l) {
            auto& layer = layers_[l];
            layer.rows = model.widths[l + 1];
            layer.cols = model.widths[l];
            for (Numbers* v : {&layer.z, &layer.h, &layer.delta, &layer.own, &layer.change, &layer.product})
                v->assign(layer.rows, 0);
            layer.gates.assign(layer.rows, 1);
            layer.moves.assign(layer.rows * layer.cols, 0);
        }
        y_.assign(model.widths.back(), 0);
        drawn_.assign(drawing_.size(), 0);
    }

    void draw(std::uint64_t seed, std::uint64_t sample) {
        drawing_.draw(seed, sample, std::span(drawn_));
        for (std::size_t l = 0; l < layers_.size(); ++l) {
            auto const first = drawn_.begin() + static_cast<std::ptrdiff_t>(drawing_.first(l + 1));
            layers_[l].weights.assign(first, first + static_cast<std::ptrdiff_t>(layers_[l].moves.size()));
        }
        Stream signs(seed, sample, StreamUse::targets);
        for (double& y : y_) y = signs.sign() * target_;
        pass_forward();
    }

    /// Finds how the weights move.
    void choose_step() {
        layers_.back().delta = layers_.back().z;
        for (std::size_t i = 0; i < y_.size(); ++i) layers_.back().delta[i] -= y_[i];
        for (std::size_t l = layers_.size(); l-- > 1;) {
            auto const& layer = layers_[l];
            auto& below = layers_[l - 1];
            mlp::multiply_vector_transposed(layer.rows, layer.cols, layer.weights.data(), layer.delta.data(),
                                            below.delta.data());
            for (std::size_t j = 0; j < below.rows; ++j) below.delta[j] *= scale(l) * below.gates[j];
        }
        std::vector<Numbers> gradient(layers_.size());
        for (std::size_t l = 0; l < layers_.size(); ++l) {
            gradient[l].swap(layers_[l].moves);
            Numbers const& h = input_of(l);
            for (std::size_t i = 0; i < layers_[l].rows; ++i)
                for (std::size_t j = 0; j < h.size(); ++j)
                    gradient[l][i * h.size() + j] = scale(l) * layers_[l].delta[i] * h[j];
        }
        apply_rule(rule_, gradient);
        for (std::size_t l = 0; l < layers_.size(); ++l) {
            for (double& entry : gradient[l]) entry *= -rates_[l];
            layers_[l].moves.swap(gradient[l]);
        }
    }

    /// How the pre-activations move with the weights, to first order.
    void differentiate() {
        for (std::size_t l = 0; l < layers_.size(); ++l) {
            auto& layer = layers_[l];
            mlp::multiply_vector(layer.rows, layer.cols, layer.moves.data(), input_of(l).data(), layer.own.data());
            for (double& entry : layer.own) entry *= scale(l);
            layer.change = layer.own;
            if (l == 0) continue;
            Numbers below = layers_[l - 1].change;
            for (std::size_t j = 0; j < below.size(); ++j) below[j] *= layers_[l - 1].gates[j];
            mlp::multiply_vector(layer.rows, layer.cols, layer.weights.data(), below.data(), layer.product.data());
            for (std::size_t i = 0; i < layer.rows; ++i) layer.change[i] += scale(l) * layer.product[i];
        }
    }

    void take_step() {
        for (auto& layer : layers_)
            for (std::size_t k = 0; k < layer.weights.size(); ++k) layer.weights[k] += layer.moves[k];
        pass_forward();
    }

    [[nodiscard]] Numbers const& z(std::size_t l) const { return layers_[l].z; }
    [[nodiscard]] Numbers const& own(std::size_t l) const { return layers_[l].own; }
    [[nodiscard]] Numbers const& change(std::size_t l) const { return layers_[l].change; }

private:
    struct Layer {
        std::size_t rows = 0, cols = 0;
        Numbers weights, moves;
        Numbers z, gates, h;
        Numbers delta;  ///< d loss/dz
        Numbers own, change, product;
    };

    [[nodiscard]] double scale(std::size_t l) const { return model_->scale(l + 1); }
    [[nodiscard]] Numbers const& input_of(std::size_t l) const { return l == 0 ? model_->input : layers_[l - 1].h; }

    void pass_forward() {
        for (std::size_t l = 0; l < layers_.size(); ++l) {
            auto& layer = layers_[l];
            mlp::multiply_vector(layer.rows, layer.cols, layer.weights.data(), input_of(l).data(), layer.z.data());
            for (std::size_t i = 0; i < layer.rows; ++i) {
                layer.z[i] *= scale(l);
                if (model_->has_gates(l + 1)) layer.gates[i] = layer.z[i] > 0 ? 1 : model_->activation.gate().negative;
                layer.h[i] = layer.gates[i] * layer.z[i];
            }
        }
    }

    NetworkModel const* model_;
    StepRule rule_;
    Numbers rates_;
    double target_;
    detail::ChainWeights drawing_;
    std::vector<Layer> layers_;
    Numbers drawn_, y_;
};

double mean_square(Numbers const& x) { return squared_length(x) / static_cast<double>(x.size()); }

double mean_size(Numbers const& x) {
    double sum = 0;
    for (double const entry : x) sum += std::fabs(entry);
    return sum / static_cast<double>(x.size());
}

void require_optimised(NetworkModel const& model, Numbers const& rates, char const* who) {
    model.validate();
    require_doubles(model.precision, "a step of an optimiser");
    model.require_no_ties();
    if (rates.size() != model.depth()) {
        throw DomainError(std::string(who) + ": " + std::to_string(rates.size()) + " rates for " +
                              std::to_string(model.depth()) + " layers",
                          "rates");
    }
    if (model.gated_head || model.activation.is_concatenated())
        throw DomainError(std::string(who) + ": relu, leaky or linear units and a linear head are required", "model");
}

}  // namespace

void apply_rule(StepRule rule, std::vector<Numbers>& gradient) {
    if (rule == StepRule::descent) return;
    double whole = 0;
    for (auto const& matrix : gradient) whole += squared_length(matrix);
    for (auto& matrix : gradient) {
        if (rule == StepRule::sign) {
            for (double& entry : matrix) entry = static_cast<double>(entry > 0) - static_cast<double>(entry < 0);
        } else {
            divide(matrix, std::sqrt(rule == StepRule::normalised ? whole : squared_length(matrix)));
        }
    }
}

std::vector<FirstStepEstimates> sample_first_steps(NetworkModel const& model, StepRule rule, Numbers const& rates,
                                                   double target_second_moment, std::uint64_t samples,
                                                   std::uint64_t seed, RunControl const& control) {
    require_optimised(model, rates, "sample_first_steps");
    double const target = std::sqrt(target_second_moment);
    ListedSums<FirstStepSums> const none{std::vector<FirstStepSums>(model.depth())};
    auto const sums = run(samples, control, none, [&] {
        return [net = OptimisedNetwork(model, rule, rates, target), seed](std::uint64_t sample,
                                                                          ListedSums<FirstStepSums>& into) mutable {
            net.draw(seed, sample);
            net.choose_step();
            net.differentiate();
            for (std::size_t l = 0; l < into.all.size(); ++l) {
                auto& layer = into.all[l];
                layer.square.push(mean_square(net.z(l)));
                layer.own_square.push(mean_square(net.own(l)));
                layer.change_square.push(mean_square(net.change(l)));
                layer.change_absolute.push(mean_size(net.change(l)));
            }
        };
    });
    return estimates_of(sums);
}

std::vector<std::vector<WholeStepEstimates>> sample_whole_steps(NetworkModel const& model, StepRule rule,
                                                                Numbers const& rates, double target_second_moment,
                                                                std::uint64_t steps, std::uint64_t samples,
                                                                std::uint64_t seed, RunControl const& control) {
    require_optimised(model, rates, "sample_whole_steps");
    if (steps == 0) throw DomainError("sample_whole_steps: no steps", "steps");
    double const target = std::sqrt(target_second_moment);
    std::size_t const depth = model.depth();
    ListedSums<WholeStepSums> const none{std::vector<WholeStepSums>(steps * depth)};
    auto const sums = run(samples, control, none, [&] {
        return [net = OptimisedNetwork(model, rule, rates, target), first = std::vector<Numbers>(depth), seed, depth,
                steps](std::uint64_t sample, ListedSums<WholeStepSums>& into) mutable {
            net.draw(seed, sample);
            for (std::size_t l = 0; l < depth; ++l) first[l] = net.z(l);
            for (std::uint64_t t = 0; t < steps; ++t) {
                net.choose_step();
                net.take_step();
                for (std::size_t l = 0; l < depth; ++l) {
                    into.all[t * depth + l].push(first[l], net.z(l));
                }
            }
        };
    });
    return estimates_of(sums, depth);
}

}  // namespace isserlis::monte_carlo
