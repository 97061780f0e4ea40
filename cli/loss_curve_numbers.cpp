// SPDX-License-Identifier: MIT
#include "loss_curve_numbers.hpp"

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/observable/observable.hpp>
#include <isserlis/strand/expectation.hpp>

#include "chain_models.hpp"
#include "sampling_model.hpp"

namespace isserlis::cli {
namespace {

using Layers = std::vector<LayerRun<Surd, std::uint64_t>>;

constexpr char const* no_loss = "constant gradients do not say what the loss is";
constexpr char const* not_printed =
    "the printed formulas take gradients for constants; --gradient fixed evaluates them";
constexpr char const* kernels = "sums of kernels of the angles between inputs";

template <class R, class Count>
void require_linear_head(FullyConnected<R, Count> const& net) {
    if (net.gated_head) throw UnsupportedError("--head activation: loss curves are served for a linear head", "--head");
}

std::vector<LayerRun<double, std::uint64_t>> in_doubles(Layers const& layers) {
    std::vector<LayerRun<double, std::uint64_t>> out;
    for (auto const& run : layers) {
        out.push_back({.fan_in = to_double(run.fan_in),
                       .fan_out = to_double(run.fan_out),
                       .count = run.count,
                       .variance = to_double(run.variance),
                       .law = {.kind = run.law.kind, .kurtosis_value = to_double(run.law.kurtosis_value)}});
    }
    return out;
}

GradientMoments<double> in_double(GradientMoments<Surd> const& m) {
    return {.trace = to_double(m.trace),
            .q1 = to_double(m.q1),
            .q2 = to_double(m.q2),
            .q3 = to_double(m.q3),
            .q4 = to_double(m.q4)};
}

TargetMoments<double> in_double(TargetMoments<Surd> const& m) {
    return {.p1 = to_double(m.p1),
            .p2 = to_double(m.p2),
            .p3 = to_double(m.p3),
            .cross = to_double(m.cross),
            .cross_sigma = to_double(m.cross_sigma),
            .target = to_double(m.target)};
}

/// A deep linear network with constant gradients.
void linear_fixed(Layers const& layers, GradientMoments<Surd> const& data, LossCurveNumbers& out) {
    auto const fill = [&](auto const& net, auto const& moments, auto const& number) {
        auto const sums = layer_pair_sums<2>(net);
        out.slope = number(linear_slope(sums, moments));  // for any law, unlike the curvature
        loss_curve_detail::require_kurtosis_3(net);
        out.curvature = out.curvature_chi = number(linear_curvature(sums, moments));
    };
    try {
        fill(layers, data, [](Surd const& x) { return CurveNumber(x); });
    } catch (UnsupportedError const&) {
        if (!out.slope.is_absent()) throw;  // a law that the curvature is not served for
        fill(in_doubles(layers), in_double(data), [](double x) { return CurveNumber::rounded(x); });
    }
}

/// A deep linear network with squared errors.
void linear_squared(Layers const& layers, TargetMoments<Surd> const& data, Surd const& factor, LossCurveNumbers& out) {
    auto const fill = [&](auto const& net, auto const& moments, auto const& c, auto const& number) {
        auto const curve = squared_loss_curve(net, moments).scaled(c);
        out.loss = number(curve.loss);
        out.slope = number(curve.slope);
        out.curvature = number(curve.curvature());
        out.curvature_chi = number(curve.curvature_chi);
        out.curvature_gamma = number(curve.curvature_gamma);
    };
    try {
        fill(layers, data, factor, [](Surd const& x) { return CurveNumber(x); });
    } catch (UnsupportedError const&) {
        fill(in_doubles(layers), in_double(data), to_double(factor), [](double x) { return CurveNumber::rounded(x); });
    }
}

/// One sample through gates: the strand engine.
class OneSample {
public:
    OneSample(NumericModel const& model, CurveData const& data) : model_(model) {
        setting_.inputs.vectors = {exact_inputs(data.set).front()};
    }
    void give(std::string const& name, ConstantValue<Surd> value) { setting_.constants[name] = std::move(value); }
    [[nodiscard]] Surd operator()(std::string const& query) const {
        return expectation<Carrier<Surd>>(parse_query(query), model_.graph, setting_, {});
    }

private:
    NumericModel const& model_;
    ObservableSetting<Surd> setting_;
};

void one_sample_fixed(NumericModel const& model, CurveData const& data, LossCurveNumbers& out) {
    if (data.at->factor != 0 && !data.set.has_exact_targets())
        throw UnsupportedError("the target is no sum of square roots", "--data");
    OneSample engine(model, data);
    engine.give("g", {exact_gradients(data.set, *data.at).front()});
    ConstantValue<Surd> h;
    for (auto const& row : data.at->hessians.front()) h.emplace_back(row.begin(), row.end());
    engine.give("H", h);
    out.slope = Surd(0) - engine("g[i] g[j] z[i;m] z[j;m]");
    out.curvature_chi = engine("H[i,j] z[i;m] g[k] z[k;m] z[j;n] g[l] z[l;n]");
    out.curvature = out.curvature_chi;
}

void one_sample_squared(NumericModel const& model, CurveData const& data, LossCurveNumbers& out) {
    if (!data.set.has_exact_targets()) throw UnsupportedError("the target is no sum of square roots", "--data");
    OneSample engine(model, data);
    auto const targets = exact_targets(data.set).front();
    engine.give("t", {targets});
    Surd const c = data.squared_factor();
    Surd squares(0);
    for (auto const& y : targets) squares = squares + y * y;
    // |z - t|^2 without its constant.
    std::string const f = "(z[i]^2 - 2*t[i]*z[i])";
    out.loss = c * (engine("z[i]^2") + squares);
    out.slope = Surd(0) - c * c * engine("(D[m] " + f + ")^2");
    Surd const whole = engine("D[m] " + f + " * D[n] " + f + " * D[m,n] " + f);
    Surd const chi = Surd(2) * engine("z[j;m] z[j;n] * D[m] " + f + " * D[n] " + f);
    Surd const cube = c * c * c;
    out.curvature = cube * whole;
    out.curvature_chi = cube * chi;
    out.curvature_gamma = cube * (whole - chi);
}

/// E L(0) of a squared error: |z|^2 has mean proportional to |x|^2 in any network of ours.
CurveNumber squared_loss(NumericModel const& model, CurveData const& data) {
    auto const sums = exact_target_sums(data.set);
    if (!sums) return CurveNumber::absent("");
    Rational squares;
    auto const products = gram(data.set);
    for (std::size_t k = 0; k < products.size(); ++k) squares += products[k][k];
    Surd const samples(static_cast<int>(products.size()));
    ObservableSetting<Surd> setting;
    setting.inputs.squared_norm = Surd(squares) / samples;
    Surd const outputs = expectation<Carrier<Surd>>(parse_query("z[i]^2"), model.graph, setting, {});
    return data.squared_factor() * (outputs + sums->squares / samples);
}

constexpr std::size_t most_samples_of_enclosed_curvature = 32;  ///< its cost is cubic
constexpr std::size_t most_samples_of_enclosed_slope = 200;     ///< quadratic

/// An enclosure that never leaves 0 never yields a digit.
bool is_zero_for_all_we_know(Value::Enclosure const& enclosure) {
    constexpr unsigned bits = 256;
    return enclosure(bits).contains_zero();
}

/// The symmetric start of a concatenated ReLU: slopes by kernels, curvature of two layers.
void tied_fixed(NumericModel const& model, CurveData const& data, LossCurveNumbers& out) {
    auto const& layers = model.net.layers;
    if (data.samples() > most_samples_of_enclosed_slope) {
        out.slope = CurveNumber::rounded(crelu_slope(
            in_doubles(layers), crelu_gradient_moments(input_doubles(data.set), gradient_doubles(data.set, *data.at))));
        return;
    }
    auto const grams = data.grams();
    auto const gradients = data.rational_gradients();
    if (gradients) {
        out.slope = {crelu_slope(layers, crelu_gradient_moments(grams, *gradients)), kernels};
    } else {
        auto const set = data.set;
        auto const at = *data.at;
        out.slope = CurveNumber::certified(
            [=](unsigned bits) {
                return crelu_slope(layers, crelu_gradient_moments(grams, enclosed_gradients(set, at, bits), bits),
                                   bits);
            },
            kernels);
    }
    std::uint64_t depth = 0;
    for (auto const& run : layers) depth += run.count;
    if (depth == 2 && gradients && data.samples() <= most_samples_of_enclosed_curvature) {
        std::vector<Rows<Rational>> const hessians = data.at->hessians;
        Value::Enclosure const enclosure = [=, g = *gradients](unsigned bits) {
            return crelu_curvature_of_two_layers(layers, grams, g, hessians, bits);
        };
        if (!is_zero_for_all_we_know(enclosure))
            out.curvature = out.curvature_chi = CurveNumber::certified(enclosure, kernels);
    }
}

void tied_squared(NumericModel const& model, CurveData const& data, LossCurveNumbers& out) {
    auto const& layers = model.net.layers;
    Surd const factor = data.squared_factor() * data.squared_factor();
    if (data.samples() > most_samples_of_enclosed_slope) {
        auto const moments = crelu_target_moments(input_doubles(data.set), target_doubles(data.set));
        out.slope = CurveNumber::rounded(crelu_squared_slope(in_doubles(layers), moments) * to_double(factor));
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
            auto const targets = crelu_gradient_moments(grams, enclosed_targets(set, bits), bits);
            return enclose(factor, bits) *
                   (inputs.enclose(bits) + enclose(Surd(4), bits) * crelu_slope(layers, targets, bits));
        },
        kernels);
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
        auto const moments = data.gradient_moments();
        if (!moments) return std::nullopt;
        linear_fixed(layers, *moments, linear);
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

/// Fills what is still missing by sampling.
void sample_rest(NumericModel const& model, CurveData const& data, CurveSampling const& sampling,
                 std::string const& why, LossCurveNumbers& out) {
    bool const need_loss = out.loss.is_absent() && !data.fixed;
    bool const need_rest = out.slope.is_absent() || out.curvature.is_absent();
    if (!need_loss && !need_rest) return;
    if (sampling.networks == 0) {
        auto const none = CurveNumber::absent(why);
        for (auto* x : {&out.loss, &out.slope, &out.curvature, &out.curvature_chi, &out.curvature_gamma})
            if (x->is_absent() && x->form().empty()) *x = none;
        return;
    }
    auto const curve_model = data.sampling_model(sampling_model(model));
    auto const sampled =
        monte_carlo::sample_loss_curve(curve_model, sampling.networks, sampling.seed, sampling.control);
    LinearMeans shift;
    auto const* estimates = &sampled.plain;
    if (sampled.minus_linear) {
        if (auto const means = linear_means(model.net.layers, data)) {
            shift = *means;
            estimates = &*sampled.minus_linear;
        }
    }
    if (need_loss && sampled.plain.loss) out.loss = CurveNumber::sampled(*sampled.plain.loss);
    if (out.slope.is_absent()) out.slope = CurveNumber::sampled(shifted(estimates->slope, shift.slope));
    if (out.curvature.is_absent()) {
        double const curvature = shift.curvature_chi + shift.curvature_gamma;
        out.curvature = CurveNumber::sampled(data.fixed ? shifted(estimates->curvature_chi, shift.curvature_chi)
                                                        : shifted(estimates->curvature, curvature));
        out.curvature_chi = CurveNumber::sampled(shifted(estimates->curvature_chi, shift.curvature_chi));
        if (out.curvature_gamma.is_absent())
            out.curvature_gamma = CurveNumber::sampled(shifted(estimates->curvature_gamma, shift.curvature_gamma));
        // An exact slope has no error of its own.
        auto errors = *estimates;
        if (data.fixed) errors.curvature = errors.curvature_chi;
        if (!out.slope.is_sampled()) {
            errors.slope.std_error = 0;
            errors.slope_curvature_covariance = 0;
        }
        auto const vertex = monte_carlo::vertex_rate(out.slope.to_double(), out.curvature.to_double(), errors);
        if (vertex) {
            out.vertex_rate = CurveNumber::sampled(*vertex);
        } else {
            out.vertex_rate = CurveNumber::absent("the sampled curvature is not positive");
        }
    }
}

void fill_vertices(LossCurveNumbers& out) {
    double const curvature = out.curvature.to_double();
    if (!out.curvature.is_absent() && curvature <= 0)  // not so for a formula in symbols
        out.vertex_rate = CurveNumber::absent("the curvature is not positive: the parabola has no lowest point");
    if (out.vertex_rate.is_absent() && out.vertex_rate.form().empty())
        out.vertex_rate = CurveNumber::quotient(Surd(-1), out.slope, out.curvature);
    out.vertex_rate_printed = CurveNumber::product(Surd(ratio(1, 2)), out.vertex_rate);
}

/// Exact values where they are to be had; what stays absent is sampled.
void fill_exact(NumericModel const& model, CurveData const& data, LossCurveNumbers& out) {
    auto const& net = model.net;
    bool const linear = net.activation.kind == ActivationKind::linear;
    bool const tied = net.activation.kind == ActivationKind::crelu_tied;
    bool const one = data.samples() == 1;
    if (data.fixed) {
        out.loss = CurveNumber::absent(no_loss);
        out.curvature_gamma = Surd(0);  // odd in the weights of the last layer, whatever the network
        if (linear || (tied && one)) {
            if (auto const moments = data.gradient_moments()) linear_fixed(net.layers, *moments, out);
        } else if (tied) {
            tied_fixed(model, data, out);
        } else if (one) {
            one_sample_fixed(model, data, out);
        }
        return;
    }
    if (!data.is_squared()) return;
    if (linear || (tied && one)) {
        if (auto const moments = data.target_moments())
            linear_squared(net.layers, *moments, data.squared_factor(), out);
        return;
    }
    out.loss = squared_loss(model, data);
    if (tied) {
        tied_squared(model, data, out);
    } else if (one) {
        one_sample_squared(model, data, out);
    }
}

}  // namespace

LossCurveNumbers loss_curve_numbers(NumericModel const& model, CurveData const& data, CurveSampling const& sampling) {
    require_linear_head(model.net);
    require_widths(data.set, numerator_of(model.net.input_width().to_rational()).convert_to<std::size_t>(),
                   numerator_of(model.net.output_width().to_rational()).convert_to<std::size_t>());
    LossCurveNumbers out;
    std::string why = "no exact value is known; --samples N samples it";
    try {
        fill_exact(model, data, out);
    } catch (UnsupportedError const& e) {
        if (sampling.networks == 0) why = std::string("no exact value: ") + e.what();
    }
    // The theorems as printed: the linear network's values, for any network with P = N at the start.
    bool const in_thesis =
        model.net.activation.kind == ActivationKind::linear || model.net.activation.kind == ActivationKind::crelu_tied;
    if (!data.fixed) {
        out.slope_printed = out.curvature_printed = CurveNumber::absent(not_printed);
    } else if (!in_thesis) {
        out.slope_printed = out.curvature_printed =
            CurveNumber::absent("the theorems speak of concatenated ReLU with P = N at the start");
    } else if (auto const moments = data.gradient_moments()) {
        LossCurveNumbers printed;
        printed.curvature = CurveNumber::absent("Theorem 4.19 is for Gaussian weights");
        try {
            linear_fixed(model.net.layers, *moments, printed);
        } catch (UnsupportedError const&) {
            // only the slope then
        }
        out.slope_printed = printed.slope;
        out.curvature_printed = printed.curvature;
    } else {
        out.slope_printed = out.curvature_printed = CurveNumber::absent("the gradients are no sums of square roots");
    }
    sample_rest(model, data, sampling, why, out);
    fill_vertices(out);
    return out;
}

LossCurveNumbers loss_curve_numbers(SymbolicModel const& model, CurveData const& data) {
    require_linear_head(model.net);
    if (model.net.activation.kind != ActivationKind::linear)
        throw UnsupportedError(
            "WIDTHS: symbols are served for --activation linear; give them numbers by --set for other networks",
            "WIDTHS");
    if (!data.fixed && !data.is_squared())
        throw UnsupportedError("--loss " + std::string(name(data.loss)) +
                                   ": random gradients of it have no closed form; give the widths numbers to sample",
                               "--loss");
    constexpr std::uint64_t most_layers = 1000;
    auto const net = layer_by_layer(model.net, most_layers);
    if (!net)
        throw UnsupportedError("WIDTHS: a depth in numbers is required, up to " + std::to_string(most_layers) +
                                   " layers with symbols for widths",
                               "WIDTHS");
    LossCurveNumbers out;
    if (data.fixed) {
        auto const moments = data.gradient_moments();
        if (!moments)
            throw UnsupportedError("--data: the gradients are no sums of square roots; a formula needs them", "--data");
        auto const curve = linear_loss_curve(net->layers, converted<RationalFunction>(*moments));
        out.loss = CurveNumber::absent(no_loss);
        out.slope = out.slope_printed = curve.slope;
        out.curvature = out.curvature_chi = out.curvature_printed = curve.curvature;
        out.curvature_gamma = Surd(0);
    } else {
        auto const moments = data.target_moments();
        if (!moments)
            throw UnsupportedError("--data: the targets are no sums of square roots; a formula needs them", "--data");
        auto const curve = squared_loss_curve(net->layers, converted<RationalFunction>(*moments))
                               .scaled(RationalFunction(data.squared_factor()));
        out.loss = curve.loss;
        out.slope = curve.slope;
        out.curvature = curve.curvature();
        out.curvature_chi = curve.curvature_chi;
        out.curvature_gamma = curve.curvature_gamma;
        out.slope_printed = out.curvature_printed = CurveNumber::absent(not_printed);
    }
    fill_vertices(out);
    return out;
}

}  // namespace isserlis::cli
