// SPDX-License-Identifier: MIT
#include <isserlis/formula/loss_curve_crelu.hpp>

#include <isserlis/error.hpp>

#include "pair_means.hpp"
#include "sample_pairs.hpp"

namespace isserlis {
namespace {

template <class R>
void require_data(Rows<R> const& inputs, char const* what, Rows<R> const& others) {
    namespace detail = loss_curve_detail;
    detail::require_samples((std::string(what) + "s").c_str(), others.size(), inputs.size());
    detail::require_columns("input", inputs, inputs.front().size());
    detail::require_columns(what, others, others.front().size());
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
Enclosed number(IntervalKernels kernels, Surd const& x) { return enclose(x, kernels.bits); }

/// What the inputs of two samples come to, but for their inner product.
template <class R>
struct PairNumbers {
    R alpha;   ///< sum_r relu(x_r y_r)
    R kernel;  ///< |x||y| kap1
    R root;    ///< |x||y| sin t
    R rest;    ///< pi - t
    R along;   ///< x.y/|y|^2, 0 where y is 0
};

template <class R>
struct Pairs {
    Rows<R> inner;  ///< x^k.x^l
    std::vector<std::vector<PairNumbers<R>>> of;
};

/// `pair_of(k, l)` is the pair, `alpha_of(k, l)` its alpha.
template <class R, class Kernels, class Alpha, class Pair>
Pairs<R> pair_numbers(Kernels const& kernels, std::size_t samples, Alpha const& alpha_of, Pair const& pair_of) {
    using Data = typename Kernels::Data;
    auto const along = [&](Data const& inner, Data const& square) {
        return square == Data(0) ? R(0) : R(kernels.of(Data(inner / square)));
    };
    Pairs<R> out{.inner = Rows<R>(samples, std::vector<R>(samples)),
                 .of = std::vector(samples, std::vector<PairNumbers<R>>(samples))};
    for_each_pair(samples, [&](std::size_t k, std::size_t l, int) {
        auto const pair = pair_of(k, l);
        out.inner[k][l] = out.inner[l][k] = kernels.of(pair.xy);
        out.of[k][l] = {.alpha = kernels.of(alpha_of(k, l)),
                        .kernel = first_kernel(kernels, pair),
                        .root = pair.root,
                        .rest = pair.rest,
                        .along = along(pair.xy, pair.yy)};
        if (k == l) return;
        out.of[l][k] = out.of[k][l];
        out.of[l][k].along = along(pair.xy, pair.xx);
    });
    return out;
}

template <class R>
void add_multiple(std::vector<R>& sum, R const& c, std::vector<R> const& x) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = sum[i] + c * x[i];
}

template <class R>
std::vector<R> image(Rows<R> const& matrix, std::vector<R> const& x) {
    std::vector<R> out;
    for (auto const& row : matrix) out.push_back(dot(row, x));
    return out;
}

/// sum_k c_k H_k; hessians are one for each sample or one for all.
template <class R, class Weight>
Rows<R> weighted_sum(std::vector<Rows<R>> const& hessians, std::size_t samples, Weight const& weight) {
    Rows<R> out(hessians.front().size(), std::vector<R>(hessians.front().size(), R(0)));
    auto const add = [&](R const& c, Rows<R> const& h) {
        for (std::size_t i = 0; i < out.size(); ++i) add_multiple(out[i], c, h[i]);
    };
    if (hessians.size() > 1) {
        for (std::size_t k = 0; k < samples; ++k) add(weight(k), hessians[k]);
        return out;
    }
    R sum(0);
    for (std::size_t k = 0; k < samples; ++k) sum = sum + weight(k);
    add(sum, hessians.front());
    return out;
}

/// sum_klm g_l'H_k g_m t3(k, l, m) by pairs (docs/formulas/loss_curve_crelu.md), with b_k = sum_l |x||x| kap1 g^l.
template <class R>
R third_kernel_sum(R const& pi, Pairs<R> const& pairs, Rows<R> const& gradients, std::vector<Rows<R>> const& hessians,
                   Rows<R> const& b) {
    std::size_t const samples = gradients.size();
    bool const shared = hessians.size() == 1;
    auto const hessian = [&](std::size_t k) -> Rows<R> const& { return hessians[shared ? 0 : k]; };
    std::vector<R> const none(gradients.front().size(), R(0));
    Rows<R> v(samples, none);  // sum_l x^k.x^l g^l
    for (std::size_t k = 0; k < samples; ++k)
        for (std::size_t l = 0; l < samples; ++l) add_multiple(v[k], pairs.inner[k][l], gradients[l]);
    Rows<R> const s = loss_curve_detail::outer_sum(v, gradients);
    Rows<R> const by_norms =
        weighted_sum<R>(hessians, samples, [&](std::size_t k) -> R const& { return pairs.inner[k][k]; });

    R plain(0);
    R halves(0);
    R over_pi(0);
    for (std::size_t k = 0; k < samples; ++k) {
        auto const hv = image(hessian(k), v[k]);
        plain = plain + R(2) * dot(b[k], hv) - dot(v[k], hv);
        halves = halves + dot(gradients[k], image(by_norms, b[k])) -
                 pairs.inner[k][k] * loss_curve_detail::product_trace(hessian(k), s);
        for (std::size_t l = 0; l < samples; ++l) {
            auto const& p = pairs.of[k][l];
            over_pi =
                over_pi + (p.rest * pairs.inner[k][k] + p.root * p.along) * dot(gradients[l], image(hessian(k), v[l]));
        }
    }
    for (std::size_t l = 0; l < samples; ++l) {
        auto const at_l =
            image(weighted_sum<R>(hessians, samples,
                                  [&](std::size_t k) { return R(pairs.inner[k][l] * pairs.of[k][l].along); }),
                  gradients[l]);
        // sum_k x^k.x^l x^k.x^m g_m'H_k g_l: the rows x^k.x^l H_k g^l, one for each output, or one row of x^k.x^l.
        auto const shared_image = image(hessian(0), gradients[l]);
        Rows<R> images(none.size());
        for (std::size_t k = 0; k < samples && !shared; ++k) {
            auto const at_k = image(hessian(k), gradients[l]);
            for (std::size_t i = 0; i < images.size(); ++i) images[i].push_back(pairs.inner[k][l] * at_k[i]);
        }
        for (std::size_t m = 0; m < samples; ++m) {
            over_pi = over_pi + pairs.of[l][m].root * dot(gradients[m], at_l);
            if (m > l) continue;
            auto const mixed = shared ? R(dot(pairs.inner[l], pairs.inner[m]) * dot(shared_image, gradients[m]))
                                      : R(dot(image(images, pairs.inner[m]), gradients[m]));
            over_pi = over_pi + R(m == l ? 1 : 2) * pairs.of[l][m].rest * mixed;
        }
    }
    return plain + halves / R(2) + over_pi / pi;
}

template <class R, class L>
void require_two_layers(std::vector<LayerRun<L, std::uint64_t>> const& layers, Rows<R> const& gradients,
                        std::vector<Rows<R>> const& hessians) {
    namespace detail = loss_curve_detail;
    std::uint64_t depth = 0;
    for (auto const& run : layers) depth += run.count;
    if (depth != 2) {
        throw UnsupportedError(
            "loss curve: the curvature of a crelu network with constant gradients has a closed form for 2 "
            "weight layers, not for " +
                std::to_string(depth),
            "widths");
    }
    detail::require_gaussian(layers, "means over concatenated ReLU networks are");
    std::size_t const outputs = gradients.front().size();
    if (hessians.size() != 1) detail::require_samples("Hessians", hessians.size(), gradients.size());
    for (auto const& h : hessians) {
        if (h.size() != outputs) {
            throw DomainError("loss curve: a Hessian has " + std::to_string(h.size()) + " rows; " +
                              std::to_string(outputs) + " are required, one for each output");
        }
        detail::require_columns("row of a Hessian", h, outputs);
        forms_detail::require_symmetric("loss curve", "a Hessian", h);
    }
}

template <class R, class Kernels, class L>
R two_layers(Kernels const& kernels, std::vector<LayerRun<L, std::uint64_t>> const& layers, Pairs<R> const& pairs,
             Rows<R> const& gradients, std::vector<Rows<R>> const& hessians) {
    std::size_t const samples = gradients.size();
    // A derivative by one layer has the other's variance and its own label factor.
    R const v1 = number(kernels, L(layers.front().variance * layers.back().label_factor));
    R const v2 = number(kernels, L(layers.back().variance * layers.front().label_factor));
    R const d = number(kernels, layers.front().fan_out);
    R sum(0);
    Rows<R> const none(samples, std::vector<R>(gradients.front().size(), R(0)));
    Rows<R> a = none;  // sum_l alpha_1kl g^l
    Rows<R> b = none;  // sum_l |x^k||x^l| kap1 g^l
    for (std::size_t k = 0; k < samples; ++k) {
        for (std::size_t l = 0; l < samples; ++l) {
            add_multiple(a[k], pairs.of[k][l].alpha, gradients[l]);
            add_multiple(b[k], pairs.of[k][l].kernel, gradients[l]);
        }
        auto const& h = hessians[hessians.size() == 1 ? 0 : k];
        auto const hb = image(h, b[k]);
        sum = sum + v2 * v2 * d * ((d + R(1)) * bilinear(a[k], h, a[k]) + trace(h) * dot(a[k], a[k])) +
              R(2) * d * d * v1 * v2 * dot(a[k], hb) + v1 * v1 * d * (d - R(1)) * dot(b[k], hb);
    }
    sum = sum + v1 * v1 * d * third_kernel_sum(R(kernels.pi()), pairs, gradients, hessians, b);
    R const s = from_count<R>(samples);
    return sum / (s * s * s);
}

}  // namespace

void KernelSum::Collector::add_first(Rational const& coefficient, Rational const& squares, Rational const& inner) {
    if (coefficient == 0) return;
    if (squares == inner * inner) {
        if (inner > 0) exact_ += coefficient * inner;  // kap1(0) = 1, kap1(pi) = 0
        return;
    }
    terms_[{squares, inner}].first += coefficient;
}

void KernelSum::Collector::add_second(Rational const& coefficient, Rational const& squares, Rational const& inner) {
    if (coefficient == 0) return;
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

void KernelSum::Collector::add_angle(Rational const& coefficient, Rational const& squares, Rational const& inner) {
    if (coefficient == 0) return;
    if (squares == inner * inner) {
        if (inner > 0) exact_ += coefficient;
        return;
    }
    if (inner == 0) {
        exact_ += coefficient / 2;
        return;
    }
    terms_[{squares, inner}].angle += coefficient;
}

KernelSum KernelSum::Collector::sum() const {
    KernelSum out{Surd(exact_)};
    auto terms = std::make_shared<Terms>();
    for (auto const& [key, c] : terms_) {
        if (c.first != 0 || c.second != 0 || c.angle != 0) terms->emplace(key, c);
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
        Interval angle;
    };
    std::map<std::pair<Rational, Rational>, Weights> weights;
    Interval const none(kernels.bits);
    for (auto const& [factor, terms] : parts_) {
        Interval const enclosed = isserlis::enclose(factor, kernels.bits);
        for (auto const& [key, c] : *terms) {
            auto& into = weights.try_emplace(key, Weights{.first = none, .second = none, .angle = none}).first->second;
            if (c.first != 0) into.first = into.first + enclosed * kernels.of(c.first);
            if (c.second != 0) into.second = into.second + enclosed * kernels.of(c.second);
            if (c.angle != 0) into.angle = into.angle + enclosed * kernels.of(c.angle);
        }
    }
    Interval out = isserlis::enclose(exact_, kernels.bits);
    auto is_zero = [](Interval const& x) { return mpfr_zero_p(x.lower()) != 0 && mpfr_zero_p(x.upper()) != 0; };
    for (auto const& [key, weight] : weights) {
        // A kernel depends on the product of the squared norms only.
        auto const pair = input_pair(kernels, key.first, Rational(1), key.second);
        if (!is_zero(weight.first)) out = out + weight.first * first_kernel(kernels, pair);
        if (!is_zero(weight.second)) out = out + weight.second * second_kernel(kernels, pair);
        if (!is_zero(weight.angle)) out = out + weight.angle * pair.rest / kernels.pi();
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
    return crelu_gradient_means<double>(DoubleRows(inputs), DoubleRows(gradients));
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

CReluGradientMoments<Interval> crelu_gradient_moments(InputGrams const& inputs, Rows<Enclosed> const& gradients,
                                                      unsigned bits) {
    require_grams(inputs, "gradients", gradients.size());
    IntervalKernels const kernels{bits};
    CReluGradientMoments<Interval> out{.first = Interval(bits), .later = Interval(bits)};
    for_each_pair(gradients.size(), [&](std::size_t k, std::size_t l, int times) {
        Enclosed const g = dot(gradients[k], gradients[l]);
        if (g.is_zero()) return;
        Interval const weight = g.enclose(bits) * kernels.of(over_square(Rational(times), gradients.size()));
        add_product(out.first, weight, kernels.of(inputs.rectified[k][l]));
        auto const pair = input_pair(kernels, inputs.inner[k][k], inputs.inner[l][l], inputs.inner[k][l]);
        add_product(out.later, weight, first_kernel(kernels, pair));
    });
    return out;
}

CReluTargetMoments<double> crelu_target_moments(Rows<double> const& inputs, Rows<double> const& targets) {
    require_data(inputs, "target", targets);
    return crelu_target_means<double>(DoubleRows(inputs), DoubleRows(targets));
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
    require_two_layers(layers, gradients, hessians);
    DoubleKernels const kernels;
    auto const pairs = pair_numbers<double>(
        kernels, inputs.size(), [&](std::size_t k, std::size_t l) { return shared_signs(inputs[k], inputs[l]); },
        [&](std::size_t k, std::size_t l) { return input_pair(kernels, inputs[k], inputs[l]); });
    return two_layers(kernels, layers, pairs, gradients, hessians);
}

Interval crelu_curvature_of_two_layers(std::vector<LayerRun<Surd, std::uint64_t>> const& layers,
                                       InputGrams const& inputs, Rows<Enclosed> const& gradients,
                                       std::vector<Rows<Enclosed>> const& hessians, unsigned bits) {
    require_grams(inputs, "gradients", gradients.size());
    loss_curve_detail::require_columns("gradient", gradients, gradients.front().size());
    require_two_layers(layers, gradients, hessians);
    IntervalKernels const kernels{bits + guard_bits};
    auto const pairs = pair_numbers<Enclosed>(
        kernels, gradients.size(), [&](std::size_t k, std::size_t l) { return inputs.rectified[k][l]; },
        [&](std::size_t k, std::size_t l) {
            return input_pair(kernels, inputs.inner[k][k], inputs.inner[l][l], inputs.inner[k][l]);
        });
    return two_layers(kernels, layers, pairs, gradients, hessians).enclose(kernels.bits);
}

}  // namespace isserlis
