// SPDX-License-Identifier: MIT
#include <isserlis/train/update.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <string>
#include <utility>

namespace isserlis::train {

template <class T>
double add_penalty(mlp::Architecture const& architecture, double l1, double l2, std::span<T const> parameters,
                   std::span<T> gradient) {
    if (l1 == 0 && l2 == 0) return 0;
    double sizes = 0;
    double squares = 0;
    for (auto const& range : architecture.ranges()) {
        if (range.kind != mlp::ParameterKind::weight) continue;
        for (std::size_t i = range.first; i < range.first + range.size; ++i) {
            auto const w = static_cast<double>(parameters[i]);
            sizes += std::abs(w);
            squares += w * w;
            double const sign = w > 0 ? 1 : w < 0 ? -1 : 0;
            if (!gradient.empty()) gradient[i] += static_cast<T>(l1 * sign + 2 * l2 * w);
        }
    }
    return l1 * sizes + l2 * squares;
}

template <class T>
double norm(std::span<T const> vector) {
    double out = 0;
    for (T const x : vector) out += static_cast<double>(x) * static_cast<double>(x);
    return std::sqrt(out);
}

template <class T>
void clip(Clipping clipping, double threshold, std::span<T> gradient) {
    auto scale_to_threshold = [&](bool also_longer) {
        double const length = norm(std::span<T const>(gradient));
        if (length == 0 || (length <= threshold && !also_longer)) return;
        for (T& g : gradient) g = static_cast<T>(static_cast<double>(g) * (threshold / length));
    };
    switch (clipping) {
        case Clipping::none: return;
        case Clipping::coordinate:
            for (T& g : gradient) g = std::clamp(g, static_cast<T>(-threshold), static_cast<T>(threshold));
            return;
        case Clipping::norm: return scale_to_threshold(false);
        case Clipping::fixed_norm: return scale_to_threshold(true);
    }
}

template <class T>
Update<T>::Update(mlp::Architecture const& architecture, TrainingOptions const& options)
    : options_(options), parameters_(architecture.parameters()) {
    require_valid(options, architecture);
    for (auto const& range : architecture.ranges())
        parts_.push_back({.first = range.first,
                          .size = range.size,
                          .factor = options.rate_factors.empty() ? 1 : options.rate_factors[range.node - 1],
                          .decay = range.kind == mlp::ParameterKind::weight ? options.weight_decay : 0});
    switch (options.optimiser) {
        case Optimiser::descent: break;
        case Optimiser::momentum: memory_.first.resize(parameters_); break;
        case Optimiser::rmsprop: memory_.second.resize(parameters_); break;
        case Optimiser::adam:
            memory_.first.resize(parameters_);
            memory_.second.resize(parameters_);
            break;
    }
}

template <class T>
void Update<T>::recall(Memory<T> memory) {
    if (memory.first.size() != memory_.first.size() || memory.second.size() != memory_.second.size())
        throw DomainError("Update: the memory of another optimiser or network", "memory");
    memory_ = std::move(memory);
}

template <class T>
void Update<T>::step(std::span<T> parameters, std::span<T const> gradient, double rate) {
    if (parameters.size() != parameters_ || gradient.size() != parameters_)
        throw DomainError("Update: " + std::to_string(parameters.size()) + " parameters and " +
                              std::to_string(gradient.size()) + " derivatives; " + std::to_string(parameters_) +
                              " of each are required",
                          "gradient");
    ++memory_.steps;
    auto const& o = options_;
    // What is left of the zeros that the means begin with.
    auto const t = static_cast<double>(memory_.steps);
    double const missing1 = 1 - std::pow(o.beta1, t);
    double const missing2 = 1 - std::pow(o.beta2, t);
    for (auto const& part : parts_) {
        if (part.factor == 0) continue;
        double const r = rate * part.factor;
        double const kept = 1 - r * part.decay;
        auto const move_by = [&](auto const& move) {
            for (std::size_t i = part.first; i < part.first + part.size; ++i)
                parameters[i] = static_cast<T>(kept * static_cast<double>(parameters[i]) -
                                               r * move(i, static_cast<double>(gradient[i])));
        };
        auto const smooth = [](T& mean, double share, double of) {
            double const moved = share * static_cast<double>(mean) + of;
            mean = static_cast<T>(moved);
            return moved;
        };
        auto const smooth_square = [&](std::size_t i, double share, double g) {
            return smooth(memory_.second[i], share, (1 - share) * g * g);
        };
        switch (o.optimiser) {
            case Optimiser::descent: move_by([](std::size_t, double g) { return g; }); break;
            case Optimiser::momentum:
                move_by([&](std::size_t i, double g) { return smooth(memory_.first[i], o.momentum, g); });
                break;
            case Optimiser::rmsprop:
                move_by([&](std::size_t i, double g) {
                    return g / (std::sqrt(smooth_square(i, o.smoothing, g)) + o.epsilon);
                });
                break;
            case Optimiser::adam:
                move_by([&](std::size_t i, double g) {
                    double const mean = smooth(memory_.first[i], o.beta1, (1 - o.beta1) * g) / missing1;
                    return mean / (std::sqrt(smooth_square(i, o.beta2, g) / missing2) + o.epsilon);
                });
                break;
        }
    }
}

template double add_penalty(mlp::Architecture const&, double, double, std::span<float const>, std::span<float>);
template double add_penalty(mlp::Architecture const&, double, double, std::span<double const>, std::span<double>);
template double norm(std::span<float const>);
template double norm(std::span<double const>);
template void clip(Clipping, double, std::span<float>);
template void clip(Clipping, double, std::span<double>);
template class Update<float>;
template class Update<double>;

}  // namespace isserlis::train
