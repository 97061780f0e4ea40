// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/loss_curve/curve_data.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "question/parameter_set.hpp"
#include "question/session.hpp"

namespace isserlis::quantity {

/// A data set as it is named.
struct DataSetText {
    std::string name;  ///< a file, cos or checkerboard
    std::optional<std::uint64_t> size;
    bool standardize = false;
    std::string c = "1";  ///< as typed
    [[nodiscard]] bool is_built_in() const { return name == "cos" || name == "checkerboard"; }
};
/// `data`, `size`, `standardize` and `c`.
[[nodiscard]] ParameterSet<DataSetText> data_set_parameters();
/// Errors  ParseError and DomainError naming the parameter, or the place in the file.
[[nodiscard]] DataSet read_data_set(DataSetText const& text);

/// Data and loss as they are named.
struct CurveDataText {
    DataSetText set;
    std::optional<LossKind> loss;
    std::optional<bool> fixed;                    ///< `gradient`
    std::optional<std::vector<Rational>> output;  ///< `at_output`
};
[[nodiscard]] ParameterSet<CurveDataText> curve_data_parameters();
/// Errors  ParseError and DomainError naming the parameter, or the place in the file.
[[nodiscard]] CurveData read_curve_data(CurveDataText const& text);

/// The data and how they were standardised.
[[nodiscard]] std::string data_text(DataSet const& data, DataSetText const& text);

/// One line on the data, one on the loss and its gradients.
void state_curve_data(CurveData const& data, DataSetText const& text, Answer& answer);

}  // namespace isserlis::quantity
