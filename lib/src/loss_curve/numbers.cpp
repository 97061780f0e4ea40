// SPDX-License-Identifier: MIT
#include <isserlis/loss_curve/numbers.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/loss_curve/sampling_effort.hpp>
#include <isserlis/model/chains.hpp>
#include <isserlis/model/sampling_model.hpp>
#include <isserlis/ring/members.hpp>

#include "closed_forms.hpp"

namespace isserlis {
namespace {

constexpr char const* not_printed =
    "the printed formulas take gradients for constants; `gradient` fixed evaluates them";

constexpr char const* not_by_theta =
    "the printed theorems take the gradient by the weights; `scheme` standard evaluates them";
/// Data have sizes: a symbol for the first or last width could only be one of them.
void require_numeric_ends(Symbolic const& net, DataSet const& data) {
    auto const require = [&](RationalFunction const& width, std::size_t size, char const* end, char const* what) {
        if (width == RationalFunction(static_cast<int>(size))) return;
        throw DomainError(std::string("`widths` ") + end + " with " + printable(to_string(width)) + ", but " +
                              data.place() + " has " + what + " = " + std::to_string(size) +
                              "; write this number in `widths`, symbols are for hidden layers",
                          "widths");
    };
    require(net.input_width(), data.input_width(), "begin", "d_0");
    require(net.output_width(), data.output_width(), "end", "d_n");
}

bool has_endless_run(Symbolic const& net) {
    return std::any_of(net.layers.begin(), net.layers.end(), [](auto const& run) { return !run.count.is_constant(); });
}

template <class R, class Count>
void require_linear_head(FullyConnected<R, Count> const& net) {
    if (net.gated_head) throw UnsupportedError("`head` activation: loss curves are served for a linear head", "head");
}

/// What the linear network of the same weights has, as doubles, for the control variate.
struct LinearMeans {
    double slope = 0;
    double curvature_chi = 0;
    double curvature_gamma = 0;
};

std::optional<LinearMeans> linear_means(Layers const& layers, CurveData const& data) try {
    LossCurveNumbers linear;
    if (data.fixed) {
        linear_fixed(layers, data, linear);
    } else {
        auto const moments = data.is_squared() ? data.target_moments() : std::nullopt;
        if (!moments) return std::nullopt;
        linear_squared(layers, *moments, data.squared_factor(), linear);
    }
    LinearMeans const out{.slope = linear.slope.to_double(),
                          .curvature_chi = linear.curvature_chi.to_double(),
                          .curvature_gamma = data.fixed ? 0 : linear.curvature_gamma.to_double()};
    bool const finite =
        std::isfinite(out.slope) && std::isfinite(out.curvature_chi) && std::isfinite(out.curvature_gamma);
    return finite ? std::optional(out) : std::nullopt;
} catch (UnsupportedError const&) {
    return std::nullopt;  // no closed form for the law
}

monte_carlo::Estimate shifted(monte_carlo::Estimate e, double by) {
    e.mean += by;
    return e;
}

/// What is absent for a reason stays so.
bool is_open(CurveNumber const& x) { return x.is_absent() && x.form().empty(); }

/// Fills what is still missing by sampling.
void sample_rest(NumericModel const& model, CurveData const& data, CurveSampling const& sampling,
                 std::string const& why, LossCurveNumbers& out) {
    bool const need_loss = is_open(out.loss) && !data.fixed;
    bool const need_rest = is_open(out.slope) || is_open(out.curvature);
    if (!need_loss && !need_rest) return;
    auto const leave_out = [&](std::string const& reason) {
        auto const none = CurveNumber::absent(reason);
        for (auto* x : {&out.loss, &out.slope, &out.curvature, &out.curvature_chi, &out.curvature_gamma})
            if (is_open(*x)) *x = none;
    };
    if (sampling.networks == 0) return leave_out(why);
    auto const curve_model = data.sampling_model(sampling_model(model), sampling_factors(model));
    if (sampling.asked) {
        require_affordable(curve_model, sampling.networks, sampling.control);
    } else if (sampling_effort(curve_model).is_long(1, sampling.networks)) {
        double const times = data.fixed ? 1 : 1 + curves_of_a_minimiser;  // which `samples` asks for too
        return leave_out("no exact value is known, and " +
                         time_needed(curve_model, times, sampling.networks, sampling.control.threads));
    }
    monte_carlo::SampledLossCurve sampled;
    try {
        sampled = monte_carlo::sample_loss_curve(curve_model, sampling.networks, sampling.seed, sampling.control);
    } catch (UnsupportedError const& e) {
        if (e.argument() != "variances") throw;
        return leave_out(e.what());  // too large for double, which exact values are not
    }
    LinearMeans shift;
    auto const* estimates = &sampled.plain;
    if (sampled.minus_linear && !data.batch) {
        if (auto const means = linear_means(model.net().layers, data)) {
            shift = *means;
            estimates = &*sampled.minus_linear;
        }
    }
    auto const& shares = estimates->shares;
    if (need_loss && sampled.plain.loss)
        out.loss = CurveNumber::sampled(*sampled.plain.loss, sampled.plain.shares.loss);
    if (is_open(out.slope)) out.slope = CurveNumber::sampled(shifted(estimates->slope, shift.slope), shares.slope);
    if (is_open(out.curvature)) {
        double const curvature = shift.curvature_chi + shift.curvature_gamma;
        out.curvature_chi =
            CurveNumber::sampled(shifted(estimates->curvature_chi, shift.curvature_chi), shares.curvature_chi);
        out.curvature = data.fixed ? out.curvature_chi
                                   : CurveNumber::sampled(shifted(estimates->curvature, curvature), shares.curvature);
        if (is_open(out.curvature_gamma))
            out.curvature_gamma = CurveNumber::sampled(shifted(estimates->curvature_gamma, shift.curvature_gamma),
                                                       shares.curvature_gamma);
        if (out.curvature.is_absent() || out.slope.is_absent()) return;  // neither is known: nor is the rate
        // An exact slope has no error of its own.
        auto errors = *estimates;
        double share = std::max(shares.slope, shares.curvature);
        if (data.fixed) {
            // The mean of gamma is known to be 0: what was sampled of it plays no part.
            errors.curvature = errors.curvature_chi;
            errors.slope_curvature_covariance = errors.slope_chi_covariance;
            share = std::max(shares.slope, shares.curvature_chi);
        }
        if (!out.slope.is_sampled()) {
            errors.slope.std_error = 0;
            errors.slope_curvature_covariance = 0;
        }
        auto const vertex = monte_carlo::vertex_rate(out.slope.to_double(), out.curvature.to_double(), errors);
        if (!vertex) {
            out.vertex_rate = CurveNumber::absent("the sampled curvature is not positive");
        } else if (vertex->std_error == 0) {
            out.vertex_rate = CurveNumber::absent("the error of the sampled quotient is lost in rounding");
        } else {
            out.vertex_rate = CurveNumber::sampled(*vertex, share);
        }
    }
}

template <class R>
void fill(SquaredLossCurve<R> const& curve, LossCurveNumbers& out) {
    out.loss = curve.loss;
    out.slope = curve.slope;
    out.curvature = curve.curvature();
    out.curvature_chi = curve.curvature_chi;
    out.curvature_gamma = curve.curvature_gamma;
}

void fill_vertices(LossCurveNumbers& out) {
    if (auto const sign = out.curvature.sign(); sign && *sign <= 0)
        out.vertex_rate = CurveNumber::absent("the curvature is not positive: the parabola has no lowest point");
    if (out.vertex_rate.is_absent() && out.vertex_rate.form().empty())
        out.vertex_rate = CurveNumber::quotient(Surd(-1), out.slope, out.curvature);
    out.vertex_rate_printed = CurveNumber::product(Surd(ratio(1, 2)), out.vertex_rate);
}

}  // namespace

LossCurveNumbers loss_curve_numbers(NumericModel const& model, CurveData const& given, CurveSampling const& sampling,
                                    std::optional<SquaredLossCurve<Surd>> const& known) {
    require_linear_head(model.net());
    require_widths(given.set, numerator_of(model.net().input_width().to_rational()).convert_to<std::size_t>(),
                   numerator_of(model.net().output_width().to_rational()).convert_to<std::size_t>());
    CurveData const data = given.fixed ? given.with_distinct_inputs() : given;
    LossCurveNumbers out;
    std::string why = "no exact value is known; `samples` N samples it";
    try {
        fill_exact(model, data, out);
    } catch (UnsupportedError const& e) {
        if (sampling.networks == 0) why = std::string("no exact value: ") + e.what();
    }
    if (known && (is_open(out.slope) || is_open(out.curvature))) fill(*known, out);
    // The theorems as printed: the linear network's values, for any network with P = N at the start.
    bool const in_thesis = model.net().activation.is_linear() || model.net().activation.is_tied();
    if (!data.fixed) {
        out.slope_printed = out.curvature_printed = CurveNumber::absent(not_printed);
    } else if (model.derivatives.unit_parameters || model.derivatives.parametrisation) {
        out.slope_printed = out.curvature_printed = CurveNumber::absent(not_by_theta);
    } else if (!in_thesis) {
        out.slope_printed = out.curvature_printed =
            CurveNumber::absent("the theorems speak of concatenated ReLU with P = N at the start");
    } else {
        LossCurveNumbers printed;
        printed.curvature = CurveNumber::absent("Theorem 4.19 is for Gaussian weights");
        try {
            linear_fixed(model.net().layers, data, printed);
        } catch (UnsupportedError const&) {
            // only the slope then
        }
        for (auto* x : {&printed.slope, &printed.curvature})
            if (x->is_absent() && x->form().empty()) *x = CurveNumber::absent("too near 0 to tell from it");
        out.slope_printed = printed.slope;
        out.curvature_printed = printed.curvature;
    }
    sample_rest(model, data, sampling, why, out);
    fill_vertices(out);
    return out;
}

LossCurveNumbers loss_curve_numbers(SymbolicModel const& model, CurveData const& given,
                                    std::optional<SquaredLossCurve<RationalFunction>> const& known) {
    require_linear_head(model.net());
    require_numeric_ends(model.net(), given.set);
    CurveData const data = given.fixed ? given.with_distinct_inputs() : given;
    bool const tied = model.net().activation.is_tied() && data.has_one_input();
    if (data.batch && !model.net().activation.is_linear())
        throw UnsupportedError(
            "`batch`: symbols are served for `activation` linear; give them `values` for other networks", "batch");
    if (!model.net().activation.is_linear() && !tied)
        throw UnsupportedError(
            "`widths`: symbols are served for `activation` linear, and for crelu-tied with one input; give them "
            "`values` for other networks",
            "widths");
    if (!data.fixed && !data.is_squared())
        throw UnsupportedError("`loss` " + std::string(name(data.loss)) +
                                   ": random gradients of it have no closed form; give the widths numbers to sample",
                               "loss");
    constexpr std::uint64_t most_layers = 1000;
    auto const each = layer_by_layer(model.net(), most_layers);
    if (!each && !has_endless_run(model.net()))
        throw UnsupportedError("`widths`: up to " + std::to_string(most_layers) +
                                   " layers with symbols for widths are served, or a depth that is a symbol",
                               "widths");
    LossCurveNumbers out;
    if (known) {
        fill(*known, out);
        out.slope_printed = out.curvature_printed = CurveNumber::absent(not_printed);
    } else if (data.fixed) {
        auto const moments = data.gradient_moments();
        if (!moments)
            throw UnsupportedError("`data`: the gradients are no sums of square roots; a formula needs them", "data");
        auto const data_moments = converted<RationalFunction>(*moments);
        auto const curve =
            each ? linear_loss_curve(each->layers, data_moments) : linear_loss_curve(model.net().layers, data_moments);
        out.loss = CurveNumber::absent("constant gradients do not say what the loss is");
        out.slope = curve.slope;
        out.curvature = out.curvature_chi = curve.curvature;
        bool const by_theta = model.derivatives.unit_parameters || model.derivatives.parametrisation;
        out.slope_printed = by_theta ? CurveNumber::absent(not_by_theta) : out.slope;
        out.curvature_printed = by_theta ? CurveNumber::absent(not_by_theta) : out.curvature;
        out.curvature_gamma = Surd(0);
    } else {
        auto const moments = data.target_moments();
        if (!moments)
            throw UnsupportedError("`data`: the targets are no sums of square roots; a formula needs them", "data");
        auto const data_moments = converted<RationalFunction>(*moments);
        bool const whole = !data.batch || data.batch->is_all(data.samples());
        if (!whole && !data.set.has_exact_targets())
            throw UnsupportedError("`batch`: the targets are no sums of square roots; a formula needs them", "batch");
        auto const curve_of = [&](auto const& layers) {
            if (whole) return squared_loss_curve(layers, data_moments);
            return batch_loss_curve(layers, data_moments, converted<RationalFunction>(data.own_moments(true)),
                                    RationalFunction(Surd(own_share(*data.batch, data.samples()))));
        };
        auto const plain = each ? curve_of(each->layers) : curve_of(model.net().layers);
        fill(plain.scaled(RationalFunction(data.squared_factor())), out);
        out.slope_printed = out.curvature_printed = CurveNumber::absent(not_printed);
    }
    fill_vertices(out);
    return out;
}

}  // namespace isserlis
