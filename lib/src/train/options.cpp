// SPDX-License-Identifier: MIT
#include <isserlis/train/options.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <isserlis/error.hpp>
#include <string>

#include "../mlp/named.hpp"

namespace isserlis::train {
namespace {

void require(bool valid, char const* option, double value, char const* required) {
    if (valid) return;
    std::array<char, 32> text{};  // the shortest decimal that reads back as the number
    auto const* const end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    throw DomainError(std::string("train: ") + option + " = " +
                          std::string(text.data(), static_cast<std::size_t>(end - text.data())) + "; " + required,
                      option);
}

void require_below_one(char const* option, double value) {
    require(value >= 0 && value < 1, option, value, "at least 0 and less than 1");
}

void require_size(char const* option, double value) {
    require(value >= 0 && std::isfinite(value), option, value, "a finite number of at least 0");
}

}  // namespace

char const* name(Optimiser optimiser) {
    switch (optimiser) {
        case Optimiser::descent: return "descent";
        case Optimiser::momentum: return "momentum";
        case Optimiser::rmsprop: return "rmsprop";
        case Optimiser::adam: return "adam";
    }
    return "";
}

char const* name(Clipping clipping) {
    switch (clipping) {
        case Clipping::none: return "none";
        case Clipping::coordinate: return "coordinate";
        case Clipping::norm: return "norm";
        case Clipping::fixed_norm: return "fixed-norm";
    }
    return "";
}

char const* name(Schedule schedule) {
    switch (schedule) {
        case Schedule::constant: return "constant";
        case Schedule::drop: return "drop";
        case Schedule::inverse: return "inverse";
    }
    return "";
}

std::optional<Optimiser> optimiser(std::string_view wanted) { return mlp::named<Optimiser>(wanted); }
std::optional<Clipping> clipping(std::string_view wanted) { return mlp::named<Clipping>(wanted); }
std::optional<Schedule> schedule(std::string_view wanted) { return mlp::named<Schedule>(wanted); }

void require_valid(TrainingOptions const& o, mlp::Architecture const& architecture) {
    require_size("rate", o.rate);
    require_below_one("momentum", o.momentum);
    require_below_one("smoothing", o.smoothing);
    require_below_one("beta1", o.beta1);
    require_below_one("beta2", o.beta2);
    require(o.epsilon > 0 && std::isfinite(o.epsilon), "epsilon", o.epsilon, "a finite number above 0");
    for (double const factor : o.rate_factors) require_size("rate_factors", factor);
    require_size("weight_decay", o.weight_decay);
    require_size("l1", o.l1);
    require_size("l2", o.l2);
    require(o.clip > 0 && std::isfinite(o.clip), "clip", o.clip, "a finite number above 0");
    require(o.drop_factor > 0 && o.drop_factor <= 1, "drop_factor", o.drop_factor, "more than 0 and at most 1");
    require(o.drop_every > 0, "drop_every", 0, "at least 1 epoch");
    require_size("inverse_slope", o.inverse_slope);
    if (o.accuracy) require(*o.accuracy > 0 && *o.accuracy <= 1, "accuracy", *o.accuracy, "more than 0 and at most 1");
    if (o.patience) require(*o.patience > 0, "patience", 0, "at least 1 epoch");
    require_below_one("moment_smoothing", o.moment_smoothing);
    require(o.history_every > 0, "history_every", 0, "at least 1 epoch");
    require(o.threads > 0, "threads", 0, "at least 1");
    std::size_t const nodes = architecture.traits().size() - 1;
    if (!o.rate_factors.empty() && o.rate_factors.size() != nodes)
        throw DomainError("train: " + std::to_string(o.rate_factors.size()) + " `rate_factors` for a network of " +
                              std::to_string(nodes) + " nodes besides the input; give one for each, or none",
                          "rate_factors");
}

double scheduled_rate(TrainingOptions const& o, std::uint64_t epoch, std::uint64_t step) {
    switch (o.schedule) {
        case Schedule::constant: break;
        case Schedule::drop: {
            std::uint64_t const drops = epoch / o.drop_every;
            return o.rate * std::pow(o.drop_factor, static_cast<double>(drops));
        }
        case Schedule::inverse: return o.rate / (1 + o.inverse_slope * static_cast<double>(step));
    }
    return o.rate;
}

}  // namespace isserlis::train
