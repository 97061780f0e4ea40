// SPDX-License-Identifier: MIT
#include "quantity/training/sharpness_request.hpp"

#include <isserlis/error.hpp>

#include "quantity/training/training_data.hpp"
#include "question/readers.hpp"

namespace isserlis::quantity {

ParameterSet<SharpnessRequest> sharpness_parameters() {
    ParameterSet<SharpnessRequest> out;
    out.add({"label_factors", "LIST",
             "What multiplies a summed pair of derivatives in layers 1, 2, ..: as rates by layer do",
             &SharpnessRequest::label_factors, real_numbers(), More{.usual = "1"}});
    out.add(&SharpnessRequest::run, train_parameters_without({"save"}));
    auto const steps = train_parameters_without(
        {"save", "checkpoint", "weights", "loss", "activation", "biases", "initial_gain", "epochs"});
    for (auto const& row : steps.rows()) out.at(row.text.name).text.needs = {"epochs"};
    auto& epochs = out.at("epochs").text;
    epochs.help = "Train for N epochs";
    epochs.usual = "none: at initialisation";
    out.at("checkpoint").text.help = "Keep run and sharpness here at every row; a run that was killed goes on from it";
    out.at("every").text.help = "Sharpness each N epochs, and at the end";
    ParameterSet<TrainRequest> data;
    data.add(&TrainRequest::data, training_data_parameters());
    out.add(&SharpnessRequest::run, data);
    for (char const* parameter : {"validation", "hold_out"}) out.at(parameter).text.needs = {"epochs"};
    return out;
}

void complete_sharpness_request(SharpnessRequest& request, Session const& session) {
    complete_train_request(request.run, session);
    auto const& factors = request.label_factors;
    if (factors.empty()) return;
    std::size_t const layers = request.run.architecture->traits().size() - 1;
    if (factors.size() != layers)
        throw DomainError("`label_factors`: " + std::to_string(factors.size()) + " for " + std::to_string(layers) +
                              " layers; give one for each",
                          "label_factors");
    for (double const f : factors) {
        if (f < 0) throw DomainError("`label_factors`: there is a negative one; 0 or more is needed", "label_factors");
    }
}

}  // namespace isserlis::quantity
