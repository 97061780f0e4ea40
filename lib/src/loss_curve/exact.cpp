// SPDX-License-Identifier: MIT
#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/network/zoo.hpp>
#include <isserlis/observable/observable.hpp>
#include <isserlis/strand/expectation.hpp>

#include "closed_forms.hpp"

namespace isserlis {
namespace {

/// E L(0) of a squared error: |z|^2 has mean proportional to |x|^2 in any network of ours.
CurveNumber squared_loss(NumericModel const& model, CurveData const& data) {
    auto const sums = exact_target_sums(data.set);
    if (!sums) return CurveNumber::absent("");
    Rational squares;
    for (auto const& x : data.set.inputs)
        for (std::size_t i = 0; i < x.size(); ++i) squares += data.set.squared_scales[i] * x[i] * x[i];
    Surd const samples(static_cast<int>(data.samples()));
    ObservableSetting<Surd> setting;
    setting.inputs.squared_norm = Surd(squares) / samples;
    Surd const outputs = expectation(parse_query("z[i]^2"), model.graph(), setting, {});
    return data.squared_factor() * (outputs + sums->squares / samples);
}

template <class Matrices>
bool all_zero(Matrices const& rows) {
    return std::all_of(rows.begin(), rows.end(), [](auto const& row) {
        return std::all_of(row.begin(), row.end(), [](Enclosed const& x) { return x.is_zero(); });
    });
}

constexpr unsigned bits_of_zero = 64;

/// No sample has a gradient: the step is 0 in any network.
bool is_flat(CurveData const& data) { return all_zero(enclosed_gradients(data.set, *data.at, bits_of_zero)); }

/// No sample has a Hessian: the loss does not bend, and what its gradients leave has mean 0.
bool is_straight(CurveData const& data) {
    auto const hessians = enclosed_hessians(*data.at, bits_of_zero);
    return std::all_of(hessians.begin(), hessians.end(), [](auto const& h) { return all_zero(h); });
}

/// The linear network of the same weights, which a symmetric start is where all gates are equal.
NumericModel linear_network(NumericModel model) {
    auto net = model.net();
    net.activation = {.kind = ActivationKind::linear, .slope = {}};
    model.network = std::move(net);
    return model;
}

void fixed(NumericModel const& model, CurveData const& data, LossCurveNumbers& out) {
    auto const& net = model.net();
    bool const one = data.samples() == 1;
    bool const tied = net.activation.is_tied();
    bool const linear = net.activation.is_linear() || (tied && one);
    out.loss = CurveNumber::absent("constant gradients do not say what the loss is");
    out.curvature_gamma = Surd(0);  // odd in the weights of the last layer, whatever the network
    if (is_flat(data)) {
        out.slope = out.curvature = out.curvature_chi = Surd(0);
        return;
    }
    if (is_straight(data)) out.curvature = out.curvature_chi = Surd(0);
    if (weight_layers(net) == 1) {
        one_layer_fixed(model, data, out);
    } else if (linear) {
        try {
            linear_fixed(net.layers, data, out);
        } catch (UnsupportedError const&) {
            if (!one) throw;
            one_sample_fixed(linear_network(model), data, out);
        }
    } else if (tied) {
        tied_fixed(model, data, out);
    } else if (one) {
        one_sample_fixed(model, data, out);
    } else {
        two_layers_fixed(model, data, out);
    }
}

void squared(NumericModel const& model, CurveData const& data, LossCurveNumbers& out) {
    auto const& net = model.net();
    bool const tied = net.activation.is_tied();
    bool const equal = data.has_one_input();  // a tied network is a linear one then
    bool const linear = net.activation.is_linear() || (tied && equal);
    auto const moments = linear && model.is_gaussian() ? data.target_moments() : std::nullopt;
    if (moments && weight_layers(net) > 1) return linear_squared(net.layers, *moments, data.squared_factor(), out);
    out.loss = squared_loss(model, data);  // for any law
    if (weight_layers(net) == 1) {
        one_layer_squared(model, data, out);
    } else if (linear && !equal) {
        loss_curve_detail::require_gaussian(net.layers, "slope and curvature of squared errors are");
    } else if (equal) {
        one_sample_squared(linear ? linear_network(model) : model, data, out);
    } else if (tied) {
        tied_squared(model, data, out);
    } else if (!linear && weight_layers(net) == 2) {
        two_layers_squared(model, data, out);
    }
}

}  // namespace

std::uint64_t weight_layers(Numeric const& net) {
    std::uint64_t out = 0;
    for (auto const& run : net.layers) out += run.count;
    return out;
}

void fill_exact(NumericModel const& model, CurveData const& data, LossCurveNumbers& out) {
    if (data.fixed) return fixed(model, data, out);
    if (!data.is_squared()) return;
    if (!data.batch) return squared(model, data, out);
    bool const linear = model.net().activation.is_linear() && model.is_gaussian();
    if (linear && data.target_moments()) return linear_batch(model.net().layers, data, out);
    // The mean of a batch's gradient is that of all samples: loss and slope are theirs, curvatures are not.
    CurveData all = data;
    all.batch.reset();
    LossCurveNumbers whole;
    try {
        squared(model, all, whole);
    } catch (UnsupportedError const&) {
        // what is known is filled in
    }
    out.loss = whole.loss;
    out.slope = whole.slope;
}

}  // namespace isserlis
