// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <isserlis/monte_carlo/step_sampler.hpp>
#include "question/model.hpp"

namespace isserlis::quantity {

/// Mean, standard deviation and root mean square of a quantity of a layer.
struct Statistics {
    Value mean = Surd(0);
    Value std = Surd(0);
    Value rms = Surd(0);
};

/// One layer of one network.
struct CoordinateLayer {
    std::string side;  ///< the parametrisation, where two stand beside each other
    std::size_t layer = 0;
    Integer width;  ///< of the network: the value of the swept symbol, else that of the layer
    std::map<std::string, Statistics> of;
    Surd covariance;
    bool changes = false;
    std::optional<Check> mean_check;
    std::optional<Check> covariance_check;
    std::map<std::string, Check> rms_checks;
    Value absolute = Surd(0);  ///< E |z_i|
    Value spread = Surd(0);    ///< over networks, of the mean of |z_i| over the layer
    std::optional<Check> absolute_check;
    std::map<std::string, monte_carlo::Estimate> sampled_absolutes;  ///< of change and updated
};

/// Those that are asked of a fully connected ReLU network, exact, and sampled where `check` asks; `width` stands in
/// place of the layers' own where a symbol is swept.
[[nodiscard]] std::vector<CoordinateLayer> layers_of(NumericModel const& model, std::optional<Integer> const& width,
                                                     Session const& session, Answer& answer);

}  // namespace isserlis::quantity
