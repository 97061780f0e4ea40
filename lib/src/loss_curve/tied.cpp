// SPDX-License-Identifier: MIT
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/model/chains.hpp>
#include <isserlis/ring/members.hpp>

#include "closed_forms.hpp"

namespace isserlis {
namespace {

// Some seconds each: enclosed products of triples, products in double.
constexpr std::size_t most_samples_of_enclosed_curvature = 256;
constexpr std::size_t most_samples_of_curvature = 2000;

void require_few(std::size_t samples) {
    if (samples <= most_samples_of_slope) return;
    throw UnsupportedError("slopes of crelu-tied are served up to " + std::to_string(most_samples_of_slope) +
                               " samples; `samples` N samples it",
                           "data");
}

/// False of layers with too many roots for sums over pairs of them.
bool has_exact_sums(Layers const& layers) {
    try {
        (void)layer_pair_sums<2>(layers);
        return true;
    } catch (UnsupportedError const&) {
        return false;
    }
}

/// A slope by moments known within intervals; in double where the layers leave no exact sums.
template <class Moments, class Slope>
CurveNumber slope_by(Moments const& moments, Layers const& layers, Slope const& slope) {
    if (has_exact_sums(layers)) return CurveNumber::within(slope(layers, moments), kernels);
    return CurveNumber::rounded(
        slope(scaled(layers), converted<ScaledDouble>(moments, [](Interval const& x) { return to_scaled(x); })));
}

double euclidean_norm(std::vector<double> const& x) { return std::sqrt(dot(x, x)); }

/// The symmetric start of a concatenated ReLU in double, with the size of what is added up.
class TiedInDouble {
public:
    TiedInDouble(Layers const& layers, CurveData const& data)
        : layers_(layers),
          inputs_(input_doubles(data.set)),
          gradients_(gradient_doubles(data.set, *data.at)),
          hessians_(hessian_doubles(*data.at)) {
        auto const samples = static_cast<double>(inputs_.size());
        for (std::size_t k = 0; k < inputs_.size(); ++k) {
            double const norm = euclidean_norm(inputs_[k]);
            first_ += norm * euclidean_norm(gradients_[k]) / samples;
            for (auto const& row : hessians_[k]) second_ += norm * norm * euclidean_norm(row) / samples;
        }
    }

    /// Of two layers.
    [[nodiscard]] CurveNumber curvature() const {
        auto const net = converted<double>(layers_, [](Surd const& x) { return to_double(x); });
        double const d = net.front().fan_out;
        double const v1 = net.front().variance * net.back().label_factor;
        double const v2 = net.back().variance * net.front().label_factor;
        // Factors of the terms of the closed form, none of which exceeds its norms; the third kernel is at most 3.
        double const factors =
            v2 * v2 * d * (d + 1 + net.back().fan_out) + 2 * d * d * v1 * v2 + v1 * v1 * d * (d + 10);
        return CurveNumber::rounded(
            ScaledDouble(crelu_curvature_of_two_layers(net, inputs_, gradients_, hessians_)),
            ScaledDouble(factors * first_ * first_ * second_),
            "digits are certified up to " + std::to_string(most_samples_of_enclosed_curvature) + " samples");
    }

private:
    Layers const& layers_;
    Rows<double> inputs_;
    Rows<double> gradients_;
    std::vector<Rows<double>> hessians_;
    double first_ = 0;   ///< mean |x||g|
    double second_ = 0;  ///< mean |x|^2 |H|, at least
};

}  // namespace

void tied_fixed(NumericModel const& model, CurveData const& data, LossCurveNumbers& out) {
    auto const& layers = model.net().layers;
    std::uint64_t depth = 0;
    for (auto const& run : layers) depth += run.count;
    std::size_t const samples = data.samples();
    require_few(samples);
    loss_curve_detail::require_gaussian(layers, "means over concatenated ReLU networks are");
    bool const two = depth == 2 && samples <= most_samples_of_curvature && out.curvature.is_absent();
    if (two && samples > most_samples_of_enclosed_curvature)
        out.curvature = out.curvature_chi = TiedInDouble(layers, data).curvature();
    if (samples > most_samples_of_any_digits || !has_exact_sums(layers)) {
        auto const moments =
            crelu_gradient_moments(enclosed_inputs(data.set, bits_of_balls), data.gradient_intervals(bits_of_balls));
        out.slope = slope_by(moments, layers, [](auto const& net, auto const& m) { return crelu_slope(net, m); });
        return;
    }
    auto const grams = data.grams();
    if (auto const gradients = data.rational_gradients()) {
        out.slope = {crelu_slope(layers, crelu_gradient_moments(grams, *gradients)), kernels};
    } else {
        out.slope = CurveNumber::certified(
            [=](unsigned bits) {
                auto const gradients_there = enclosed_gradients(data.set, *data.at, bits);
                return crelu_slope(layers, crelu_gradient_moments(grams, gradients_there, bits));
            },
            kernels);
    }
    if (!two || samples > most_samples_of_enclosed_curvature) return;
    out.curvature = out.curvature_chi = CurveNumber::enclosed(
        [=](unsigned bits) -> Enclosed {
            return crelu_curvature_of_two_layers(layers, grams, enclosed_gradients(data.set, *data.at, bits),
                                                 enclosed_hessians(*data.at, bits), bits);
        },
        kernels);
}

void tied_squared(NumericModel const& model, CurveData const& data, LossCurveNumbers& out) {
    auto const& layers = model.net().layers;
    Surd const factor = data.squared_factor() * data.squared_factor();
    require_few(data.samples());
    if (data.samples() > most_samples_of_any_digits || !has_exact_sums(layers)) {
        auto const moments =
            crelu_target_moments(enclosed_inputs(data.set, bits_of_balls), enclosed_targets(data.set, bits_of_balls));
        auto const slope =
            slope_by(moments, layers, [](auto const& net, auto const& m) { return crelu_squared_slope(net, m); });
        out.slope = CurveNumber::product(factor, slope);
        return;
    }
    auto const grams = data.grams();
    if (auto const targets = data.rational_targets()) {
        out.slope = {crelu_squared_slope(layers, crelu_target_moments(grams, *targets)) * factor, kernels};
        return;
    }
    // The targets enter as gradients do.
    Rows<Rational> const none(data.samples(), std::vector<Rational>(data.set.output_width(), Rational(0)));
    KernelSum const inputs = crelu_squared_slope(layers, crelu_target_moments(grams, none));
    auto const set = data.set;
    out.slope = CurveNumber::certified(
        [=](unsigned bits) {
            auto const targets = crelu_gradient_moments(grams, converted<Enclosed>(enclosed_targets(set, bits)), bits);
            return enclose(factor, bits) *
                   (inputs.enclose(bits) + enclose(Surd(4), bits) * crelu_slope(layers, targets));
        },
        kernels);
}

}  // namespace isserlis
