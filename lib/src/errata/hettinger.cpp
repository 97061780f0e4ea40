// SPDX-License-Identifier: MIT
// [Hettinger 2019], as printed. The numbering is that of docs/errata.md.
#include <isserlis/ring/surd.hpp>
#include <numeric>

#include "errata/sources.hpp"

namespace isserlis::errata {
namespace {

/// Kurtosis of a normal variable.
constexpr int normal_kurtosis = 3;

/// |x| after steps of gradient descent of x^4 with the rates 1, 1/2, ..
Rational descended_fourth_power(int from, int steps) {
    Rational x(from);
    for (int i = 1; i <= steps; ++i) x = x - 4 * x * x * x / i;
    return x < 0 ? Rational(-x) : x;
}

using Vector = std::vector<int>;
using MatrixRows = std::vector<Vector>;

int dot(Vector const& a, Vector const& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0); }

Vector product(MatrixRows const& m, Vector const& v) {
    Vector out;
    for (auto const& row : m) out.push_back(dot(row, v));
    return out;
}

int trace(MatrixRows const& m) {
    int out = 0;
    for (std::size_t i = 0; i < m.size(); ++i) out += m[i][i];
    return out;
}

/// The right sides of Lemmas A.11 and A.13 where the random matrices are none: Tr C/m_0 x.y x.z, and Tr D/m_n w'P v.
Formula printed_empty_product(MatrixRows const& given, int scalar) {
    return fraction(trace(given) * scalar, static_cast<int>(given.size()));
}

/// The sum in the proof of Lemma A.12 for one matrix B between the two, s x r with normal entries: of E b_eg^2 b_kj^2
/// over e, k <= s, j <= r and g up to an end.
Formula summed_squares(int s, int r, int end_of_g) {
    int out = 0;
    for (int e = 0; e < s; ++e) {
        for (int g = 0; g < end_of_g; ++g) {
            for (int j = 0; j < r; ++j) {
                for (int k = 0; k < s; ++k) out += e == k && g == j ? normal_kurtosis : 1;
            }
        }
    }
    return out;
}

Rational mean_of(Vector const& samples) {
    return Rational(std::accumulate(samples.begin(), samples.end(), 0)) / static_cast<int>(samples.size());
}
Rational mean_square(Vector const& samples) {
    return Rational(dot(samples, samples)) / static_cast<int>(samples.size());
}
Rational variance_of(Vector const& samples) { return mean_square(samples) - mean_of(samples) * mean_of(samples); }

std::vector<Item> chapters_three_and_four() {
    return {
        {.ids = "H1, H2",
         .statement = "Definitions 4.12 and 4.22, signs and the greedy rate",
         .verdict = "wrong",
         .printed = "the best rate is -F'/(2 F''), and weights after a step are P + lambda dP",
         .correct = "-F'/F'', and P - lambda dP",
         .cases = {{.asked = "loss-curve 3,2,1 data=checkerboard gradient=random activation=linear variance=1/2",
                    .row = {"vertex_rate", {"1"}},
                    .printed = of_rows(
                        [](Rows const& here) { return here("slope", {"1"}) / (-2 * here("curvature", {"1"})); })}}},
        {.ids = "H3",
         .statement = "Lemma 4.11, the variance of an output",
         .verdict = "wrong",
         .printed = "c^2/sqrt(d_0 d_n)",
         .correct = "c^2 sqrt(d_0/d_n)",
         .cases = {{.asked = "init 2,8,2 activation=crelu",
                    .row = {"output_variance"},
                    .printed = computed(Surd(1) / sqrt(Surd(2 * 2)))}}},
        {.ids = "H4",
         .statement = "Lemma 4.11, the law of an output",
         .verdict = "wrong",
         .printed = "the outputs are normal, of kurtosis 3; here the relative variance of the square of one",
         .correct = "given the layer below; in a linear network the kurtosis is 3 prod (1 + 2/d_l)",
         .cases = {{.asked = "norm 2,8,1 activation=linear layer=2",
                    .row = {"relative_variance", {"2"}},
                    .printed = computed(Formula(normal_kurtosis) - 1)}}},
        {.ids = "H5",
         .statement = "Theorems 4.15 and 4.19, concatenated ReLU",
         .verdict = "wrong",
         .printed = "for concatenated ReLU and any data, in terms of x^k.x^l",
         .correct = "for deep linear networks, and for concatenated ReLU with one sample",
         .cases = {{.asked = "loss-curve 2,10:3,1 data=cos gradient=fixed activation=crelu-tied printed digits=12",
                    .row = {"slope", {"1"}},
                    .printed_row = {"slope_printed", {"1"}}},
                   {.asked = "loss-curve 2,10,1 data=cos size=3 gradient=fixed activation=crelu-tied printed "
                             "digits=12",
                    .row = {"curvature", {"1"}},
                    .printed_row = {"curvature_printed", {"1"}}}}},
        {.ids = "H6, H7",
         .statement = "Theorems 4.15 and 4.19 and Lemma 4.17, gradients of the loss",
         .verdict = "wrong",
         .printed = "gradients of the loss as if they did not depend on the weights; second derivatives of the outputs "
                    "have mean 0",
         .correct = "for fixed gradients only; here E z^2 |z'|^2, and E z^3 z'' z' z'",
         .cases = {{.asked = "expect 'z^2 z[;m]^2' 1,1,1 activation=linear",
                    .row = {"value"},
                    .printed_row = {"value"},
                    .against = "expect 'E[z^2] E[z[;m]^2]' 1,1,1 activation=linear"},
                   {.asked = "expect 'z^3 z[;m,n] z[;m] z[;n]' 1,1,1 activation=linear",
                    .row = {"value"},
                    .printed = computed(Formula(0))}}},
    };
}

/// The form of Theorem A.14 with this P.
std::string whole_form(std::string const& p) {
    return R"(form A.14 2,2,2 with='text:{"i": 1, "j": 2, "x": [1, 2], "y": [-1, 3], "z": [2, 1], "w": [1, -2], )"
           R"("v": [3, 1], "P": )" +
           p + "}'";
}

std::vector<Item> appendix() {
    Vector const x = {1, 2};
    Vector const y = {-1, 3};
    Vector const z = {2, 1};
    Vector const w = {1, -2};
    Vector const v = {3, 1};
    MatrixRows const p = {{2, 1}, {1, -3}};
    MatrixRows const given = {{2, 1}, {1, 5}};  // called C in Lemma A.11, D in Lemma A.13
    return {
        {.ids = "H8",
         .statement = "Theorem A.14, proof",
         .verdict = "unproved",
         .printed = "E c is a product of three means of c, given different matrices",
         .correct = "each factor is the whole c, so both sides scale apart, here for twice the P; the theorem is right",
         .cases = {{.asked = whole_form("[[4, 2], [2, -6]]"),
                    .row = {"value"},
                    .printed = of_both([](Rows const&, Rows const& there) {
                        Formula const twice(2);
                        return power(twice, 3) * there("value", {});
                    }),
                    .against = whole_form("[[2, 1], [1, -3]]")}}},
        {.ids = "H9",
         .statement = "Lemma A.11 at i = 1",
         .verdict = "wrong",
         .printed = "Corollaries A.2 to A.5 and A.7 are applied to the empty product",
         .correct = "they need a random matrix; Lemma A.11 for i >= 2; here its left side at i = 1, x.y x'Cz = 5*19 at "
                    "x = (1, 2), y = (-1, 3), z = (2, 1), C = (2, 1; 1, 5)",
         .cases = {{.printed = computed(printed_empty_product(given, dot(x, y) * dot(x, z))),
                    .correct = computed(Formula(dot(x, y) * dot(x, product(given, z))))}}},
        {.ids = "H10",
         .statement = "Lemma A.13 at j = n",
         .verdict = "wrong",
         .printed = "for all j <= n",
         .correct = "for j <= n - 1; here the left side at j = n, w'P D v at w = (1, -2), P = (2, 1; 1, -3), "
                    "D = (2, 1; 1, 5), v = (3, 1)",
         .cases = {{.printed = computed(printed_empty_product(given, dot(w, product(p, v)))),
                    .correct = computed(Formula(dot(w, product(p, product(given, v)))))}}},
        {.ids = "H11",
         .statement = "Lemma A.12, proof",
         .verdict = "unproved",
         .printed = "for i <= j, with a sum that stops at q",
         .correct =
             "the proof covers j >= i + 2, with a sum to r; the statement is right, here for one matrix of 5 x 3 "
             "between the two",
         .cases = {{.asked = R"(form A.12 2,3,5,2 with='text:{"i": 1, "j": 3}')",
                    .row = {"value"},
                    .printed = computed(summed_squares(5, 3, 2))}}},
        {.ids = "H12",
         .statement = "Lemma A.8, proof",
         .verdict = "misprint",
         .printed = "if rho_1 = 1, then rho_2 = 3 m(m + 2)",
         .correct = "if rho_1 = 3",
         .cases = {{.asked = "moments 2,3,2 fourth_moment=1 layer=2",
                    .row = {"rho", {"2"}},
                    .printed = computed(Formula(3 * 3 * (3 + 2)))},
                   {.asked = "moments 2,3,2 fourth_moment=3 layer=2",
                    .row = {"rho", {"2"}},
                    .printed = computed(Formula(3 * 3 * (3 + 2)))}}},
        {.ids = "H13, H14",
         .statement = "Proofs of Lemmas A.11 to A.13, and the statement of A.13",
         .verdict = "slip",
         .printed = "\"Corollary 2\"; A_(i+i); B_(j+1,n) and x, y, z",
         .correct = "Lemma A.8; A_(i+1); B_(n,j+1) and w, v",
         .words = "a reference and names; no equation has another value by them"},
        {.ids = "H15",
         .statement = "Definition 3.22, the empty product",
         .verdict = "misprint",
         .printed = "W_(a,b) = 1 if a < b",
         .correct =
             "the identity of size d_a, for a = b - 1, of squared norm d_a; here both norms of Lemma A.12 at i = j, "
             "over 3 and 5",
         .cases = {{.asked = R"(form A.12 2,3,5,2 with='text:{"i": 2, "j": 2}')",
                    .row = {"value"},
                    .printed = computed(fraction(1, 3) * fraction(1, 5))}}},
        {.ids = "H16",
         .statement = "Corollary 4.7, third line of the proof, and Corollary A.10",
         .verdict = "misprint",
         .printed = "E|x_n|^2 = c^(2n) d_1 .. d_n/sqrt(d_0 d_1 .. d_n) |x_0|^2",
         .correct = "the inner widths under the root are squared",
         .cases = {{.asked = "norm 2,8,2 activation=crelu layer=2",
                    .row = {"squared_norm_mean", {"2"}},
                    .printed = computed(Surd(8 * 2) / sqrt(Surd(2 * 8 * 2)))}}},
    };
}

/// One linear unit with weights 0 on one sample.
std::string zero_unit(std::string const& loss) {
    return R"(loss-curve weights='text:{"activation": "linear", "layers": [{"weights": [[0, 0]]}]}' )"
           "data=text:x1,y1;1,1 gradient=random loss=" +
           loss;
}

/// The mean loss of 2,1 with weights of variance 1, were the mean squares of its features their variances: of one that
/// is shifted and scaled to 1, and of the constant one.
Formula loss_by_variances(Vector const& shifted, Vector const& targets) {
    Vector const constant(shifted.size(), 1);
    return Formula(variance_of(shifted) / mean_square(shifted) + variance_of(constant) + mean_square(targets));
}

std::vector<Item> initialisation() {
    return {
        {.ids = "H17",
         .statement = "Theorem 4.6, scope",
         .verdict = "wrong",
         .printed = "E|dP_i|^2 and E|dN_i|^2 compare alike for all layers",
         .correct = "for i >= 2 where N = -P; for the sum of both with one sample; in deep linear networks. Here i = "
                    "1, x = (1, 1): "
                    "E|dN_1|^2 is E|dP_1|^2 at -x, whose units are all negative",
         .cases = {{.asked = "jacobian 2,2,2 activation=crelu part=P layer=1 input=-1,-1",
                    .row = {"jacobian_mean", {"1"}},
                    .printed_row = {"jacobian_mean", {"1"}},
                    .against = "jacobian 2,2,2 activation=crelu part=P layer=1 input=1,1"}}},
        {.ids = "H18",
         .statement = "Theorem 4.6, proof",
         .verdict = "misprint",
         .printed = "E x_0'W' = (sigma_1^2 .. )(d_1 .. )|x_0|^2; here 1/2, 1/3 and 3, 2",
         .correct = "E|x_0'W'|^2 on the left; the mean of the vector is 0",
         .cases = {{.asked = "expect 'z[1]' 2,3,2 activation=linear",
                    .row = {"value"},
                    .printed = computed(fraction(1, 2) * fraction(1, 3) * 3 * 2)},
                   {.asked = "expect 'z[i]^2' 2,3,2 activation=linear",
                    .row = {"value"},
                    .printed = computed(fraction(1, 2) * fraction(1, 3) * 3 * 2)}}},
        {.ids = "H19",
         .statement = "The scaling factor, second derivative",
         .verdict = "wrong",
         .printed = "every term carries prod (1 + 2/d_k)",
         .correct = "that bounds each term from above; the cross term of 2,10,1 carries phi - psi",
         .cases = {{.asked = "products 2,10,1 layer=1,2",
                    .printed = of_rows([](Rows const& here) {
                        return here("phi", {"1", "2"}) + here("psi", {"1", "2"});
                    }),
                    .correct = of_rows([](Rows const& here) {
                        return here("phi", {"1", "2"}) - here("psi", {"1", "2"});
                    })}}},
        {.ids = "H20",
         .statement = "Table 4.1, depths",
         .verdict = "misprint",
         .printed = "3x10 has three hidden layers of 10, 5x10 and 5x20 have four",
         .correct = "a width is missing, or the names count differently; which one is not said",
         .words = "which of the two is meant is not said, so that neither is the true one"},
        {.ids = "H21",
         .statement = "Table 4.1 and section 4.5, the input width",
         .verdict = "misprint",
         .printed = "d_0 = 2 for both tasks; here the number of weights of 3x10 on the checkerboard",
         .correct = "2 for the cosine, 3 for the checkerboard: two features and the constant one",
         .cases = {{.asked = "report 3,10:3,1",
                    .row = {"parameters"},
                    .printed_row = {"parameters"},
                    .against = "report 2,10:3,1"}}},
        {.ids = "H22",
         .statement = "Sections 3.4 and 4.5, binary cross-entropy",
         .verdict = "misprint",
         .printed = "section 4.5 trains with it, section 3.4 has categorical cross-entropy only",
         .correct =
             "L = log(1 + e^z) - y z, gradient p - y, Hessian p(1 - p), p = sigmoid(z); here the slope at weights "
             "0, x = (1, 1), y = 1, by both",
         .cases = {{.asked = zero_unit("binary-cross-entropy"),
                    .row = {"slope", {"1"}},
                    .printed = of_both([](Rows const&, Rows const& there) { return there("slope", {"1"}); }),
                    .against = zero_unit("cross-entropy")}}},
        {.ids = "H23",
         .statement = "Definition 4.10, the equivalent form",
         .verdict = "misprint",
         .printed = "all features have the same variance",
         .correct =
             "the same mean square; the constant feature has variance 0. Here the mean loss of 2,1 on 1, 3, 2 with "
             "targets 1, 0, 4, a sum over the features",
         .cases = {{.asked = "loss-curve 2,1 variance=1 activation=linear data=text:x1,y1;1,1;3,0;2,4 standardize "
                             "gradient=random",
                    .row = {"loss", {"1"}},
                    .printed = computed(loss_by_variances({-1, 1, 0}, {1, 0, 4}))}}},
    };
}

/// weight * relu(x) at x = 1, whose square is the loss at target 0.
std::string relu_unit(int weight) {
    return R"(train weights='text:{"activation": "relu", "biases": true, "layers": [{"weights": [[)" +
           std::to_string(weight) +
           R"(]], "bias": [0]}, {"weights": [[1]], "bias": [0]}]}' data=text:x1,y1;1,0 epochs=1)";
}

std::vector<Item> descent() {
    return {
        {.ids = "H24",
         .statement = "Section 4.4, after Theorem 4.20",
         .verdict = "wrong, unused",
         .printed = "|F'(x_1) - F'(x_0)| < |F'(x_0)| implies |F'(x_1)| < |F'(x_0)|",
         .correct = "|F'(x_1)| < 2|F'(x_0)|; here |F'(x_1)| for F = -x^2/2 after a step of 1/2 from x_0 = 1",
         .cases = {{.claim = Claim::at_most,
                    .printed = computed(Formula(1)),                 // |F'(x_0)| = |-x_0|
                    .correct = computed(1 + fraction(1, 2) * 1)}}},  // x_1 = x_0 + x_0/2
        {.ids = "H25",
         .statement = "Proofs of Lemmas 4.3, 4.9, 4.16 and A.9",
         .verdict = "slip",
         .printed = "m_(di) m_(dj); A(cx) = x; Delta C_j; m_i m_(i+2) .. m_(n-1)",
         .correct =
             "m_(ci) m_(cj); A(cx) = A(x); Delta W_j; m_i m_(i+1) .. m_(n-1), here of 2,3,5,7,2 at i = 1, where the "
             "vectors make the other factors 1",
         .cases =
             {{.asked =
                   R"(form A.9 2,3,5,7,2 with='text:{"i": 1, "x": [1, 0], "y": [1, 0], "w": [1, 0], "v": [1, 0]}')",
               .row = {"value"},
               .printed = computed(Formula(3 * 7))}}},
        {.ids = "H26",
         .statement = "Definition 3.17",
         .verdict = "misprint",
         .printed = "(x_n - y)^2, also for vectors",
         .correct = "|x_n - y|^2, of which 2(x_n - y) and 2I are gradient and Hessian",
         .words = "the square of a vector is no number, so that the printed side has none"},
        {.ids = "H27",
         .statement = "Corollary 3.7, proof",
         .verdict = "wrong",
         .printed = "scaling by c maps the weights to W = W'/c",
         .correct = "W = c W'; here the square of the value at 1 for f = 2 relu(x) and c = 1/2",
         .cases = {{.asked = relu_unit(2),
                    .printed_row = {"loss", {"0"}},
                    .against = relu_unit(4),  // 2/c
                    .correct = of_rows([](Rows const& here) {
                        Formula const c = fraction(1, 2);
                        return c * c * here("loss", {"0"});
                    })}}},
        {.ids = "H28",
         .statement = "Theorem 4.21, Robbins and Monro",
         .verdict = "wrong, unused",
         .printed = "rates whose sum is infinite and whose squares' sum is finite make descent converge",
         .correct =
             "under a bound on the growth of the gradient; here |x| after two steps for F = x^4 and rates 1/i, which "
             "begin at 10",
         .cases = {{.claim = Claim::at_most,
                    .printed = computed(Formula(10)),
                    .correct = computed(Formula(descended_fourth_power(10, 2)))}}},
        {.ids = "H29",
         .statement = "Lemma 4.2, Maxwell",
         .verdict = "wrong, unused",
         .printed = "independent entries and an invariant law make a vector normal, of kurtosis 3",
         .correct = "for d >= 2; here the kurtosis of a random sign, which is all there is to invariance for d = 1",
         .cases = {{.asked = "expect 'z^4' 1,1 activation=linear law=rademacher variance=1 input=1",
                    .row = {"value"},
                    .printed = computed(Formula(normal_kurtosis))}}},
    };
}

}  // namespace

std::vector<Item> hettinger_items() {
    std::vector<Item> out = chapters_three_and_four();
    for (auto const make : {appendix, initialisation, descent}) {
        auto const more = make();
        out.insert(out.end(), more.begin(), more.end());
    }
    return out;
}

}  // namespace isserlis::errata
