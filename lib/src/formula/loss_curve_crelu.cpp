// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/formula/loss_curve_crelu.hpp>

namespace isserlis {
namespace {

constexpr unsigned guard_bits = 32;

/// sum_r relu(x_r y_r)
template <class R>
R shared_signs(std::vector<R> const& x, std::vector<R> const& y) {
    R out(0);
    for (std::size_t r = 0; r < x.size(); ++r) {
        R const product = x[r] * y[r];
        if (product > R(0)) out = out + product;
    }
    return out;
}

template <class R>
void require_data(Rows<R> const& inputs, char const* what, Rows<R> const& others) {
    namespace detail = loss_curve_detail;
    detail::require_samples((std::string(what) + "s").c_str(), others.size(), inputs.size());
    detail::require_columns("input", inputs, inputs.front().size());
    detail::require_columns(what, others, others.front().size());
}

/// |x|^2 |y|^2 and x.y, exactly, of every pair k <= l; pairs of unlike samples count twice.
template <class Visit>
void for_each_pair(std::size_t samples, Visit const& visit) {
    for (std::size_t k = 0; k < samples; ++k) {
        for (std::size_t l = k; l < samples; ++l) visit(k, l, k == l ? 1 : 2);
    }
}

Rational over_square(Rational const& sum, std::size_t samples) {
    Integer const s(samples);
    return sum / Rational(s * s);
}

void require_grams(InputGrams const& inputs, char const* what, std::size_t others) {
    namespace detail = loss_curve_detail;
    detail::require_samples(what, others, inputs.inner.size());
    detail::require_samples("rows of rectified products", inputs.rectified.size(), inputs.inner.size());
    detail::require_columns("row of inner products", inputs.inner, inputs.inner.size());
    detail::require_columns("row of rectified products", inputs.rectified, inputs.inner.size());
}

double number(DoubleKernels, double x) { return x; }
Interval number(IntervalKernels kernels, Surd const& x) { return enclose(x, kernels.bits); }

/// `alpha(k, l)` and `pair(k, l)` are what the inputs of two samples come to.
template <class Kernels, class R, class Alpha, class Pair>
typename Kernels::Number two_layers(Kernels const& kernels, std::vector<LayerRun<R, std::uint64_t>> const& layers,
                                    Rows<typename Kernels::Data> const& gradients,
                                    std::vector<Rows<typename Kernels::Data>> const& hessians, Alpha const& alpha_of,
                                    Pair const& pair_of) {
    using Data = typename Kernels::Data;
    using Number = typename Kernels::Number;
    namespace detail = loss_curve_detail;
    std::uint64_t depth = 0;
    for (auto const& run : layers) depth += run.count;
    if (depth != 2) {
        throw UnsupportedError(
            "loss curve: the curvature of a crelu network with constant gradients has a closed form for 2 "
            "weight layers, not for " +
                std::to_string(depth),
            "WIDTHS");
    }
    detail::require_gaussian(layers);
    std::size_t const samples = gradients.size();
    std::size_t const outputs = gradients.front().size();
    if (hessians.size() != 1) detail::require_samples("Hessians", hessians.size(), samples);
    for (auto const& h : hessians) {
        if (h.size() != outputs) detail::require_samples("rows of a Hessian", h.size(), outputs);
        detail::require_columns("row of a Hessian", h, outputs);
        forms_detail::require_symmetric("loss curve", "a Hessian", h);
    }
    auto const& below = layers.front();
    auto const& above = layers.back();
    Number const v1 = number(kernels, below.variance);
    Number const v2 = number(kernels, above.variance);
    Number const d = number(kernels, below.fan_out);
    Number const one = kernels.of(Data(1));
    Number const two = kernels.of(Data(2));

    std::vector<std::vector<InputPair<Kernels>>> pairs(samples);
    for (std::size_t k = 0; k < samples; ++k) {
        for (std::size_t l = 0; l < samples; ++l) pairs[k].push_back(pair_of(k, l));
    }
    Number sum = kernels.of(Data(0));
    for (std::size_t k = 0; k < samples; ++k) {
        auto const& h = hessians[hessians.size() == 1 ? 0 : k];
        // a = sum_l alpha_1kl g^l, exact; b = sum_l |x^k||x^l| kap1 g^l.
        std::vector<Data> a(outputs, Data(0));
        std::vector<Number> b(outputs, kernels.of(Data(0)));
        for (std::size_t l = 0; l < samples; ++l) {
            Data const alpha = alpha_of(k, l);
            Number const kernel = first_kernel(kernels, pairs[k][l]);
            for (std::size_t p = 0; p < outputs; ++p) {
                a[p] = a[p] + alpha * gradients[l][p];
                b[p] = b[p] + kernel * kernels.of(gradients[l][p]);
            }
        }
        Number ahb = kernels.of(Data(0));
        Number bhb = kernels.of(Data(0));
        for (std::size_t p = 0; p < outputs; ++p) {
            Number hb = kernels.of(Data(0));
            for (std::size_t q = 0; q < outputs; ++q) hb = hb + kernels.of(h[p][q]) * b[q];
            ahb = ahb + kernels.of(a[p]) * hb;
            bhb = bhb + b[p] * hb;
        }
        sum = sum + v2 * v2 * d * ((d + one) * kernels.of(bilinear(a, h, a)) + kernels.of(Data(trace(h) * dot(a, a)))) +
              two * d * d * v1 * v2 * ahb + v1 * v1 * d * (d - one) * bhb;
        Number shared = kernels.of(Data(0));
        for (std::size_t l = 0; l < samples; ++l) {
            for (std::size_t m = l; m < samples; ++m) {
                Data const weight = Data(l == m ? 1 : 2) * bilinear(gradients[m], h, gradients[l]);
                if (weight == Data(0)) continue;
                shared = shared + kernels.of(weight) * third_kernel(kernels, pairs[k][l], pairs[k][m], pairs[l][m]);
            }
        }
        sum = sum + v1 * v1 * d * shared;
    }
    Data const s(static_cast<int>(samples));
    return sum / kernels.of(Data(s * s * s));
}

}  // namespace

void KernelSum::Collector::add_first(Rational const& coefficient, Rational const& squares, Rational const& inner) {
    if (coefficient == 0 || squares == 0) return;
    if (squares == inner * inner) {
        if (inner > 0) exact_ += coefficient * inner;  // kap1(0) = 1, kap1(pi) = 0
        return;
    }
    terms_[{squares, inner}].first += coefficient;
}

void KernelSum::Collector::add_second(Rational const& coefficient, Rational const& squares, Rational const& inner) {
    if (coefficient == 0 || squares == 0) return;
    if (squares == inner * inner) {
        if (inner > 0) exact_ += 3 * coefficient * squares;  // kap2(0) = 3, kap2(pi) = 0
        return;
    }
    if (inner == 0) {
        exact_ += coefficient * squares / 2;  // kap2(pi/2) = 1/2
        return;
    }
    terms_[{squares, inner}].second += coefficient;
}

KernelSum KernelSum::Collector::sum() const {
    KernelSum out{Surd(exact_)};
    auto terms = std::make_shared<Terms>();
    for (auto const& [key, c] : terms_) {
        if (c.first != 0 || c.second != 0) terms->emplace(key, c);
    }
    if (!terms->empty()) out.parts_.emplace_back(Surd(1), std::move(terms));
    return out;
}

Interval KernelSum::enclose(unsigned bits) const {
    IntervalKernels const kernels{bits + guard_bits};
    // A pair of inputs occurs in several parts; its angle is enclosed once.
    struct Weights {
        Interval first;
        Interval second;
    };
    std::map<std::pair<Rational, Rational>, Weights> weights;
    Interval const none(kernels.bits);
    for (auto const& [factor, terms] : parts_) {
        Interval const enclosed = isserlis::enclose(factor, kernels.bits);
        for (auto const& [key, c] : *terms) {
            auto& into = weights.try_emplace(key, Weights{.first = none, .second = none}).first->second;
            if (c.first != 0) into.first = into.first + enclosed * kernels.of(c.first);
            if (c.second != 0) into.second = into.second + enclosed * kernels.of(c.second);
        }
    }
    Interval out = isserlis::enclose(exact_, kernels.bits);
    auto is_zero = [](Interval const& x) { return mpfr_zero_p(x.lower()) != 0 && mpfr_zero_p(x.upper()) != 0; };
    for (auto const& [key, weight] : weights) {
        // A kernel depends on the product of the squared norms only.
        auto const pair = input_pair(kernels, key.first, Rational(1), key.second);
        if (!is_zero(weight.first)) out = out + weight.first * first_kernel(kernels, pair);
        if (!is_zero(weight.second)) out = out + weight.second * second_kernel(kernels, pair);
    }
    return out;
}

KernelSum operator+(KernelSum const& a, KernelSum const& b) {
    KernelSum out = a;
    out.exact_ = a.exact_ + b.exact_;
    out.parts_.insert(out.parts_.end(), b.parts_.begin(), b.parts_.end());
    return out;
}

KernelSum operator*(KernelSum const& a, Surd const& factor) {
    KernelSum out{a.exact_ * factor};
    if (factor.is_zero()) return out;
    for (auto const& [old, terms] : a.parts_) out.parts_.emplace_back(old * factor, terms);
    return out;
}

CReluGradientMoments<double> crelu_gradient_moments(Rows<double> const& inputs, Rows<double> const& gradients) {
    require_data(inputs, "gradient", gradients);
    DoubleKernels const kernels;
    CReluGradientMoments<double> out{.first = 0, .later = 0};
    for_each_pair(inputs.size(), [&](std::size_t k, std::size_t l, int times) {
        double const g = times * dot(gradients[k], gradients[l]);
        out.first += g * shared_signs(inputs[k], inputs[l]);
        out.later += g * first_kernel(kernels, input_pair(kernels, inputs[k], inputs[l]));
    });
    double const square = static_cast<double>(inputs.size()) * static_cast<double>(inputs.size());
    return {.first = out.first / square, .later = out.later / square};
}

CReluGradientMoments<KernelSum> crelu_gradient_moments(InputGrams const& inputs, Rows<Rational> const& gradients) {
    require_grams(inputs, "gradients", gradients.size());
    loss_curve_detail::require_columns("gradient", gradients, gradients.front().size());
    Rational first;
    KernelSum::Collector later;
    for_each_pair(gradients.size(), [&](std::size_t k, std::size_t l, int times) {
        Rational const g = over_square(times * dot(gradients[k], gradients[l]), gradients.size());
        if (g == 0) return;
        first += g * inputs.rectified[k][l];
        later.add_first(g, inputs.inner[k][k] * inputs.inner[l][l], inputs.inner[k][l]);
    });
    return {.first = KernelSum(Surd(first)), .later = later.sum()};
}

CReluGradientMoments<Interval> crelu_gradient_moments(InputGrams const& inputs,
                                                      std::vector<std::vector<Interval>> const& gradients,
                                                      unsigned bits) {
    require_grams(inputs, "gradients", gradients.size());
    IntervalKernels const kernels{bits};
    CReluGradientMoments<Interval> out{.first = Interval(bits), .later = Interval(bits)};
    for_each_pair(gradients.size(), [&](std::size_t k, std::size_t l, int times) {
        Interval g(bits);
        for (std::size_t i = 0; i < gradients[k].size(); ++i) g = g + gradients[k][i] * gradients[l][i];
        Rational const weight = over_square(Rational(times), gradients.size());
        out.first = out.first + g * kernels.of(weight * inputs.rectified[k][l]);
        auto const pair = input_pair(kernels, inputs.inner[k][k], inputs.inner[l][l], inputs.inner[k][l]);
        out.later = out.later + g * kernels.of(weight) * first_kernel(kernels, pair);
    });
    return out;
}

Interval crelu_slope(std::vector<LayerRun<Surd, std::uint64_t>> const& layers,
                     CReluGradientMoments<Interval> const& data, unsigned bits) {
    loss_curve_detail::require_gaussian(layers);
    Surd const all = layer_pair_sums<2>(layers).factor_sum();
    Surd const first = pair_sums_detail::kappa(layers) / layers.front().variance;
    return data.first * enclose(Surd(0) - first, bits) + data.later * enclose(first - all, bits);
}

CReluTargetMoments<double> crelu_target_moments(Rows<double> const& inputs, Rows<double> const& targets) {
    require_data(inputs, "target", targets);
    DoubleKernels const kernels;
    CReluTargetMoments<double> out{};
    double const square = static_cast<double>(inputs.size()) * static_cast<double>(inputs.size());
    for_each_pair(inputs.size(), [&](std::size_t k, std::size_t l, int times) {
        double const weight = times / square;
        auto const pair = input_pair(kernels, inputs[k], inputs[l]);
        double const alpha = weight * shared_signs(inputs[k], inputs[l]);
        double const kernel = weight * first_kernel(kernels, pair);
        double const y = dot(targets[k], targets[l]);
        out.first_inputs += alpha * pair.xy;
        out.first_targets += alpha * y;
        out.kernel_inputs += kernel * pair.xy;
        out.kernel_squares += weight * second_kernel(kernels, pair);
        out.kernel_targets += kernel * y;
    });
    return out;
}

CReluTargetMoments<KernelSum> crelu_target_moments(InputGrams const& inputs, Rows<Rational> const& targets) {
    require_grams(inputs, "targets", targets.size());
    loss_curve_detail::require_columns("target", targets, targets.front().size());
    Rational first_inputs;
    Rational first_targets;
    KernelSum::Collector kernel_inputs;
    KernelSum::Collector kernel_squares;
    KernelSum::Collector kernel_targets;
    for_each_pair(targets.size(), [&](std::size_t k, std::size_t l, int times) {
        Rational const weight = over_square(Rational(times), targets.size());
        Rational const& xy = inputs.inner[k][l];
        Rational const squares = inputs.inner[k][k] * inputs.inner[l][l];
        Rational const y = dot(targets[k], targets[l]);
        Rational const alpha = weight * inputs.rectified[k][l];
        first_inputs += alpha * xy;
        first_targets += alpha * y;
        kernel_inputs.add_first(weight * xy, squares, xy);
        kernel_squares.add_second(weight, squares, xy);
        kernel_targets.add_first(weight * y, squares, xy);
    });
    return {.first_inputs = KernelSum(Surd(first_inputs)),
            .first_targets = KernelSum(Surd(first_targets)),
            .kernel_inputs = kernel_inputs.sum(),
            .kernel_squares = kernel_squares.sum(),
            .kernel_targets = kernel_targets.sum()};
}

InputGrams input_grams(Rows<Rational> const& inputs) {
    loss_curve_detail::require_samples("inputs", inputs.size(), inputs.size());
    loss_curve_detail::require_columns("input", inputs, inputs.front().size());
    InputGrams out;
    for (auto const& x : inputs) {
        out.inner.emplace_back();
        out.rectified.emplace_back();
        for (auto const& y : inputs) {
            out.inner.back().push_back(dot(x, y));
            out.rectified.back().push_back(shared_signs(x, y));
        }
    }
    return out;
}

double crelu_curvature_of_two_layers(std::vector<LayerRun<double, std::uint64_t>> const& layers,
                                     Rows<double> const& inputs, Rows<double> const& gradients,
                                     std::vector<Rows<double>> const& hessians) {
    require_data(inputs, "gradient", gradients);
    DoubleKernels const kernels;
    return two_layers(
        kernels, layers, gradients, hessians,
        [&](std::size_t k, std::size_t l) { return shared_signs(inputs[k], inputs[l]); },
        [&](std::size_t k, std::size_t l) { return input_pair(kernels, inputs[k], inputs[l]); });
}

Interval crelu_curvature_of_two_layers(std::vector<LayerRun<Surd, std::uint64_t>> const& layers,
                                       InputGrams const& inputs, Rows<Rational> const& gradients,
                                       std::vector<Rows<Rational>> const& hessians, unsigned bits) {
    require_grams(inputs, "gradients", gradients.size());
    loss_curve_detail::require_columns("gradient", gradients, gradients.front().size());
    IntervalKernels const kernels{bits + guard_bits};
    return two_layers(
        kernels, layers, gradients, hessians, [&](std::size_t k, std::size_t l) { return inputs.rectified[k][l]; },
        [&](std::size_t k, std::size_t l) {
            return input_pair(kernels, inputs.inner[k][k], inputs.inner[l][l], inputs.inner[k][l]);
        });
}

}  // namespace isserlis
