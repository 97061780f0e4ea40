// SPDX-License-Identifier: MIT
#include "sharpness_request.hpp"

#include <cmath>
#include <isserlis/error.hpp>

namespace isserlis::cli {

std::vector<OptionText> sharpness_options() {
    std::vector<OptionText> out = {
        {"--label-factors", "LIST",
         "What multiplies a summed pair of derivatives in layers 1, 2, .. (default 1): as rates by layer do"}};
    for (auto option : train_options_without({"--save", "--checkpoint"})) {
        if (option.name == "--epochs") option.help = "Train for N epochs (default 0: at initialisation)";
        if (option.name == "--every") option.help = "Sharpness each N epochs, and at the end (default 1)";
        out.push_back(option);
    }
    return out;
}

SharpnessRequest read_sharpness_request(Session const& session) {
    auto const& a = session.arguments;
    SharpnessRequest out{.run = read_train_request(session), .label_factors = {}};
    auto& options = out.run.options;
    options.row_gradients = false;
    if (!a.has("--epochs")) {
        options.epochs = 0;
        for (auto const& option :
             train_options_without({"--save", "--checkpoint", "--loss", "--activation", "--biases", "--initial-gain"}))
            if (a.has(option.name))
                throw ParseError(option.name + " means nothing at initialisation; --epochs N trains", option.name);
    }
    if (auto const list = a.value("--label-factors")) {
        std::size_t const layers = out.run.architecture.traits().size() - 1;
        for (auto const& part : split(*list)) out.label_factors.push_back(double_of(part, "--label-factors"));
        if (out.label_factors.size() != layers)
            throw DomainError("--label-factors: " + std::to_string(out.label_factors.size()) + " for " +
                                  std::to_string(layers) + " layers; give one for each",
                              "--label-factors");
        for (double const f : out.label_factors)
            if (f < 0)
                throw DomainError("--label-factors: '" + printable(*list) + "' has a negative one; 0 or more is needed",
                                  "--label-factors");
    }
    return out;
}

}  // namespace isserlis::cli
