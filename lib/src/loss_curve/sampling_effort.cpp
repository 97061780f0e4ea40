// SPDX-License-Identifier: MIT
#include <isserlis/loss_curve/sampling_effort.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/report/duration.hpp>
#include <isserlis/verify/feasible.hpp>

namespace isserlis {
namespace {

/// Some two minutes of one thread, whatever the machine: an answer must not depend on how busy it is.
constexpr double most_products_unasked = 2e10;
constexpr std::size_t timed_samples = 16;
constexpr std::uint64_t timed_networks = 2;
constexpr double minutes_to_offer = 10;
constexpr double seconds_a_minute = 60;
constexpr double most_products_to_time = 5e8;
constexpr double most_products_a_second = 2e10;  // of one thread, on any machine of these years

/// One digit and zeros, rounded down.
std::uint64_t one_digit(double x) {
    double const scale = std::pow(10, std::floor(std::log10(x)));
    return static_cast<std::uint64_t>(std::floor(x / scale) * scale);
}

/// What one network takes, or what it takes at least where timing one would take long itself.
struct Seconds {
    double each;
    bool is_bound;
};

Seconds seconds_per_network(monte_carlo::LossCurveModel model) {
    std::size_t const all = model.inputs.size();
    std::size_t const some = std::min(all, timed_samples);
    double const products = sampling_effort(model).products;
    double const timed = products * static_cast<double>(timed_networks * some) / static_cast<double>(all);
    if (timed > most_products_to_time) return {.each = products / most_products_a_second, .is_bound = true};
    model.inputs.resize(some);
    if (!model.targets.empty()) model.targets.resize(some);
    if (model.batch && !model.batch->replacement) model.batch->size = std::min<std::uint64_t>(model.batch->size, some);
    if (model.given) {
        model.given->gradients.resize(some);
        model.given->hessians.resize(some);
    }
    auto const before = std::chrono::steady_clock::now();
    (void)monte_carlo::sample_loss_curve(model, timed_networks, 1);
    std::chrono::duration<double> const passed = std::chrono::steady_clock::now() - before;
    return {.each = passed.count() / static_cast<double>(timed_networks) * static_cast<double>(all) /
                    static_cast<double>(some),
            .is_bound = false};
}

}  // namespace

bool SamplingEffort::is_long(double times, std::uint64_t networks) const {
    return products * times * static_cast<double>(networks) > most_products_unasked;
}

SamplingEffort sampling_effort(monte_carlo::LossCurveModel const& model) {
    auto const& widths = model.network.widths;
    double weights = 0;
    double units = static_cast<double>(widths.front());
    for (std::size_t q = 1; q < widths.size(); ++q) {
        weights += static_cast<double>(widths[q]) * static_cast<double>(widths[q - 1]);
        units += static_cast<double>(widths[q]);
    }
    if (model.network.activation.is_concatenated()) weights *= 2;
    constexpr double matrices_of_a_layer = 8;  // outputs, gates and derivatives at every sample
    constexpr double copies_of_weights = 3;
    auto const samples = static_cast<double>(model.inputs.size());
    return {.products = weights * samples,
            .numbers = matrices_of_a_layer * units * samples + copies_of_weights * weights};
}

void require_affordable(monte_carlo::LossCurveModel const& model, std::uint64_t networks,
                        monte_carlo::RunControl const& control) {
    auto const effort = sampling_effort(model);
    require_memory(effort.numbers, control);
    constexpr double patience = 0.1;  // of who has said how many: ten times that of who has not
    if (control.whatever_it_takes || !effort.is_long(patience, networks)) return;
    throw UnsupportedError(
        "`check`: " + time_needed(model, 1, networks, control.threads) + "; `whatever_it_takes` runs all of them",
        "check");
}

std::string time_needed(monte_carlo::LossCurveModel const& model, double times, std::uint64_t networks,
                        unsigned threads) {
    try {
        require_memory(sampling_effort(model).numbers, {});
    } catch (UnsupportedError const& e) {
        return e.what();  // nothing that can be timed
    }
    Seconds const seconds = seconds_per_network(model);
    double const each = times * seconds.each / threads;
    auto const taken = [&](std::uint64_t count) {
        return (seconds.is_bound ? "at least " : "") + about(each * static_cast<double>(count));
    };
    double const affordable = minutes_to_offer * seconds_a_minute / each;
    std::uint64_t const fewer = affordable < 2 ? 2 : std::min(networks, one_digit(affordable));
    return std::to_string(networks) + " networks take " + taken(networks) + " here; `samples` " +
           std::to_string(fewer) + ": " + taken(fewer);
}

}  // namespace isserlis
