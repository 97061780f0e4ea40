// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* wide =
    "Gaussian weights and biases, infinite hidden widths; of layers 1 and 2 the means at any width";

constexpr char const* wide_or_data =
    "Gaussian weights and biases, infinite hidden widths; of layers 1 and 2 the means at any width; with --data of "
    "every "
    "two samples, whose numbers come first in the index";

constexpr char const* first_order =
    "Gaussian weights and biases, hidden widths n, of order 1/n; at the first input, exact of layers 1 and 2";

constexpr char const* pair_order =
    "Gaussian weights and biases, hidden widths n, of order 1/n; at both inputs, exact of layers 1 and 2";

}  // namespace

QuantityRows kernel_quantities() {
    QuantityRows out{.command = "kernel"};
    out.quantities = {
        {"kernel", "l,unit", "covariance of a layer at two inputs",
         "K^(l+1)(x,y) = w E sigma(u) sigma(v) + b, (u,v) normal of covariance K^l; K^1 = w x.y/n_0 + b", "[Lee 2018]",
         wide_or_data},
        {"kernel_x", "l,unit", "variance of a layer at the first input", "K^l(x,x)", "[Lee 2018]", wide},
        {"kernel_y", "l,unit", "variance of a layer at the second input", "K^l(y,y)", "[Lee 2018]", wide},
        {"kernel_correlation", "l,unit", "correlation of a layer at two inputs", "K^l(x,y)/sqrt(K^l(x,x) K^l(y,y))",
         "[Schoenholz 2017]", wide_or_data},
        {"tangent_kernel", "l,unit", "tangent kernel at two inputs",
         "Theta^(l+1)(x,y) = K^(l+1)(x,y) + w E sigma'(u) sigma'(v) Theta^l(x,y); Theta^1 = K^1", "[Jacot 2018]",
         wide_or_data},
        {"tangent_kernel_x", "l,unit", "tangent kernel at the first input", "Theta^l(x,x)", "[Jacot 2018]", wide},
        {"tangent_kernel_y", "l,unit", "tangent kernel at the second input", "Theta^l(y,y)", "[Jacot 2018]", wide},
        {"four_point_vertex", "l,unit", "a third of a fourth cumulant at order 1/n",
         "E z^4 - 3 (E z^2)^2 = 3 V/n + O(1/n^2); V' = w^2 Var sigma^2 + (w dE sigma^2/dK)^2 V, V^1 = 0",
         "[Yaida 2019]", first_order},
        {"kernel_correction", "l,unit", "what finite width adds to a variance",
         "E z^2 = K + G/n + O(1/n^2); G' = w dE sigma^2/dK G + (w/2) d^2E sigma^2/dK^2 V, G^1 = 0", "[Roberts 2022]",
         first_order},
        {"tangent_kernel_correction", "l,unit", "what finite width adds to the mean tangent kernel",
         "E H_11 = Theta + T/n + O(1/n^2); T' = G' + w d T + w d_K (D + Theta G + 2 F) + (w/2) Theta d_KK V, "
         "d = E sigma'^2, D/n = Cov(z_1^2, H_22), F/n = E z_1 z_2 H_12",
         "[Guillen 2025]", first_order},
        {"four_point_vertex_xy", "l,unit", "fluctuation of a covariance, of order 1/n",
         "E z_1(x) z_1(y) z_2(x) z_2(y) - (E z(x) z(y))^2 = V/n + O(1/n^2); V' = w^2 Cov sigma sigma + w^2 F_K V F_K^T",
         "[Roberts 2022]", pair_order},
        {"kernel_correction_xy", "l,unit", "what finite width adds to a covariance",
         "E z(x) z(y) = K + G/n + O(1/n^2); G' = w F_K G + (w/2) F_KK V, F = E sigma(u) sigma(v)", "[Roberts 2022]",
         pair_order},
        {"tangent_kernel_correction_xy", "l,unit", "what finite width adds to a mean tangent kernel",
         "E H_11(x,y) = Theta + T/n + O(1/n^2); T' = G' + w d T + w d_K (D + Theta G) + (w/2) Theta d_KK V "
         "+ w (2 d_xx F_xx + d_xy (F_xy + F_yx) + 2 d_yy F_yy), d_K = (d_xx, d_xy, d_yy), d = E sigma'(u) sigma'(v), "
         "D/n = Cov(z_1 z_1, H_22), F/n = E z_1 z_2 H_12",
         "[Guillen 2025]", pair_order},
    };
    out.verified = {
        {.asked = "kernel relu linear"},
    };
    return out;
}

}  // namespace isserlis::quantity
