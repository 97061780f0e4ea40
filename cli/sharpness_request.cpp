// SPDX-License-Identifier: MIT
#include "sharpness_request.hpp"

#include <isserlis/error.hpp>

#include "readers.hpp"
#include "training_data.hpp"

namespace isserlis::cli {

OptionSet<SharpnessRequest> sharpness_options() {
    OptionSet<SharpnessRequest> out;
    out.add("--label-factors", "LIST",
            "What multiplies a summed pair of derivatives in layers 1, 2, ..: as rates by layer do",
            &SharpnessRequest::label_factors, real_numbers(), More{.usual = "1"});
    out.add(&SharpnessRequest::run, train_options_without({"--save", "--plot", "--checkpoint"}));
    auto const steps = train_options_without({"--save", "--plot", "--checkpoint", "--weights", "--loss", "--activation",
                                              "--biases", "--initial-gain", "--epochs"});
    for (auto const& row : steps.rows()) out.at(row.text.name).text.needs = {"--epochs"};
    auto& epochs = out.at("--epochs").text;
    epochs.help = "Train for N epochs";
    epochs.usual = "0: at initialisation";
    out.at("--every").text.help = "Sharpness each N epochs, and at the end";
    OptionSet<TrainRequest> data;
    data.add(&TrainRequest::data, training_data_options());
    out.add(&SharpnessRequest::run, data);
    for (char const* option : {"--validation", "--hold-out"}) out.at(option).text.needs = {"--epochs"};
    return out;
}

void complete_sharpness_request(SharpnessRequest& request, Session const& session) {
    complete_train_request(request.run, session);
    auto const& factors = request.label_factors;
    if (factors.empty()) return;
    std::size_t const layers = request.run.architecture->traits().size() - 1;
    if (factors.size() != layers)
        throw DomainError("--label-factors: " + std::to_string(factors.size()) + " for " + std::to_string(layers) +
                              " layers; give one for each",
                          "--label-factors");
    for (double const f : factors) {
        if (f < 0)
            throw DomainError("--label-factors: there is a negative one; 0 or more is needed", "--label-factors");
    }
}

}  // namespace isserlis::cli
