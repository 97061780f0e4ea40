// SPDX-License-Identifier: MIT
#include "quantity/expression/expect_setting.hpp"

#include <isserlis/model/sampling_model.hpp>

namespace isserlis::quantity {

monte_carlo::ObservableSettings sampling_settings(ExpectRequest const& request, NumericModel const& model,
                                                  ObservableSetting<Surd> const& setting) {
    auto doubles = [](std::vector<Surd> const& row) {
        std::vector<double> out;
        for (auto const& x : row) out.push_back(to_double(x));
        return out;
    };
    monte_carlo::ObservableSettings out;
    if (!setting.inputs.gram.empty())
        throw UnsupportedError("`check`: a Gram matrix is no input that a network could read; give the vectors",
                               "check");
    for (std::size_t a = 0; a < setting.inputs.names.size(); ++a)
        out.inputs[setting.inputs.names[a]] = doubles(setting.inputs.vectors[a]);
    auto const width = static_cast<std::size_t>(numerator_of(model.graph().input_width.to_rational()));
    out.inputs[""] = setting.inputs.names.empty() ? sampling_input(model, width) : doubles(setting.inputs.vectors[0]);
    for (auto const& [name, value] : setting.parameters) out.parameters[name] = to_double(value);
    for (auto const& [name, rows] : setting.constants) {
        if (request.with.is_matrix(name)) {
            for (auto const& row : rows) out.matrices[name].push_back(doubles(row));
        } else {
            out.vectors[name] = doubles(rows.front());
        }
    }
    double const outputs = to_double(model.graph().output_width());
    out.target_second_moment = to_double(setting.target_second) / outputs;
    if (setting.target_third) out.target_third_moment = to_double(*setting.target_third) / outputs;
    if (setting.target_fourth) out.target_fourth_moment = to_double(*setting.target_fourth) / outputs;
    return out;
}

}  // namespace isserlis::quantity
