// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"

namespace isserlis::quantity {

QuantityRows reproduce_quantities() {
    QuantityRows out{.command = "reproduce"};
    out.quantities = {
        {"point_x", "curve,point", "where a point of a figure is", "its place on the horizontal axis",
         "the figure's source", "those that the answer states"},
        {"point_y", "curve,point", "a point of a figure", "the value there, sampled or as the answer states",
         "the figure's source", "those that the answer states"},
        {"point_error", "curve,point", "standard error of that point", "that of a mean over networks",
         "the figure's source", "those that the answer states"},
        {"curve_x", "curve,point", "where a point of a computed curve is", "its place on the horizontal axis",
         "the figure's source", "those that the answer states"},
        {"curve_y", "curve,point", "a point of a computed curve", "the value there, as the answer states, to 12 digits",
         "the figure's source", "those that the answer states"},
        {"share_diverged", "curve,point", "share of networks that diverged",
         "those with a loss or gradient that is no finite number", "[Hettinger 2019, section 4.5]",
         "those that the answer states"},
        {"share_risen", "curve,point", "share of networks that rose or diverged",
         "those that ended above the loss that they began with, or diverged", "[Hettinger 2019, section 4.5]",
         "those that the answer states"},
        {"fit_slope", "curve", "slope through points, in logarithms", "ln y = slope ln x + constant, by least squares",
         "[Iyer 2023, section 4.1]", "those that the answer states"},
        {"fit_constant", "curve", "constant of that line", "the constant of that line", "[Iyer 2023, section 4.1]",
         "those that the answer states"},
        {"fit_r_squared", "curve", "how well it fits", "the share of the variance that the line explains",
         "[Iyer 2023, section 4.1]", "those that the answer states"},
        {"trained_bias", "unit", "bias of a trained unit", "log odds at 0 of a sigmoid unit", "[Dalal 1989]",
         "those that the answer states"},
        {"trained_weight", "unit", "weight of a trained unit", "log odds for each unit of the input", "[Dalal 1989]",
         "those that the answer states"},
        {"deviance", "unit", "deviance of a trained unit", "twice the sum of the binary cross-entropies",
         "[Dalal 1989]", "those that the answer states"},
        {"parameters", "network", "parameters of a network", "its weights and biases",
         "[Liquet 2024, eqs. (5.5), (5.6)]", "those that the answer states"},
        {"weights", "network", "weights among them", "its weights alone", "[Liquet 2024, eqs. (5.5), (5.6)]",
         "those that the answer states"},
        {"largest_error", "network", "how far a network is off a function", "the most of |network - f|",
         "[Liquet 2024, eq. (5.11)]", "those that the answer states"},
    };
    out.unverified = {{"", "a number of sampled networks, of a fit, or of another command"}};
    return out;
}

}  // namespace isserlis::quantity
