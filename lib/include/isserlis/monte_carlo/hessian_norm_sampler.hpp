// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/monte_carlo/network_model.hpp>
#include <isserlis/monte_carlo/run.hpp>
#include <memory>
#include <span>
#include <vector>

namespace isserlis::monte_carlo {

/// What the Hessian of 1/2 |z - y|^2 is weighted by, besides the network.
struct HessianNormSettings {
    double target_second_moment = 1;    ///< E|y|^2 over all outputs
    std::vector<double> label_factors;  ///< one for each layer; none means 1
};

/// |H|_F^2 of the Hessian of 1/2 |z - y|^2 by all weights, averaged over y, of one drawn network after another.
///
/// Law     the model's, its output taken before any gate: sample i is the network of draw_network(model, seed, i). y
///         is independent of the weights, of mean 0 and equal second moments; the average over it is taken exactly.
/// Shape   numbers in the order of HessianNormSampler::Part, then the blocks of layers a <= b (from 0), row by row:
///         (0,0), (0,1), .., (1,1), ..; a block off the diagonal counts once, in the total twice. The result stays
///         valid until the next call; samples of narrow networks are computed 16 at a time. A sampler belongs to one thread.
/// Units   [z]^4 / [weight]^4 times label factors, plus [y]^2 [z]^2 / [weight]^4.
/// Errors  those of NetworkModel::validate; DomainError for label factors that do not fit; UnsupportedError for a
///         concatenated ReLU, for undecided ties and for any law with atoms in a gated layer, and for more than 2^28
///         weights.
/// Source  the chain rule: every block is of rank one in each of three factors
class HessianNormSampler {
public:
    enum Part : std::size_t { total, gauss_newton, functional, cross, target, parts };

    HessianNormSampler(NetworkModel const& model, HessianNormSettings const& settings);
    HessianNormSampler(HessianNormSampler const& other);
    HessianNormSampler& operator=(HessianNormSampler const& other);
    HessianNormSampler(HessianNormSampler&&) noexcept;
    HessianNormSampler& operator=(HessianNormSampler&&) noexcept;
    ~HessianNormSampler();

    [[nodiscard]] std::span<double const> operator()(std::uint64_t seed, std::uint64_t sample);
    /// How many numbers a sample has.
    [[nodiscard]] std::size_t size() const;
    /// The place of the block of layers a <= b, from 0, of a network with so many.
    [[nodiscard]] static std::size_t block(std::size_t layers, std::size_t a, std::size_t b) {
        return parts + a * layers - a * (a + 1) / 2 + b;
    }
    /// Weights that could be drawn in about the time of one sample.
    [[nodiscard]] double work_per_sample() const;
    /// Numbers of 8 bytes that a thread keeps, about.
    [[nodiscard]] double numbers_per_thread() const;

private:
    class Workspace;
    std::unique_ptr<Workspace> workspace_;
};

/// The sampled means of all numbers of HessianNormSampler, in its order.
///
/// Law, Shape, Units, Source  those of HessianNormSampler; sample i is the network of (seed, i).
/// Errors  its own too; DomainError for fewer than 2 samples; UnsupportedError for a mean or an error beyond double;
///         Interrupted.
[[nodiscard]] std::vector<Estimate> sample_hessian_norm(HessianNormSampler const& sampler, std::uint64_t samples,
                                                        std::uint64_t seed, RunControl const& control = {});

}  // namespace isserlis::monte_carlo
