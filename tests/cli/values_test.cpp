// SPDX-License-Identifier: MIT
// Values, computed here a second time by a few lines that share nothing with the library.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "fraction.hpp"
#include "json_answer.hpp"

using namespace isserlis::test;

namespace {

using Widths = std::vector<int>;

std::string joined(Widths const& widths) {
    std::string out;
    for (int const w : widths) out += (out.empty() ? "" : ",") + std::to_string(w);
    return out;
}

struct Moments {
    Fraction second, rho, gamma, nu, tau, eta;
};

/// [Hettinger 2019, Lemma A.6] as it is written in spec/hettinger.md, section 1: inner widths and one fourth moment.
Moments lemma_a6(Widths const& inner, Fraction const& r) {
    Moments m{1, r, 1, 1, 1, 0};
    for (int const width : inner) {
        Fraction const n = width;
        Fraction const pairs = n * (n - 1);
        m = {n * m.second,
             n * r * m.rho + 3 * pairs * m.gamma,
             n * m.rho + pairs * m.gamma,
             n * r * m.nu + pairs * m.tau + 2 * pairs * m.eta,
             n * m.nu + pairs * m.tau,
             n * m.nu + pairs * m.eta};
    }
    return m;
}

/// E (sum of n independent squared gated normals)^p, p = 0 .. 4, by binomial convolution; slope s of the gate.
std::array<Fraction, 5> layer_moments(int n, Fraction const& s) {
    std::array<Fraction, 5> unit;
    Fraction normal = 1;  // (2p - 1)!!
    Fraction slope = 1;   // s^(2p)
    for (int p = 0; p <= 4; ++p) {
        auto const i = static_cast<std::size_t>(p);
        if (p > 0) normal = normal * (2 * p - 1);
        if (p > 0) slope = slope * s * s;
        unit[i] = p == 0 ? Fraction(1) : normal * (slope + 1) / 2;
    }
    constexpr std::array<std::array<int, 5>, 5> choose{
        {{1, 0, 0, 0, 0}, {1, 1, 0, 0, 0}, {1, 2, 1, 0, 0}, {1, 3, 3, 1, 0}, {1, 4, 6, 4, 1}}};
    std::array<Fraction, 5> sum{1, 0, 0, 0, 0};
    for (int unit_number = 0; unit_number < n; ++unit_number) {
        std::array<Fraction, 5> next{};
        for (std::size_t p = 0; p <= 4; ++p) {
            for (std::size_t k = 0; k <= p; ++k) next[p] = next[p] + choose[p][k] * sum[k] * unit[p - k];
        }
        sum = next;
    }
    return sum;
}

/// E |h^l|^(2p) of a Gaussian network for |x| = 1; the reading at layer l is gated or not.
Fraction norm_moment(Widths const& widths, Fraction const& slope, std::vector<Fraction> const& variances,
                     std::size_t layer, std::size_t p, bool gated) {
    Fraction out = 1;
    for (std::size_t l = 1; l <= layer; ++l) {
        bool const gate = l < layer || gated;
        out = out * layer_moments(widths[l], gate ? slope : Fraction(1))[p];
        for (std::size_t i = 0; i < p; ++i) out = out * variances[l - 1];
    }
    return out;
}

/// E |h^l|^4 for any kurtosis, spec/residual.md, section 2: LAYER moves from the input, where a = b.
Fraction fourth_norm(Widths const& widths, Fraction const& slope, std::vector<Fraction> const& variances,
                     std::vector<Fraction> const& kurtoses, Fraction const& x2, Fraction const& x4, std::size_t layer,
                     bool gated) {
    Fraction a = x2 * x2;
    Fraction d = x4;
    for (std::size_t l = 1; l <= layer; ++l) {
        Fraction const s = l < layer || gated ? slope : Fraction(1);
        Fraction const g2 = (s * s + 1) / 2;
        Fraction const g4 = (s * s * s * s + 1) / 2;
        Fraction const n = widths[l];
        Fraction const v = variances[l - 1];
        Fraction const diagonal = n * g4 * v * v * (3 * a + (kurtoses[l - 1] - 3) * d);
        a = diagonal + n * (n - 1) * g2 * g2 * v * v * a;
        d = diagonal;
    }
    return a;
}

/// Digamma by recurrence and its asymptotic series.
double digamma(double x) {
    double out = 0;
    for (; x < 30; x += 1) out -= 1 / x;
    double const y = 1 / (x * x);
    return out + std::log(x) - 0.5 / x - y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y / 240)));
}

}  // namespace

TEST_SUITE("cli/values") {
    TEST_CASE("moments: Lemma A.6 by a recursion of our own, for every product and several fourth moments") {
        std::vector<std::pair<std::string, Fraction>> const fourth{
            {"3", 3}, {"1", 1}, {"9/5", {9, 5}}, {"6", 6}, {"7/2", {7, 2}}};
        for (Widths const& widths :
             {Widths{2, 10, 10, 10, 1}, Widths{3, 1, 2, 4}, Widths{1, 1}, Widths{5, 2, 7, 3, 2}}) {
            for (auto const& [text, r] : fourth) {
                auto const answer = ask("moments " + joined(widths) + " --fourth-moment " + text);
                for (std::size_t q = 1; q < widths.size(); ++q) {
                    CAPTURE(joined(widths));
                    CAPTURE(text);
                    CAPTURE(q);
                    Widths const inner(widths.begin() + 1, widths.begin() + static_cast<std::ptrdiff_t>(q));
                    Moments const m = lemma_a6(inner, r);
                    Json const index{q};
                    CHECK(answer.exact("second_moment", index) == m.second.text());
                    CHECK(answer.exact("rho", index) == m.rho.text());
                    CHECK(answer.exact("gamma", index) == m.gamma.text());
                    CHECK(answer.exact("nu", index) == m.nu.text());
                    CHECK(answer.exact("tau", index) == m.tau.text());
                    CHECK(answer.exact("eta", index) == m.eta.text());
                }
            }
        }
    }

    TEST_CASE("moments: the named laws are their fourth moments") {
        for (auto const& [law, moment] : std::vector<std::pair<std::string, std::string>>{
                 {"gaussian", "3"}, {"uniform", "9/5"}, {"rademacher", "1"}, {"laplace", "6"}}) {
            CHECK(ask("moments 2,3,4 --law " + law).json["results"] ==
                  ask("moments 2,3,4 --fourth-moment " + moment).json["results"]);
        }
    }

    // Two matrices with fourth moments r_1, r_2 and inner width m: E (sum_k a_k b_k)^4 = m r_1 r_2 + 3 m(m - 1), by
    // hand.
    TEST_CASE("moments: a list of fourth moments, one for each matrix") {
        auto const answer = ask("moments 2,5,1 --fourth-moment 2,7");
        CHECK(answer.exact("rho", {1}) == "2");
        CHECK(answer.exact("rho", {2}) == "130");   // 5 * 14 + 3 * 20
        CHECK(answer.exact("gamma", {2}) == "30");  // same column, b_ij^2 b_kj^2: m r_1 + m(m - 1)
        CHECK(answer.exact("nu", {2}) == "55");     // same row: m r_2 + m(m - 1)
        CHECK(answer.exact("second_moment", {2}) == "5");
    }

    TEST_CASE("products: phi and psi of Definition 4.18 for every pair") {
        Widths const widths{2, 10, 3, 1, 4};
        auto const answer = ask("products " + joined(widths));
        std::size_t pairs = 0;
        for (std::size_t c = 1; c < widths.size(); ++c) {
            for (std::size_t d = c; d < widths.size(); ++d) {
                Fraction p = 1;
                Fraction m = 1;
                for (std::size_t q = c; q < d; ++q) {
                    p = p * (1 + Fraction(2, widths[q]));
                    m = m * (1 - Fraction(1, widths[q]));
                }
                CHECK(answer.exact("phi", {c, d}) == ((2 * p + m) / 3).text());
                CHECK(answer.exact("psi", {c, d}) == ((p - m) / 3).text());
                ++pairs;
            }
        }
        CHECK(answer.json["results"].size() == 2 * pairs);
    }

    // [Noci et al. 2021], [Zavatone-Veth and Pehlevan 2021]: per hidden layer, 1 + 2/n and (1 + 2/n)(1 + 4/n) for
    // linear units, 1 + 5/n and 1 + 15/n + 44/n^2 for ReLU.
    TEST_CASE("norm: each hidden layer multiplies the moments by the published factors") {
        for (long long const n : {1, 2, 3, 7, 10}) {
            for (bool const relu : {true, false}) {
                auto const answer = ask("norm " + std::to_string(n) + "," + std::to_string(n) + ":3,1 --order 3 " +
                                        (relu ? "" : "--activation linear"));
                Fraction const two = relu ? 1 + Fraction(5, n) : 1 + Fraction(2, n);
                Fraction const three =
                    relu ? 1 + Fraction(15, n) + Fraction(44, n * n) : (1 + Fraction(2, n)) * (1 + Fraction(4, n));
                Fraction second = 1;
                Fraction third = 1;
                for (int l = 1; l <= 3; ++l) {
                    second = second * two;
                    third = third * three;
                    CHECK(answer.exact("squared_norm_moment", {l, 1}) == "1");
                    CHECK(answer.exact("squared_norm_moment", {l, 2}) == second.text());
                    CHECK(answer.exact("squared_norm_moment", {l, 3}) == third.text());
                    CHECK(answer.exact("squared_norm_variance", {l}) == (second - 1).text());
                }
            }
        }
    }

    TEST_CASE("norm: moments up to order 4 against convolution, all activations, readings, heads and schemes") {
        struct Case {
            std::string activation;
            Fraction slope;
        };
        Widths const widths{2, 3, 4, 2};
        for (Case const& c : {Case{"relu", 0}, Case{"linear", 1}, Case{"leaky:1/2", {1, 2}}, Case{"leaky:-1/3", {1, 3}},
                              Case{"crelu", 1}, Case{"crelu-tied", 1}}) {
            Fraction const g2 = (c.slope * c.slope + 1) / 2;
            struct Rule {
                std::string option;
                std::vector<Fraction> variances;
            };
            for (Rule const& rule : {Rule{"--variance 1/3,2,1/4", {{1, 3}, 2, {1, 4}}},
                                     Rule{"--scheme he", {1 / (2 * g2), 1 / (3 * g2), 1 / (4 * g2)}},
                                     Rule{"--scheme xavier-average", {{2, 5}, {2, 7}, {2, 6}}},
                                     Rule{"--scheme mean-field", {1 / (2 * g2), 1 / (3 * g2), {1, 16}}},
                                     Rule{"--scheme ntk", {{1, 2}, {1, 3}, {1, 4}}}}) {
                for (std::string const reading : {"", "--pre", "--head activation"}) {
                    CAPTURE(c.activation);
                    if (c.activation.rfind("leaky", 0) == 0 && rule.option != "--scheme he") continue;
                    CAPTURE(rule.option);
                    CAPTURE(reading);
                    auto const answer = ask("norm " + joined(widths) + " --order 4 --activation " + c.activation + " " +
                                            rule.option + " " + reading);
                    for (std::size_t l = 1; l <= 3; ++l) {
                        bool const gated = reading != "--pre" && (l < 3 || !reading.empty());
                        std::array<Fraction, 5> q;
                        for (std::size_t p = 1; p <= 4; ++p) {
                            q[p] = norm_moment(widths, c.slope, rule.variances, l, p, gated);
                            CHECK(answer.exact("squared_norm_moment", {l, p}) == q[p].text());
                        }
                        Fraction const variance = q[2] - q[1] * q[1];
                        CHECK(answer.exact("squared_norm_mean", {l}) == q[1].text());
                        CHECK(answer.exact("squared_norm_variance", {l}) == variance.text());
                        Fraction const third = q[3] - 3 * q[1] * q[2] + 2 * q[1] * q[1] * q[1];
                        double const skewness = third.value() / std::pow(variance.value(), 1.5);
                        CHECK(answer.number("squared_norm_skewness", {l}) == doctest::Approx(skewness).epsilon(1e-12));
                    }
                }
            }
        }
    }

    TEST_CASE("norm: second moment for any kurtosis against the LAYER recursion") {
        Widths const widths{3, 2, 4, 2};
        Fraction const x2 = Fraction(1, 4) + 1 + 4;  // x = (1/2, -1, 2)
        Fraction const x4 = Fraction(1, 16) + 1 + 16;
        std::vector<Fraction> const variances{{1, 2}, 1, {2, 3}};
        for (auto const& [activation, slope] :
             std::vector<std::pair<std::string, Fraction>>{{"relu", 0}, {"linear", 1}, {"leaky:1/4", {1, 4}}}) {
            for (auto const& [law, kurtosis] :
                 std::vector<std::pair<std::string, std::vector<Fraction>>>{{"--law uniform", {{9, 5}, {9, 5}, {9, 5}}},
                                                                            {"--law laplace", {6, 6, 6}},
                                                                            {"--law rademacher", {1, 1, 1}},
                                                                            {"--kurtosis 2,5/2,10", {2, {5, 2}, 10}}}) {
                CAPTURE(activation);
                CAPTURE(law);
                std::string const line =
                    "norm 3,2,4,2 --variance 1/2,1,2/3 --activation " + activation + " " + law + " ";
                auto const answer = ask(line + "--input 1/2,-1,2");
                auto const same = ask(line + "--input-squared-norm " + x2.text() + " --input-fourth " + x4.text());
                CHECK(answer.json["results"] == same.json["results"]);
                for (std::size_t l = 1; l <= 3; ++l) {
                    Fraction const fourth = fourth_norm(widths, slope, variances, kurtosis, x2, x4, l, l < 3);
                    CHECK(answer.exact("squared_norm_moment", {l, 2}) == fourth.text());
                }
            }
        }
    }

    // E log q_l = log |x|^2 + sum (log 2 v + E psi(K/2)), K binomial given that a ReLU layer is not dead.
    TEST_CASE("norm: the mean logarithm against digamma sums in double") {
        auto const linear = ask("norm 2,3,4 --activation linear --input-squared-norm 5");
        double const one = std::log(5.0) + std::log(2.0 / 2) + digamma(1.5);
        CHECK(linear.number("log_squared_norm_mean", {1}) == doctest::Approx(one).epsilon(1e-13));
        double const two = one + std::log(2.0 / 3) + digamma(2);
        CHECK(linear.number("log_squared_norm_mean", {2}) == doctest::Approx(two).epsilon(1e-13));
        CHECK(linear.exact("log_squared_norm_mean", {1}) == "null");
        auto const relu = ask("norm 2,3,1");
        double const active = (3 * digamma(0.5) + 3 * digamma(1) + digamma(1.5)) / 7;
        double const hidden = std::log(2.0) + active;  // v = 2/2
        CHECK(relu.number("log_squared_norm_mean", {1}) == doctest::Approx(hidden).epsilon(1e-13));
        double const head = hidden + std::log(2 * 2.0 / 3) + digamma(0.5);
        CHECK(relu.number("log_squared_norm_mean", {2}) == doctest::Approx(head).epsilon(1e-13));
        CHECK(relu.text_of("assumptions").find("dead") != std::string::npos);
    }

    // [Hettinger 2019, Lemma 4.11], spec/hettinger.md, section 5: c^2 sqrt(d_0/d_n), printed c^2/sqrt(d_0 d_n).
    TEST_CASE("init: output variance as corrected and as printed") {
        auto const answer = ask("init 2,8,2 --activation crelu --printed");  // vector L411-282: 1 and 1/2
        CHECK(answer.exact("output_variance") == "1");
        CHECK(answer.exact("output_variance_printed") == "1/2");
        auto const scaled = ask("init 9,7,4 --activation crelu-tied --scheme proportional --c 2/3 --printed");
        CHECK(scaled.exact("output_variance") == "2/3");           // 4/9 * 3/2
        CHECK(scaled.exact("output_variance_printed") == "2/27");  // 4/9 / 6
        CHECK(scaled.text_of("warnings").find("Lemma 4.11") != std::string::npos);
        // The lemma speaks of concatenated ReLU: nothing is printed for other networks, and nothing is wrong.
        auto const relu = ask("init 2,10:3,1 --scheme proportional --printed");
        CHECK(relu.result("output_variance_printed")["exact"].is_null());
        CHECK(relu.text_of("warnings").find("Lemma 4.11") == std::string::npos);
    }

    TEST_CASE("init: variances of every scheme by hand, update ratios v_1^2 d_1 d_0/(v_l^2 d_l d_(l-1))") {
        Widths const d{4, 9, 16, 1};
        struct Rule {
            std::string scheme;
            std::vector<Fraction> variances;
        };
        for (Rule const& rule :
             {Rule{"proportional", {{1, 6}, {1, 12}, {1, 4}}}, Rule{"he", {{2, 4}, {2, 9}, {2, 16}}},
              Rule{"xavier", {{1, 4}, {1, 9}, {1, 16}}}, Rule{"xavier-average", {{2, 13}, {2, 25}, {2, 17}}},
              Rule{"lecun-uniform", {{1, 4}, {1, 9}, {1, 16}}}, Rule{"standard", {{1, 4}, {1, 9}, {1, 16}}},
              Rule{"ntk", {{1, 4}, {1, 9}, {1, 16}}}, Rule{"mean-field", {{2, 4}, {2, 9}, {1, 256}}}}) {
            CAPTURE(rule.scheme);
            auto const answer = ask("init 4,9,16,1 --scheme " + rule.scheme);
            Fraction output = 4;  // d_0 c^2, c = 1
            for (std::size_t l = 1; l <= 3; ++l) {
                Fraction const v = rule.variances[l - 1];
                CHECK(answer.exact("weight_variance", {l}) == v.text());
                Fraction const v1 = rule.variances[0];
                bool const by_theta = rule.scheme == "ntk";  // parameters of variance 1, whatever v is
                Fraction const variances = by_theta ? Fraction(1) : v1 * v1 / (v * v);
                CHECK(answer.exact("update_ratio", {l}) == (variances * d[1] * d[0] / (d[l] * d[l - 1])).text());
                output = output * v * d[l] * (l < 3 ? Fraction(1, 2) : Fraction(1));
            }
            CHECK(answer.exact("output_variance") == output.text());
        }
    }

    TEST_CASE("init: the default scheme is he for ReLU and leaky, xavier for linear, proportional for crelu") {
        CHECK(ask("init 4,9,1").exact("weight_variance", {2}) == "2/9");
        CHECK(ask("init 4,9,1 --activation leaky:1/2").exact("weight_variance", {2}) == "8/45");
        CHECK(ask("init 4,9,1 --activation linear").exact("weight_variance", {2}) == "1/9");
        CHECK(ask("init 4,9,1 --activation crelu").exact("weight_variance", {2}) == "1/3");
        CHECK(ask("init 4,9,1 --activation crelu-tied").exact("weight_variance", {2}) == "1/3");
    }

    // spec/hettinger.md, section 6: S of the nets of Table 4.1.
    TEST_CASE("scaling-factor: the table of the thesis and its two factors") {
        auto const answer = ask("scaling-factor 2,10:3,1 2,20:3,1 2,10:4,1 2,20:4,1 2,10:5,1 2,20:5,1");
        std::vector<double> const table{47.752, 67.610, 78.039, 103.653, 118.530, 146.229};
        for (std::size_t k = 1; k <= table.size(); ++k) {
            double const s = answer.number("scaling_factor", {k});
            CHECK(std::fabs(s - table[k - 1]) < 5.1e-4);
            CHECK(answer.number("width_sum", {k}) * answer.number("depth_product", {k}) ==
                  doctest::Approx(s).epsilon(1e-14));
            CHECK(answer.number("relative_rate", {k}) ==
                  doctest::Approx(answer.number("scaling_factor", {1}) / s).epsilon(1e-14));
        }
        CHECK(answer.exact("relative_rate", {1}) == "1");
        CHECK(answer.exact("depth_product", {1}) == "216/125");
        CHECK(ask("scaling-factor 1,4,9,1").exact("scaling_factor", {1}) == "121/6");  // (2 + 6 + 3)(3/2)(11/9)
    }

    TEST_CASE("report: parameters and the bounds of Theorem 3.6") {
        auto const answer = ask("report 2,10:3,1");
        CHECK(answer.exact("parameters") == "230");
        CHECK(answer.exact("minimal_width_lower") == "3");
        CHECK(answer.exact("minimal_width_upper") == "3");
        CHECK(ask("report 2,10:3,1 --activation crelu").exact("parameters") == "460");
        CHECK(ask("report 5,7,11").exact("parameters") == "112");
    }

    // By hand: h = relu(z), z ~ N(0, 2/n0) per unit with |x| = 1, so E q = n/n0 and E q^2 = n(n + 5)/n0^2.
    TEST_CASE("symbols: formulas by hand, and --set gives what the numbers give") {
        auto const answer = ask("norm n0,n,1 --layer 1");
        CHECK(answer.exact("squared_norm_mean", {1}) == "n/n0");
        CHECK(answer.exact("relative_variance", {1}) == "5/n");
        for (std::string const command : {"norm", "moments", "products", "init", "scaling-factor", "report"}) {
            CAPTURE(command);
            auto const numbers = ask(command + " 2,10:3,1");
            auto const set = ask(command + " a,n:L,c --set a=2,n=10 --set L=3,c=1");
            CHECK(numbers.json["results"] == set.json["results"]);
        }
    }

    TEST_CASE("symbolic depth: the last layer and a generic one, as closed forms") {
        auto const answer = ask("products 2,n:L,1 --set n=10");
        bool generic = false;
        for (auto const& index : answer.indices("phi")) generic = generic || index == Json{1, "l"};
        CHECK(generic);
        auto const rates = ask("scaling-factor n0,n:L,1 n0,m:L,1 --set n0=2,n=10,m=20,L=3");
        CHECK(rates.number("scaling_factor", {2}) == doctest::Approx(67.610396087472666));
    }

    TEST_CASE("several networks: every quantity carries the number of its network first") {
        for (std::string const command : {"norm", "moments", "products", "init", "report"}) {
            CAPTURE(command);
            auto const both = ask(command + " 2,3,1 2,4,1");
            auto const first = ask(command + " 2,3,1");
            auto const second = ask(command + " 2,4,1");
            REQUIRE(both.json["results"].size() == first.json["results"].size() + second.json["results"].size());
            for (auto const& [alone, k] : {std::pair{&first, 1}, std::pair{&second, 2}}) {
                for (auto const& r : alone->json["results"]) {
                    Json index = r["index"];
                    index.insert(index.begin(), k);
                    CHECK(both.result(r["name"], index)["exact"] == r["exact"]);
                }
            }
        }
    }

    // Decimals are correctly rounded; 1.27279220613578554... = 9 sqrt(2)/10 by hand.
    TEST_CASE("--digits: correct rounding of surds and of enclosures, and agreement between lengths") {
        auto const longest = ask("report 2,10:3,1 --digits 60");
        for (int const digits : {1, 2, 5, 17, 30}) {
            auto const rounded = ask("report 2,10:3,1 --digits " + std::to_string(digits));
            for (auto const& r : longest.json["results"]) {
                if (r["decimal"].is_null()) continue;
                double const far = std::strtod(r["decimal"].get<std::string>().c_str(), nullptr);
                double const near = rounded.number(r["name"], r["index"]);
                CHECK(std::fabs(near - far) <= std::fabs(far) * std::pow(10.0, 1 - std::min(digits, 15)) * 0.5000001);
            }
        }
        auto const answer = ask("init 2,2,1 --activation linear --scheme proportional --digits 40");  // sqrt(2)
        CHECK(answer.result("output_variance")["decimal"] == "1.414213562373095048801688724209698078570");
    }
}
