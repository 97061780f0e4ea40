// SPDX-License-Identifier: MIT
#include "max_rate_request.hpp"

#include <isserlis/error.hpp>

#include "readers.hpp"
#include "training_data.hpp"

namespace isserlis::cli {
namespace {

/// Of rows that `train` has too.
void say_otherwise(OptionSet<MaxRateRequest>& options) {
    auto& loss = options.at("--loss").text;
    loss.usual = "cross-entropy";
    loss.choices = {"cross-entropy", "binary-cross-entropy", "hinge"};
    auto& epochs = options.at("--epochs").text;
    epochs.help = "Passes over the data at each rate, at most";
    epochs.usual = "10";
    options.at("--batch-size").text.usual = "128";
    options.at("--checkpoint").text.help = "Keep finished trials here; a search that was killed goes on from it";
}

double accuracy_of(std::string const& text, std::string const& option) {
    double const out = double_of(text, option);
    if (out > 0 && out <= 1) return out;
    throw DomainError(option + " = " + printable(text) + "; an accuracy above 0 and up to 1 is required", option);
}

double rate_of(std::string const& text, std::string const& option) {
    double const out = double_of(text, option);
    if (out > 0) return out;
    throw DomainError(option + " = " + printable(text) + "; a rate above 0 is required", option);
}

}  // namespace

OptionSet<MaxRateRequest> max_rate_options() {
    constexpr std::uint64_t most_networks = 10'000;
    constexpr std::uint64_t most_halvings = 1000;
    constexpr std::uint64_t most_bisections = 50;
    OptionSet<train::RateSearch> const search = {
        {"--highest-rate", "R", "The rate tried first; then half of it, and so on", &train::RateSearch::highest,
         Reader<double>{rate_of}, More{.usual = "1"}},
        {"--halvings", "N", "Down to the highest rate over 2^N",
         [](train::RateSearch& into, std::string const& text) {
             into.halvings = static_cast<int>(parse_count(text, "--halvings", 0, most_halvings));
         },
         More{.usual = "20"}},
        {"--bisections", "N", "Between a rate that will do and one that will not",
         [](train::RateSearch& into, std::string const& text) {
             into.bisections = static_cast<int>(parse_count(text, "--bisections", 0, most_bisections));
         },
         More{.usual = "5"}}};
    OptionSet<MaxRateRequest> out;
    out.add("--threshold", "R", "Accuracy to be reached", &MaxRateRequest::threshold, Reader<double>{accuracy_of},
            More{.usual = "that of the linear classifier of least loss"});
    out.add(&MaxRateRequest::search, search);
    out.add("--networks", "N", "Networks of seeds --seed, --seed + 1, ..", &MaxRateRequest::networks,
            count(1, most_networks), More{.usual = "1"});
    out.add(&MaxRateRequest::run, train_options_without({"--rate", "--schedule", "--stop-accuracy", "--patience",
                                                         "--every", "--save", "--plot", "--weights"}));
    OptionSet<TrainRequest> data;
    data.add(&TrainRequest::data, training_data_options());
    out.add(&MaxRateRequest::run, data);
    say_otherwise(out);
    return out;
}

void complete_max_rate_request(MaxRateRequest& request, Session const& session) {
    complete_train_request(request.run, session);
    if (!mlp::has_classes(request.run.objective))
        throw DomainError(std::string("--loss: ") + mlp::name(request.run.objective) +
                              " has no classes, hence no accuracy; choose cross-entropy, binary-cross-entropy or hinge",
                          "--loss");
    if (!request.threshold && request.run.objective == mlp::Objective::hinge)
        throw ParseError("--threshold is missing: hinge has no linear classifier to beat here", "--threshold");
}

}  // namespace isserlis::cli
