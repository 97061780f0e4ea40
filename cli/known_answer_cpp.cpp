// SPDX-License-Identifier: MIT
#include "known_answer.hpp"

namespace isserlis::cli {
namespace {

constexpr char const* program = R"(// Known-answer test, written by `{{TITLE}}`.
//
// Draws {{SAMPLES}} random networks and compares means with values that are exact at this width and depth. Exit code 1
// beyond {{ERRORS}} standard errors; the seed is fixed. C++17, the standard library alone.
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <random>
#include <vector>

namespace {

const std::vector<std::size_t> widths{{{WIDTHS}}};
const std::vector<double> variances{{{VARIANCES}}};  // of the weights of each layer, N(0, variance)
const std::vector<double> factors{{{FACTORS}}};      // {{FACTOR_MEANING}}
const double slope = {{SLOPE}};  // of the activation below 0; linear output layer, no biases
const std::vector<double> input{{{INPUT}}};
const double target_second_moment = {{TARGET}};  // E|y|^2 over all outputs; y_k are random signs of equal size
const std::size_t samples = {{SAMPLES}};
const double standard_errors = {{ERRORS}};

struct Known {
    std::size_t position;  // in what statistics() returns
    const char* name;
    double exact;
    double deviation;  // of one sample
};
const std::vector<Known> known{
{{EXACT}}};

// value + change * e with e^2 = 0: the derivative along one direction.
struct Dual {
    double value = 0;
    double change = 0;
};
Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.change + b.change}; }
Dual operator*(Dual a, Dual b) { return {a.value * b.value, a.value * b.change + a.change * b.value}; }

using Layers = std::vector<std::vector<Dual>>;  // row by row where they are matrices

Dual gate(Dual z) { return {z.value > 0 ? 1.0 : slope, 0}; }

Layers preactivations(const Layers& weights) {
    Layers out;
    std::vector<Dual> h;
    for (double x : input) h.push_back({x, 0});
    for (std::size_t l = 0; l < weights.size(); ++l) {
        std::vector<Dual> z(widths[l + 1]);
        for (std::size_t i = 0; i < z.size(); ++i)
            for (std::size_t j = 0; j < h.size(); ++j) z[i] = z[i] + weights[l][i * h.size() + j] * h[j];
        out.push_back(z);
        h.resize(z.size());
        for (std::size_t i = 0; i < z.size(); ++i) h[i] = gate(z[i]) * z[i];
    }
    return out;
}

// The gradient of sum_k above_k z_k of the outputs, by each weight.
Layers gradient(const Layers& weights, const Layers& z, std::vector<Dual> above) {
    Layers out(weights.size());
    for (std::size_t l = weights.size(); l-- > 0;) {
        std::vector<Dual> below(widths[l]);
        out[l].resize(weights[l].size());
        for (std::size_t i = 0; i < above.size(); ++i) {
            for (std::size_t j = 0; j < below.size(); ++j) {
                const Dual h = l == 0 ? Dual{input[j], 0} : gate(z[l - 1][j]) * z[l - 1][j];
                out[l][i * below.size() + j] = above[i] * h;
                below[j] = below[j] + above[i] * weights[l][i * below.size() + j];
            }
        }
        if (l > 0)
            for (std::size_t j = 0; j < below.size(); ++j) below[j] = gate(z[l - 1][j]) * below[j];
        above = below;
    }
    return out;
}

{{STATISTICS}}
}  // namespace

int main() {
    std::mt19937_64 random(1);
    std::vector<double> sums(known.size(), 0.0);
    for (std::size_t sample = 0; sample < samples; ++sample) {
        Layers weights;
        for (std::size_t l = 0; l + 1 < widths.size(); ++l) {
            std::normal_distribution<double> normal(0, std::sqrt(variances[l]));
            std::vector<Dual> w(widths[l] * widths[l + 1]);
            for (Dual& x : w) x.value = normal(random);
            weights.push_back(w);
        }
        std::bernoulli_distribution coin(0.5);
        std::vector<double> y(widths.back(), std::sqrt(target_second_moment / static_cast<double>(widths.back())));
        for (double& t : y) t = coin(random) ? t : -t;
        const std::vector<double> values = statistics(weights, y);
        for (std::size_t i = 0; i < known.size(); ++i) sums[i] += values[known[i].position];
    }
    bool right = true;
    for (std::size_t i = 0; i < known.size(); ++i) {
        const double mean = sums[i] / static_cast<double>(samples);
        const double tolerance = standard_errors * known[i].deviation / std::sqrt(static_cast<double>(samples)) +
                                 1e-9 * std::fabs(known[i].exact);
        const bool near = std::fabs(mean - known[i].exact) <= tolerance;
        std::printf("%s: exact %.8g, mean %.8g, tolerance %.3g%s\n", known[i].name, known[i].exact, mean, tolerance,
                    near ? "" : ", WRONG");
        right = right && near;
    }
    return right ? 0 : 1;
}
)";

constexpr char const* residual = R"(// z_k - y_k of the outputs: the gradient of 1/2 |z - y|^2.
std::vector<Dual> residuals(const Layers& z, const std::vector<double>& y) {
    std::vector<Dual> out = z.back();
    for (std::size_t k = 0; k < out.size(); ++k) out[k].value -= y[k];
    return out;
}

)";

constexpr char const* hessian = R"(// The squared norm of the Hessian, one row at a time.
std::vector<double> statistics(Layers weights, const std::vector<double>& y) {
    double sum = 0;
    for (std::size_t l = 0; l < weights.size(); ++l) {
        for (Dual& w : weights[l]) {
            w.change = 1;
            const Layers z = preactivations(weights);
            const Layers row = gradient(weights, z, residuals(z, y));
            for (std::size_t m = 0; m < row.size(); ++m)
                for (const Dual& g : row[m]) sum += factors[l] * factors[m] * g.change * g.change;
            w.change = 0;
        }
    }
    return {sum};
}
)";

constexpr char const* ntk = R"(// The kernel of the first output, and its square.
std::vector<double> statistics(const Layers& weights, const std::vector<double>&) {
    std::vector<Dual> first(widths.back());
    first[0].value = 1;
    const Layers row = gradient(weights, preactivations(weights), first);
    double kernel = 0;
    for (std::size_t l = 0; l < row.size(); ++l)
        for (const Dual& g : row[l]) kernel += factors[l] * g.value * g.value;
    return {kernel, kernel * kernel};
}
)";

constexpr char const* mup =
    R"(// Of each hidden layer, the squared change in a step of gradient descent and its product with z, to first order.
std::vector<double> statistics(Layers weights, const std::vector<double>& y) {
    const Layers before = preactivations(weights);
    const Layers slopes = gradient(weights, before, residuals(before, y));
    for (std::size_t l = 0; l < weights.size(); ++l)
        for (std::size_t i = 0; i < weights[l].size(); ++i) weights[l][i].change = -factors[l] * slopes[l][i].value;
    const Layers z = preactivations(weights);
    std::vector<double> out;
    for (std::size_t l = 0; l + 1 < z.size(); ++l) {
        double square = 0, product = 0;
        for (const Dual& x : z[l]) {
            square += x.change * x.change / static_cast<double>(z[l].size());
            product += x.value * x.change / static_cast<double>(z[l].size());
        }
        out.push_back(square);
        out.push_back(product);
    }
    return out;
}
)";

}  // namespace

std::string cpp_test(KnownAnswer const& known) {
    std::string exact;
    for (auto const& s : known.statistics) {
        exact += "    {" + std::to_string(s.position) + ", \"" + s.name + "\", " + number_text(s.exact) + ", " +
                 number_text(s.deviation) + "},";
        exact += s.sampled ? "  // the deviation is sampled\n" : "\n";
    }
    for (auto const& name : known.left_out) exact += "    // left out: " + name + "\n";
    std::string statistics = residual;
    if (known.kind == KnownAnswer::Kind::hessian) statistics += hessian;
    if (known.kind == KnownAnswer::Kind::ntk) statistics = ntk;
    if (known.kind == KnownAnswer::Kind::mup) statistics += mup;
    bool const rates = known.kind == KnownAnswer::Kind::mup;
    return filled(program, {{"TITLE", known.title},
                            {"WIDTHS", listed(known.widths)},
                            {"VARIANCES", listed(known.variances)},
                            {"FACTORS", listed(known.factors)},
                            {"FACTOR_MEANING", rates ? "learning rate of each layer"
                                                     : "what multiplies a summed pair of derivatives, by layer"},
                            {"SLOPE", number_text(known.slope)},
                            {"INPUT", listed(known.input)},
                            {"TARGET", number_text(known.target_second)},
                            {"SAMPLES", std::to_string(known.samples)},
                            {"ERRORS", std::to_string(tolerated_errors)},
                            {"STATISTICS", statistics},
                            {"EXACT", exact}});
}

}  // namespace isserlis::cli
