// SPDX-License-Identifier: MIT
#include <isserlis/verify/sample_choice.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/verify/check.hpp>
#include <limits>
#include <string>

namespace isserlis {
namespace {

constexpr std::uint64_t first_samples = 4;
constexpr double growth = 8;            ///< of a run too short to be judged by
constexpr double largest_growth = 100;  ///< of a run whose errors say that much more is needed
constexpr double spare_samples = 1.1;   ///< errors are themselves uncertain
constexpr double spare_time = 0.95;     ///< the share of the time left that a run is planned for
constexpr double judged_by = 0.02;      ///< the share of the time that a run takes whose pace is believed
constexpr double worth_a_run = 1.5;     ///< times as many samples are
constexpr double most_samples_chosen = 1e12;

void require_goal(std::optional<double> const& value, char const* name) {
    if (value && !(*value > 0 && std::isfinite(*value)))
        throw DomainError(
            std::string("SampleGoal: ") + name + " = " + std::to_string(*value) + "; a positive number is required",
            name);
}

}  // namespace

SampleChoice::SampleChoice(SampleGoal const& goal) : goal_(goal), samples_(first_samples) {
    require_goal(goal.seconds, "seconds");
    require_goal(goal.relative_error, "relative_error");
    if (!goal.seconds && !goal.relative_error)
        throw DomainError("SampleGoal: a time or a relative error is required", "seconds");
}

double SampleChoice::enough_for_error(double relative_error) const {
    auto const now = static_cast<double>(samples_);
    if (samples_ < fewest_samples || !std::isfinite(relative_error)) return growth * now;
    double const ratio = relative_error / *goal_.relative_error;
    return now * std::clamp(spare_samples * ratio * ratio, worth_a_run, largest_growth);
}

double SampleChoice::fitting(double seconds) const {
    auto const now = static_cast<double>(samples_);
    double const more = seconds - seconds_before_;
    double const each = more > 0 ? more / (now - static_cast<double>(samples_before_)) : seconds / now;
    double const once = std::max(0.0, seconds - each * now);
    double const left = spare_time * (*goal_.seconds - spent_) - once;
    return each > 0 ? left / each : growth * now;
}

bool SampleChoice::is_last(double seconds, double relative_error) {
    spent_ += seconds;
    if (last_) return true;
    auto const now = static_cast<double>(samples_);
    double next = std::numeric_limits<double>::infinity();
    if (goal_.relative_error) {
        if (samples_ >= fewest_samples && relative_error <= *goal_.relative_error) return true;
        next = enough_for_error(relative_error);
    }
    if (goal_.seconds) {
        double const most = fitting(seconds);
        if (most < worth_a_run * now) return true;  // what is left carries no run that says more
        bool const judged = samples_before_ > 0 && seconds >= judged_by * *goal_.seconds;
        double const grown = judged ? most : std::min(most, growth * now);
        last_ = judged && grown <= next;
        next = std::min(next, grown);
    }
    if (now >= most_samples_chosen) return true;
    samples_before_ = samples_;
    seconds_before_ = seconds;
    samples_ = static_cast<std::uint64_t>(std::ceil(std::min(std::max(next, now + 1), most_samples_chosen)));
    return false;
}

}  // namespace isserlis
