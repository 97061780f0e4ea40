// SPDX-License-Identifier: MIT
#include "quantity/rows/rows.hpp"

namespace isserlis::quantity {

QuantityRows reproduce_quantities() {
    QuantityRows out{.command = "reproduce"};
    out.quantities = {
        {"point_x", "curve,point", "where a point of a figure is", "its place on the horizontal axis",
         "the figure's source", "those that the answer states"},
        {"point_y", "curve,point", "a point of a figure", "the sampled value there, as the answer states",
         "the figure's source", "those that the answer states"},
        {"point_error", "curve,point", "standard error of that point", "that of a mean over networks",
         "the figure's source", "those that the answer states"},
        {"curve_x", "curve,point", "where a point of an exact curve is", "its place on the horizontal axis",
         "the figure's source", "those that the answer states"},
        {"curve_y", "curve,point", "a point of an exact curve", "the exact value there, to 12 digits",
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
    };
    out.unverified = {{"", "a number of sampled networks, of a fit, or of another command"}};
    return out;
}

}  // namespace isserlis::quantity
