// SPDX-License-Identifier: MIT
#include "max_rate_request.hpp"

#include <cmath>
#include <isserlis/error.hpp>

namespace isserlis::cli {
namespace {

constexpr std::uint64_t usual_epochs = 10;       ///< [Iyer 2023, section 3.2]
constexpr std::uint64_t usual_batch_size = 128;  ///< likewise

}  // namespace

std::vector<OptionText> max_rate_options() {
    std::vector<OptionText> out = {
        {"--threshold", "R", "Accuracy to be reached (default that of the linear classifier of least loss)"},
        {"--highest-rate", "R", "The rate tried first; then half of it, and so on (default 1)"},
        {"--halvings", "N", "Down to the highest rate over 2^N (default 20)"},
        {"--bisections", "N", "Between a rate that will do and one that will not (default 5)"},
        {"--networks", "N", "Networks of seeds --seed, --seed + 1, .. (default 1)"}};
    for (auto option :
         train_options_without({"--rate", "--schedule", "--stop-accuracy", "--patience", "--every", "--save"})) {
        if (option.name == "--loss") option.help = "cross-entropy (default), binary-cross-entropy, hinge";
        if (option.name == "--epochs") option.help = "Passes over the data at each rate, at most (default 10)";
        if (option.name == "--batch-size") option.help = "Samples a step (default 128)";
        if (option.name == "--checkpoint")
            option.help = "Keep finished trials here; a search that was killed goes on from it";
        out.push_back(option);
    }
    return out;
}

MaxRateRequest read_max_rate_request(Session const& session) {
    auto const& a = session.arguments;
    MaxRateRequest out{.run = read_train_request(session), .search = {}, .threshold = {}};
    auto const count = [&](char const* option, std::uint64_t usual, std::uint64_t least, std::uint64_t most) {
        auto const text = a.value(option);
        return text ? parse_count(*text, option, least, most) : usual;
    };
    constexpr std::uint64_t most_networks = 10'000;
    constexpr std::uint64_t most_halvings = 1000;
    constexpr std::uint64_t most_bisections = 50;
    if (!a.has("--loss")) out.run.objective = mlp::Objective::cross_entropy;
    if (!a.has("--epochs")) out.run.options.epochs = usual_epochs;
    if (!a.has("--batch-size")) out.run.options.batch_size = usual_batch_size;
    if (!mlp::has_classes(out.run.objective))
        throw DomainError(std::string("--loss: ") + mlp::name(out.run.objective) +
                              " has no classes, hence no accuracy; choose cross-entropy, binary-cross-entropy or hinge",
                          "--loss");
    if (a.has("--threshold")) {
        out.threshold = read_double(a, "--threshold", 0);
        if (!(*out.threshold > 0 && *out.threshold <= 1))
            throw DomainError(
                "--threshold = " + printable(*a.value("--threshold")) + "; an accuracy above 0 and up to 1 is required",
                "--threshold");
    } else if (out.run.objective == mlp::Objective::hinge) {
        throw ParseError("--threshold is missing: hinge has no linear classifier to beat here", "--threshold");
    }
    out.search.highest = read_double(a, "--highest-rate", 1);
    if (!(out.search.highest > 0))
        throw DomainError("--highest-rate = " + printable(*a.value("--highest-rate")) + "; a rate above 0 is required",
                          "--highest-rate");
    out.search.halvings = static_cast<int>(count("--halvings", 20, 0, most_halvings));
    out.search.bisections = static_cast<int>(count("--bisections", 5, 0, most_bisections));
    out.networks = count("--networks", 1, 1, most_networks);
    return out;
}

}  // namespace isserlis::cli
