// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/monte_carlo/graph_model.hpp>
#include <isserlis/monte_carlo/run.hpp>
#include <isserlis/observable/observable.hpp>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace isserlis::monte_carlo {

namespace detail {
struct ObservablePlan;
class ObservableWorkspace;
}  // namespace detail

/// What an observable takes besides the network.
struct ObservableSettings {
    std::map<std::string, std::vector<double>> inputs;  ///< by the name after @; "" is the one input of the rest
    std::map<std::string, double> parameters;
    std::map<std::string, std::vector<double>> vectors;                ///< constants w[i]
    std::map<std::string, std::vector<std::vector<double>>> matrices;  ///< symmetric constants P[i,j], by rows
    double target_mean = 0;                                            ///< E y_i of each output
    double target_second_moment = 1;                                   ///< E y_i^2 of each output
    std::optional<double> target_third_moment;   ///< E y_i^3; none is that of a law even about its mean
    std::optional<double> target_fourth_moment;  ///< E y_i^4, where a query needs it
    bool labels_of_p_alone = false;              ///< of a concatenated ReLU: labels run over P, not over N
};

/// The values of observables on one drawn network after another: real gates, reverse passes over jets; a pair of first
/// derivatives that is summed over weights is one of block norms, without a number for each weight.
///
/// Law     the model's. Targets are drawn apart from the weights, independent in each output: y_i is its mean plus 0, a or -b,
///         with these moments, a = b without a third one that says otherwise. Where a law has atoms, the gate of every tied pre-activation is a fair coin.
/// Shape   one number a query and network; tensors are dense over neurons and weights. A sampler belongs to one thread, and a
///         copy is independent of it.
/// Units   those of the observable.
/// Errors  the constructor throws DomainError for names, places, sizes and moments that do not fit and for letters left
///         alone; UnsupportedError for undecided ties, more than 4 derivatives of one output, targets to a power
///         beyond 5, or tensors of more than 2^25 numbers.
/// Source  the definitions of Observable
class ObservableSampler {
public:
    ObservableSampler(GraphModel const& model, Query const& query, ObservableSettings const& settings);
    /// Several on each network.
    ObservableSampler(GraphModel const& model, std::vector<Query> const& queries, ObservableSettings const& settings);
    ObservableSampler(ObservableSampler const& other);
    ObservableSampler& operator=(ObservableSampler const& other);
    ObservableSampler(ObservableSampler&&) noexcept;
    ObservableSampler& operator=(ObservableSampler&&) noexcept;
    ~ObservableSampler();

    /// On the network with the weights of draw_weights(.., seed, sample).
    [[nodiscard]] double operator()(std::uint64_t seed, std::uint64_t sample);
    /// Those of all queries, until the next call.
    [[nodiscard]] std::span<double const> values(std::uint64_t seed, std::uint64_t sample);
    /// Queries.
    [[nodiscard]] std::size_t size() const;
    /// Weights that could be drawn in about the time of one sample.
    [[nodiscard]] double work_per_sample() const;
    /// Numbers of 8 bytes that a thread keeps, about.
    [[nodiscard]] double numbers_per_thread() const;

private:
    std::shared_ptr<detail::ObservablePlan const> plan_;
    std::unique_ptr<detail::ObservableWorkspace> workspace_;  ///< made by the first sample
};

/// The sampled mean of an observable.
///
/// Law     as ObservableSampler; sample i is the network of (seed, i).
/// Shape   a scalar.
/// Units   those of the observable.
/// Errors  those of ObservableSampler; DomainError for fewer than 2 samples; UnsupportedError for a mean or an error
///         beyond double; Interrupted.
/// Source  the definition
[[nodiscard]] Estimate sample_observable(GraphModel const& model, Query const& query,
                                         ObservableSettings const& settings, std::uint64_t samples, std::uint64_t seed,
                                         RunControl const& control = {});

/// Those of several, on the same networks: each the same as alone, and not finite where it is beyond double.
/// Errors  DomainError for fewer than 2 samples; Interrupted.
[[nodiscard]] std::vector<Estimate> sample_observables(ObservableSampler const& sampler, std::uint64_t samples,
                                                       std::uint64_t seed, RunControl const& control = {});

}  // namespace isserlis::monte_carlo
