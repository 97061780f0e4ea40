// SPDX-License-Identifier: MIT
#include <isserlis/formula/loss_curve_crelu.hpp>

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

}  // namespace isserlis
