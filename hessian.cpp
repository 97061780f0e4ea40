// isserlis hessian 2,3,1 --emit-test cpp --emit-samples 4000
//
// Known-answer test, written by the command above.
// Draws 4000 random networks and compares means with values that are exact at this width and depth. Exit code 1
// beyond 5 standard errors, which is the share of each value noted beside it: of a value that is off by so much
// every second seed fails, of one that is off by twice as much all but one in a million. The generator is the test's
// own, its seed is fixed. C++17, the standard library alone.
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <random>
#include <vector>

namespace {

const std::vector<std::size_t> widths{2, 3, 1};
const std::vector<double> variances{1.0, 0.6666666666666666};  // of the weights of each layer, N(0, variance)
const std::vector<double> scales{1.0, 1.0};  // a layer acts as this times its weights; derivatives are by the weights
const std::vector<double> factors{1.0, 1.0};      // what multiplies a summed pair of derivatives, by layer
const double slope = 0.0;  // of the activation below 0; no biases
const std::vector<bool> activated{true, false};  // is the activation read at each layer, or what it acts on
const std::vector<double> input{0.7071067811865476, 0.7071067811865476};
const double target_second_moment = 1.0;  // E|y|^2 over all outputs; y_k are random signs of equal size
const std::size_t samples = 4000;
const double standard_errors = 5;

struct Known {
    std::size_t position;  // in what statistics() returns
    const char* name;
    double exact;
    double deviation;  // of one sample
};
const std::vector<Known> known{
    {0, "hessian_frobenius_squared", 23.666666666666668, 46.163357282108024},  // within 15%; off by 31% fails
};

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

// z_k - y_k of the outputs: the gradient of 1/2 |z - y|^2.
std::vector<Dual> residuals(const Layers& z, const std::vector<double>& y) {
    std::vector<Dual> out = z.back();
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = out[k] + Dual(-y[k]);
    return out;
}

// The squared norm of the Hessian, one row at a time.
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
