// SPDX-License-Identifier: MIT
#include "cpp_observable.hpp"
#include "program_text.hpp"

namespace isserlis {

using namespace emit;

namespace {

constexpr char const* program = R"(// {{TITLE}}
//
// Known-answer test, written by the command above.
// Draws {{SAMPLES}} random networks and compares means with values that are exact at this width and depth. Exit code 1
// beyond {{ERRORS}} standard errors, which is the share of each value noted beside it: of a value that is off by so much
// every second seed fails, of one that is off by twice as much all but one in a million, as far as the mean of so many
// networks is normal. The generator is the test's own, its seed is fixed. C++17, the standard library alone.
#include <cmath>
#include <cstddef>
#include <cstdio>
{{INCLUDES}}
namespace {

const std::vector<std::size_t> widths{{{ALL_WIDTHS}}};
const std::vector<double> variances{{{VARIANCES}}};  // of the weights of each layer, N(0, variance)
const std::vector<double> scales{{{SCALES}}};  // a layer acts as this times its weights; derivatives are by the weights
const std::vector<double> factors{{{FACTORS}}};      // {{FACTOR_MEANING}}
const double slope = {{SLOPE}};  // of the activation below 0; no biases
{{READ_AT}}const std::vector<double> input{{{INPUT}}};
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

// value + change * e with e^2 = 0: the derivative along one direction. T is such a number again, or a double.
template <class T>
struct DualOf {
    T value;
    T change;
    DualOf(double constant = 0) : value(constant), change(0.0) {}
    DualOf(T v, T c) : value(v), change(c) {}
};
template <class T>
DualOf<T> operator+(const DualOf<T>& a, const DualOf<T>& b) {
    return {a.value + b.value, a.change + b.change};
}
template <class T>
DualOf<T> operator*(const DualOf<T>& a, const DualOf<T>& b) {
    return {a.value * b.value, a.value * b.change + a.change * b.value};
}
template <class T>
DualOf<T> operator*(double a, const DualOf<T>& b) {
    return {a * b.value, a * b.change};
}

template <class T>
using LayersOf = std::vector<std::vector<T>>;  // row by row where they are matrices
using Dual = DualOf<double>;
using Layers = LayersOf<Dual>;

double gate(double z) { return z > 0 ? 1.0 : slope; }
template <class T>
double gate(const DualOf<T>& z) {
    return gate(z.value);
}

template <class T>
LayersOf<T> preactivations(const LayersOf<T>& weights) {
    LayersOf<T> out;
    std::vector<T> h(input.begin(), input.end());
    for (std::size_t l = 0; l < weights.size(); ++l) {
        std::vector<T> z(widths[l + 1]);
        for (std::size_t i = 0; i < z.size(); ++i)
            for (std::size_t j = 0; j < h.size(); ++j) z[i] = z[i] + weights[l][i * h.size() + j] * h[j];
        for (T& x : z) x = scales[l] * x;
        out.push_back(z);
        h.resize(z.size());
        for (std::size_t i = 0; i < z.size(); ++i) h[i] = gate(z[i]) * z[i];
    }
    return out;
}

// The gradient of sum_k above_k z_k of the top layer, by each weight; the outputs are the layer that is last.
template <class T>
LayersOf<T> gradient(const LayersOf<T>& weights, const LayersOf<T>& z, std::vector<T> above, std::size_t top) {
    LayersOf<T> out(weights.size());
    for (std::size_t l = top; l-- > 0;) {
        for (T& a : above) a = scales[l] * a;  // by W h without its scale
        std::vector<T> below(widths[l]);
        out[l].resize(weights[l].size());
        for (std::size_t i = 0; i < above.size(); ++i) {
            for (std::size_t j = 0; j < below.size(); ++j) {
                const T h = l == 0 ? T(input[j]) : gate(z[l - 1][j]) * z[l - 1][j];
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

constexpr char const* includes = "#include <random>\n#include <vector>\n";
constexpr char const* observable_includes =
    "#include <map>\n#include <random>\n#include <string>\n#include <utility>\n#include <vector>\n";

constexpr char const* residual = R"(// z_k - y_k of the outputs: the gradient of 1/2 |z - y|^2.
std::vector<Dual> residuals(const Layers& z, const std::vector<double>& y) {
    std::vector<Dual> out = z.back();
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = out[k] + Dual(-y[k]);
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
            const Layers row = gradient(weights, z, residuals(z, y), weights.size());
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
    const Layers row = gradient(weights, preactivations(weights), first, weights.size());
    double kernel = 0;
    for (std::size_t l = 0; l < row.size(); ++l)
        for (const Dual& g : row[l]) kernel += factors[l] * g.value * g.value;
    return {kernel, kernel * kernel};
}
)";

constexpr char const* one_step = R"(// z of each layer, and what a step of gradient descent adds to it, to first order.
Layers stepped(Layers weights, const std::vector<double>& y) {
    const Layers before = preactivations(weights);
    const Layers slopes = gradient(weights, before, residuals(before, y), weights.size());
    for (std::size_t l = 0; l < weights.size(); ++l)
        for (std::size_t i = 0; i < weights[l].size(); ++i) weights[l][i].change = -factors[l] * slopes[l][i].value;
    return preactivations(weights);
}

double mean(const std::vector<Dual>& z, double (*of)(Dual)) {
    double sum = 0;
    for (const Dual& x : z) sum += of(x);
    return sum / static_cast<double>(z.size());
}
[[maybe_unused]] double square(Dual x) { return x.value * x.value; }
double squared_change(Dual x) { return x.change * x.change; }
double product(Dual x) { return x.value * x.change; }

)";

constexpr char const* mup = R"(// Of each hidden layer, the squared change and its product with z.
std::vector<double> statistics(const Layers& weights, const std::vector<double>& y) {
    const Layers z = stepped(weights, y);
    std::vector<double> out;
    for (std::size_t l = 0; l + 1 < z.size(); ++l) {
        out.push_back(mean(z[l], squared_change));
        out.push_back(mean(z[l], product));
    }
    return out;
}
)";

constexpr char const* steps = R"(// Of each layer, z squared, its squared change, and their product.
std::vector<double> statistics(const Layers& weights, const std::vector<double>& y) {
    std::vector<double> out;
    for (const auto& z : stepped(weights, y)) {
        out.push_back(mean(z, square));
        out.push_back(mean(z, squared_change));
        out.push_back(mean(z, product));
    }
    return out;
}
)";

constexpr char const* squared_norm = R"(double squared_norm(const std::vector<Dual>& z, bool is_activated) {
    double sum = 0;
    for (const Dual& x : z) {
        const double v = is_activated ? (gate(x) * x).value : x.value;
        sum += v * v;
    }
    return sum;
}

)";

constexpr char const* norm = R"(// Of each layer, the powers of the squared norm.
std::vector<double> statistics(const Layers& weights, const std::vector<double>&) {
    const Layers z = preactivations(weights);
    std::vector<double> out;
    for (std::size_t l = 0; l < z.size(); ++l)
        for (int p = 1; p <= {{ORDER}}; ++p) out.push_back(std::pow(squared_norm(z[l], activated[l]), p));
    return out;
}
)";

constexpr char const* init = R"(// The mean square of the weights of each layer, and that of the outputs.
std::vector<double> statistics(const Layers& weights, const std::vector<double>&) {
    std::vector<double> out;
    for (std::size_t l = 0; l < weights.size(); ++l)
        out.push_back(scales[l] * scales[l] * squared_norm(weights[l], false) / static_cast<double>(weights[l].size()));
    const Layers z = preactivations(weights);
    out.push_back(squared_norm(z.back(), activated.back()) / static_cast<double>(z.back().size()));
    return out;
}
)";

constexpr char const* jacobian = R"(// Of each layer |dz/dW|^2 and its square, z the outputs; |z|^2 and its square.
std::vector<double> statistics(const Layers& weights, const std::vector<double>&) {
    const Layers z = preactivations(weights);
    std::vector<double> norms(weights.size() + 1);
    for (std::size_t i = 0; i < widths.back(); ++i) {
        std::vector<Dual> output(widths.back());
        output[i].value = 1;
        const Layers row = gradient(weights, z, output, weights.size());
        for (std::size_t l = 0; l < row.size(); ++l) norms[l] += squared_norm(row[l], false);
    }
    norms.back() = squared_norm(z.back(), false);
    std::vector<double> out;
    for (double x : norms) {
        out.push_back(x);
        out.push_back(x * x);
    }
    return out;
}
)";

std::string statistics_of(KnownAnswer::Kind kind) {
    using Kind = KnownAnswer::Kind;
    switch (kind) {
        case Kind::hessian: return std::string(residual) + hessian;
        case Kind::ntk: return ntk;
        case Kind::mup: return std::string(residual) + one_step + mup;
        case Kind::steps: return std::string(residual) + one_step + steps;
        case Kind::norm: return std::string(squared_norm) + norm;
        case Kind::init: return std::string(squared_norm) + init;
        case Kind::jacobian: return std::string(squared_norm) + jacobian;
        case Kind::expect: break;
    }
    return std::string(cpp_tensors) + cpp_observable;
}

}  // namespace

std::string cpp_test(KnownAnswer const& known) {
    std::vector<std::pair<std::string, std::string>> values{
        {"STATISTICS", statistics_of(known.kind)},
        {"INCLUDES", known.kind == KnownAnswer::Kind::expect ? observable_includes : includes},
        {"PROGRAM", known.program},
        {"PLACES", known.places},
        {"LABELS", known.labels}};
    auto const shared = shared_values(known, {.yes = "true",
                                              .no = "false",
                                              .mark = "//",
                                              .open = "{",
                                              .close = "}",
                                              .read_at = "const std::vector<bool> activated{",
                                              .end_of_list = "};"});
    values.insert(values.end(), shared.begin(), shared.end());
    return filled(program, values);
}

}  // namespace isserlis
