// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* iid = "matrices independent, entries of each i.i.d., mean 0, variance 1, fourth moment as given";

}  // namespace

QuantityRows moments_quantities() {
    static std::string const entry = " 2,3,2 activation=linear variance=1";  // |x| = 1: an entry of a product
    QuantityRows out{.command = "moments"};
    out.quantities = {
        {"second_moment", "q", "mean square of an entry of a product of matrices",
         "E b_ij^2 = prod m, b the entries of A_q .. A_1, m its inner widths", "[Hettinger 2019, Lemma A.6]", iid},
        {"rho", "q", "mean fourth power of such an entry", "E b_ij^4; Gaussian: 3 prod m(m+2)",
         "[Hettinger 2019, Lemma A.6, A.8]", iid},
        {"gamma", "q", "mean product of two squares in one column",
         "E b_ij^2 b_kj^2, same column; Gaussian: prod m(m+2)", "[Hettinger 2019, Lemma A.6, A.8]", iid},
        {"nu", "q", "mean product of two squares in one row", "E b_ij^2 b_il^2, same row; Gaussian: prod m(m+2)",
         "[Hettinger 2019, Lemma A.6, A.8]", iid},
        {"tau", "q", "mean product of squares, no row or column shared",
         "E b_ij^2 b_kl^2; Gaussian: (prod m(m+2) + 2 prod m(m-1))/3", "[Hettinger 2019, Lemma A.6, A.8]", iid},
        {"eta", "q", "mean product of four entries, corners of a box",
         "E b_ij b_il b_kj b_kl; Gaussian: (prod m(m+2) - prod m(m-1))/3", "[Hettinger 2019, Lemma A.6, A.8]", iid},
    };
    out.verified = {
        {.asked = "moments 2,3,2",
         .twins = {{"second_moment", {"2"}, "z[1]^2" + entry},
                   {"rho", {"2"}, "z[1]^4" + entry},
                   {"gamma", {"2"}, "'z[1]^2 z[2]^2'" + entry}}},
    };
    return out;
}

}  // namespace isserlis::quantity
