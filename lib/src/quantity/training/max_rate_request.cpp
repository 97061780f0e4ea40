// SPDX-License-Identifier: MIT
#include "quantity/training/max_rate_request.hpp"

#include <isserlis/error.hpp>

#include "quantity/training/training_data.hpp"
#include "question/readers.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

/// Of rows that `train` has too.
void say_otherwise(ParameterSet<MaxRateRequest>& rows) {
    auto& loss = rows.at("loss").text;
    loss.usual = "cross-entropy";
    loss.choices = {"cross-entropy", "binary-cross-entropy", "hinge"};
    auto& epochs = rows.at("epochs").text;
    epochs.help = "Passes over the data at each rate, at most";
    epochs.usual = "10";
    rows.at("batch_size").text.usual = "128";
    rows.at("checkpoint").text.help = "Keep finished trials here; a search that was killed goes on from it";
}

double accuracy_of(std::string const& text, std::string const& parameter) {
    double const out = double_of(text, parameter);
    if (out > 0 && out <= 1) return out;
    throw DomainError(named(parameter) + " = " + printable(text) + "; an accuracy above 0 and up to 1 is required",
                      parameter);
}

double parsed_rate(std::string const& text, std::string const& parameter) {
    double const out = double_of(text, parameter);
    if (out > 0) return out;
    throw DomainError(named(parameter) + " = " + printable(text) + "; a rate above 0 is required", parameter);
}

}  // namespace

ParameterSet<MaxRateRequest> max_rate_parameters() {
    constexpr std::uint64_t most_networks = 10'000;
    constexpr std::uint64_t most_halvings = 1000;
    constexpr std::uint64_t most_bisections = 50;
    ParameterSet<train::RateSearch> const search = {
        {"highest_rate", "R", "The rate tried first; then half of it, and so on", &train::RateSearch::highest,
         Reader<double>{parsed_rate}, More{.usual = "1"}},
        {"halvings", "N", "Down to the highest rate over 2^N",
         [](train::RateSearch& into, std::string const& text) {
             into.halvings = static_cast<int>(parse_count(text, "halvings", 0, most_halvings));
         },
         More{.usual = "20"}},
        {"bisections", "N", "Between a rate that will do and one that will not",
         [](train::RateSearch& into, std::string const& text) {
             into.bisections = static_cast<int>(parse_count(text, "bisections", 0, most_bisections));
         },
         More{.usual = "5"}}};
    ParameterSet<MaxRateRequest> out;
    out.add({"threshold", "R", "Accuracy to be reached", &MaxRateRequest::threshold, Reader<double>{accuracy_of},
             More{.usual = "that of the linear classifier of least loss"}});
    out.add(&MaxRateRequest::search, search);
    out.add({"networks", "N", "Networks of seeds `seed`, `seed` + 1, ..", &MaxRateRequest::networks,
             count(1, most_networks), More{.usual = "1"}});
    out.add(&MaxRateRequest::run,
            train_parameters_without({"rate", "schedule", "stop_accuracy", "patience", "every", "save", "weights"}));
    ParameterSet<TrainRequest> data;
    data.add(&TrainRequest::data, training_data_parameters());
    out.add(&MaxRateRequest::run, data);
    say_otherwise(out);
    return out;
}

void complete_max_rate_request(MaxRateRequest& request, Session const& session) {
    complete_train_request(request.run, session);
    if (!mlp::has_classes(request.run.objective))
        throw DomainError(std::string("`loss`: ") + mlp::name(request.run.objective) +
                              " has no classes, hence no accuracy; choose cross-entropy, binary-cross-entropy or hinge",
                          "loss");
    if (!request.threshold && request.run.objective == mlp::Objective::hinge)
        throw ParseError("`threshold` is missing: hinge has no linear classifier to beat here", "threshold");
}

}  // namespace isserlis::quantity
