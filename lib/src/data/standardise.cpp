// SPDX-License-Identifier: MIT
#include <isserlis/data/standardise.hpp>

#include <isserlis/error.hpp>
#include <isserlis/ring/fractions.hpp>

namespace isserlis {

DataSet standardised(DataSet data, Rational const& c) {
    if (c == 0) throw DomainError("standardised: c = 0; a standardised data set needs another constant", "c");
    if (data.samples() < 2)
        throw DomainError(data.place() + (data.lines.empty() ? "" : ", line " + std::to_string(data.lines.front())) +
                              ": the only sample; standardising needs at least 2",
                          "standardize");
    auto const s = Integer(data.samples());
    std::size_t const constant = data.input_width() - 1;
    for (std::size_t i = 0; i < constant; ++i) {
        // Deviations times s and the common denominator: the scale of the feature takes both up.
        std::vector<Rational> feature;
        for (auto const& x : data.inputs) feature.push_back(x[i]);
        std::vector<Integer> const values = Fractions<Rational>::over_common(feature).first;
        Integer sum = 0;
        for (auto const& a : values) sum += a;
        Integer squares = 0;
        for (std::size_t k = 0; k < values.size(); ++k) {
            Integer const deviation = s * values[k] - sum;
            squares += deviation * deviation;
            data.inputs[k][i] = deviation;
        }
        if (squares == 0) {
            std::string where = data.place();
            if (!data.input_columns.empty()) where += ", column " + std::to_string(data.input_columns[i]);
            throw DomainError(where + ": x" + std::to_string(i + 1) +
                                  " is the same in all samples, so it has no scale to standardise; leave it out (a "
                                  "constant feature is appended anyway)",
                              "standardize");
        }
        data.squared_scales[i] = quotient(c * c * s, Rational(squares));
    }
    for (auto& x : data.inputs) x[constant] = c;
    data.squared_scales[constant] = 1;
    return data;
}

}  // namespace isserlis
