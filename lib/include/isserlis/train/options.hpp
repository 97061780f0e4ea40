// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <isserlis/mlp/architecture.hpp>
#include <optional>
#include <string_view>
#include <vector>

namespace isserlis::train {

/// How a step uses the gradient g at rate r, parameter by parameter.
enum class Optimiser {
    descent,   ///< p -= r g
    momentum,  ///< v = m v + g, p -= r v [Hettinger 2019, Figure 2.13]
    rmsprop,   ///< s = a s + (1 - a) g^2, p -= r g / (sqrt(s) + e)
    adam,      ///< the same with means of g and g^2, both divided by 1 - b^t [Kingma 2015, Algorithm 1]
};

/// What is done to a gradient that is too long, before the rates of layers.
enum class Clipping {
    none,
    coordinate,  ///< each coordinate to [-c, c]
    norm,        ///< the whole to norm c, if it is longer
    fixed_norm,  ///< the whole to norm c, also if it is shorter [Liquet 2024, section 5.4]
};

/// The rate of step i from 0, in epoch e from 0.
enum class Schedule {
    constant,
    drop,     ///< rate * factor^floor(e / every)
    inverse,  ///< rate / (1 + a i) [Hettinger 2019, Thm 4.21]
};

[[nodiscard]] char const* name(Optimiser optimiser);
[[nodiscard]] char const* name(Clipping clipping);
[[nodiscard]] char const* name(Schedule schedule);
[[nodiscard]] std::optional<Optimiser> optimiser(std::string_view wanted);
[[nodiscard]] std::optional<Clipping> clipping(std::string_view wanted);
[[nodiscard]] std::optional<Schedule> schedule(std::string_view wanted);

/// All that a training run is told besides network, objective and data. Penalties and decay are on weights only, never
/// on biases, gains, shifts or slopes.
struct TrainingOptions {
    Optimiser optimiser = Optimiser::descent;
    double rate = 0.01;
    double momentum = 0.9;               ///< m of momentum
    double smoothing = 0.99;             ///< a of rmsprop
    double beta1 = 0.9;                  ///< of adam
    double beta2 = 0.999;                ///< of adam
    double epsilon = 1e-8;               ///< e of rmsprop and adam, outside the root
    std::vector<double> rate_factors{};  ///< of nodes 1, 2, .. in their order; 0 freezes one; none is 1 for all

    double weight_decay = 0;  ///< k: weights times 1 - r k before each step (5.53), beside the gradient (decoupled)
    double l1 = 0;            ///< c sum |w| is added to the loss
    double l2 = 0;            ///< c sum w^2 is

    Clipping clipping = Clipping::none;
    double clip = 1;

    Schedule schedule = Schedule::constant;
    double drop_factor = 0.5;
    std::uint64_t drop_every = 10;  ///< epochs
    double inverse_slope = 0.01;    ///< a of inverse

    std::uint64_t epochs = 100;
    std::size_t batch_size = 0;        ///< samples a step; 0 is all of them. The last batch of an epoch may be smaller
    std::uint64_t seed = 0;            ///< of the order of the samples, anew in each epoch, and of dropout
    std::optional<double> accuracy{};  ///< stop when the training accuracy is at least this
    std::optional<std::uint64_t> patience{};  ///< stop after so many epochs without a lower validation (else training)
                                              ///< loss

    double moment_smoothing = 0.9;    ///< s in mu <- s mu + (1 - s) mu of the batch, and so for sigma, from 0 and 1
    std::uint64_t history_every = 1;  ///< epochs between rows, and between looks at accuracy and patience
    bool row_gradients = true;        ///< false: rows have no gradient_norm, and cost a pass forward only
    unsigned threads = 1;             ///< changes no bit of the result
};

/// Throws DomainError, which names the option, for one out of its range or of another number of nodes.
void require_valid(TrainingOptions const& options, mlp::Architecture const& architecture);

/// The rate of step i (from 0) in epoch e (from 0), before factors of layers.
[[nodiscard]] double scheduled_rate(TrainingOptions const& options, std::uint64_t epoch, std::uint64_t step);

}  // namespace isserlis::train
