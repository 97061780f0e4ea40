// SPDX-License-Identifier: MIT
#include <isserlis/formula/chi_mean.hpp>
#include <isserlis/formula/initialisation.hpp>
#include <isserlis/formula/squared_norm.hpp>
#include <isserlis/report/tidy.hpp>
#include <isserlis/verify/norms.hpp>
#include <isserlis/verify/update_ratios.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>

#include "quantity/commands.hpp"
#include "quantity/derived_check.hpp"
#include "quantity/known_answer.hpp"
#include "quantity/known_queries.hpp"
#include "quantity/observable_check.hpp"
#include "quantity/unchecked.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* by_definition = "a definition, with nothing to sample";

/// The networks of which Lemma 4.11 speaks.
bool has_printed_variance(ModelText const& text) {
    bool const concatenated = sides_of(text.activation) != WeightSides::one;
    return concatenated && text.scheme == Scheme::proportional;
}

template <class R, class Count>
Value printed_output_variance(FullyConnected<R, Count> const& net, ModelText const& text, R const& scale) {
    if (!has_printed_variance(text))
        return Value::absent("Lemma 4.11 speaks of concatenated ReLU with the proportional scheme only");
    return Value(output_variance_printed(net.input_width(), net.output_width(), scale));
}

/// With gates at several outputs the gates of two rows and the rows themselves depend on each other.
template <class R, class Count>
bool has_update_ratios(FullyConnected<R, Count> const& net) {
    return !net.gated_head || !net.activation.is_gated() || net.output_width() == R(1);
}

constexpr char const* gated_outputs = "Theorem 4.6 fails for several gated outputs; use `head` linear";

/// Lemma 4.11 as printed, where `printed` asks for it.
template <class R, class Count>
void add_printed(FullyConnected<R, Count> const& net, ModelText const& text, R const& scale, Session const& session,
                 Answer& answer) {
    if (!session.printed) return;
    answer.add("output_variance_printed", {}, printed_output_variance(net, text, scale), {},
               "as printed; wrong, so nothing samples it");
    if (has_printed_variance(text))
        answer.warn("output_variance_printed is Lemma 4.11 as printed, too small by a factor d_0 (docs/errata.md, H3)");
}

/// What a trainer sets for the layer: how w is drawn, multiplied and trained.
template <class R, class Count>
void add_parameters(Model<R, Count> const& model, LayerPlace<Count> const& place, Answer& answer) {
    if (!model.derivatives.parametrisation) return;
    auto const& run = model.net().layers[place.run];
    ParametrisedLayer<R> const layer(*model.derivatives.parametrisation,
                                     kind_of_layer(place.run, model.net().layers.size()),
                                     model.net().activation.gate().moment(2), run.fan_in, run.fan_out);
    answer.add("parameter_variance", {place.label}, layer.parameter_variance(), {}, by_definition);
    answer.add("parameter_multiplier", {place.label}, root(layer.squared_multiplier(), "the root of its square"), {},
               by_definition);
    answer.add("rate_factor", {place.label}, layer.rate(), {}, by_definition);
}

void add_chi_mean(RationalFunction const&, std::string const&, Answer&) {}
void add_chi_mean(Surd const& width, std::string const& label, Answer& answer) {
    Integer const d = numerator_of(width.to_rational());
    answer.add("chi_mean", {label},
               Value::certified([d](unsigned bits) { return chi_mean(d, bits); },
                                "sqrt(2)*Gamma((d+1)/2)/Gamma(d/2), d = " + to_string(d)),
               {}, by_definition);
}

void state_scope(ModelText const& text, Answer& answer) {
    answer.assume(std::string("independent symmetric weights") + (text.has_biases() ? " and biases" : ""));
    answer.assume("update ratios: constant loss gradients, one input (any data for a linear network)" +
                  std::string(text.activation == ActivationKind::linear ? ""
                              : gates_can_tie(text) && sides_of(text.activation) == WeightSides::one
                                  ? ", a gate at exactly 0 open with probability 1/2"
                                  : ", no pre-activation with an atom at 0 but above a dead layer"));
    if (text.has_unit_parameters()) answer.assume("update ratios: the first step of theta, relative to theta");
    if (text.parametrisation) answer.assume("update ratios: the first step of w at its rate, relative to w");
    answer.assume("output variance: data standardised to mean square c^2 per feature, c = " +
                  (text.data_scale ? text.as_typed("c") : "1"));
    if (sides_of(text.activation) != WeightSides::one) {
        answer.assume(
            "crelu updates count |dP|^2 + |dN|^2; with several samples they agree for layers 2 .. n of crelu-tied "
            "only");
    }
}

/// What stands beside the head's gate is no variance.
void state_gated_variance(auto const& net, Answer& answer) {
    if (net.gated_head && net.activation.is_gated())
        answer.assume("output variance: of a gated head the mean square of the output");
}

/// The network as far as its variances go, which is all that enters here.
template <class R, class Count>
FullyConnected<R, Count> of_variances(FullyConnected<R, Count> net) {
    for (auto& run : net.layers) {
        run.law = {};
        if (run.bias) run.bias->law = {};
    }
    return net;
}

/// What a sampled mean square of d output/d W_l is multiplied by: that of layer 1 is known, weights have their variances.
Surd size_of_update(Numeric const& net, LayerRun<Surd, std::uint64_t> const& run, Surd const& square) {
    Surd const g2 = net.activation.gate().moment(2);
    Surd of_first = square;  // |x|^2 E |d output/d z^1|^2
    bool first = true;
    for (auto const& above : net.layers) {
        of_first = of_first * power(Surd(above.variance * above.fan_in * g2), above.count - (first ? 1 : 0));
        first = false;
    }
    if (net.gated_head) of_first = of_first * g2;
    auto const& bottom = net.layers.front();
    Surd const rates = run.label_factor / bottom.label_factor;
    return rates * rates * bottom.variance * bottom.fan_in * bottom.fan_out /
           (run.variance * run.fan_in * run.fan_out * of_first);
}

/// Of the rows below, none where nothing is sampled: updates in the order of the places, then the output.
std::vector<std::optional<Check>> biased_checks(SymbolicModel const&, Places<Exponent> const& places,
                                                std::vector<RationalFunction> const&, Session const&, Answer&) {
    return std::vector<std::optional<Check>>(places.size() + 1);
}
std::vector<std::optional<Check>> biased_checks(NumericModel const& model, Places<std::uint64_t> const& places,
                                                std::vector<Surd> const& exact, Session const& session,
                                                Answer& answer) {
    std::vector<std::optional<Check>> out(places.size() + 1);
    if (!session.samples) return out;
    // One standardised input, all of whose features are c; derivatives by the weights themselves.
    NumericModel at_data = model;
    Surd const c = model.data_scale;
    at_data.input.assign(static_cast<std::size_t>(to_double(model.net().input_width())), c);
    at_data.squared_norm = c * c * model.net().input_width();
    at_data.derivatives = {};
    Numeric net = model.net();
    for (auto& run : net.layers) run.label_factor = Surd(1);
    at_data.network = net;
    std::string const output = net.gated_head ? "h" : "z";
    std::vector<AskedMean> asked;
    bool const ratios = has_update_ratios(net);
    for (std::size_t k = 0; ratios && k < places.size(); ++k) {
        Surd const factor = size_of_update(model.net(), model.net().layers[places[k].run], at_data.squared_norm);
        asked.push_back({.query = output + "[1;m]^2 where m in " + places[k].label,
                         .exact = to_double(Surd(exact[k] / factor)),
                         .factor = factor});
    }
    asked.push_back({.query = output + "[1]^2", .exact = to_double(exact.back())});
    auto const checks = observable_checks(asked, at_data, session, answer);
    std::copy(checks.begin(), checks.end(), out.end() - static_cast<std::ptrdiff_t>(checks.size()));
    return out;
}

template <class R, class Count>
void add_biased_init(Model<R, Count> const& model, ModelText const& text, Places<Count> const& places,
                     Session const& session, Answer& answer) {
    if (session.test) throw UnsupportedError(tests_know_no_biases, "emit_test");
    answer.assume(
        "update ratios: constant loss gradients, one input with |x|^2 = d_0 c^2; the first step of the weights, biases "
        "stay");
    if (text.has_unit_parameters()) answer.assume("update ratios: the first step of theta, relative to theta");
    if (text.parametrisation) answer.assume("update ratios: the first step of w at its rate, relative to w");
    answer.assume("output variance: data standardised to mean square c^2 per feature, c = " +
                  (text.data_scale ? text.as_typed("c") : "1"));
    if (sides_of(text.activation) != WeightSides::one) answer.assume("crelu updates count |dP|^2 + |dN|^2");
    auto const net = of_variances(model.net());
    state_gated_variance(net, answer);
    R const& c = model.data_scale;
    R const square = c * c * net.input_width();
    std::vector<R> exact;
    for (auto const& place : places) exact.push_back(biased_update_ratio(up_to(net, place), square));
    exact.push_back(biased_output_variance(net, c));
    auto const checks = biased_checks(model, places, exact, session, answer);
    answer.expect(6 * places.size());
    for (std::size_t k = 0; k < places.size(); ++k) {
        auto const& label = places[k].label;
        answer.add("weight_variance", {label}, net.layers[places[k].run].variance, {}, by_definition);
        add_parameters(model, places[k], answer);
        bool const served = has_update_ratios(net);
        answer.add("update_ratio", {label}, served ? Value(tidy(exact[k])) : Value::absent(gated_outputs), checks[k],
                   served ? not_sampled : gated_outputs);
        add_chi_mean(net.layers[places[k].run].fan_out, label, answer);
    }
    answer.add("output_variance", {}, tidy(exact.back()), checks.back(), not_sampled);
    if (session.printed)
        answer.add("output_variance_printed", {}, Value::absent("Lemma 4.11 speaks of networks without biases"), {},
                   "no value");
}

/// Of |z|^2 of the output, which has a chi-square for every layer: that of a gradient has one less.
std::optional<double> skewness(NumericModel const& model) {
    if (!model.is_gaussian()) return std::nullopt;
    auto const moments = relative_norm_moments(model.net(), Reading::preactivation, 3);
    double const mean = to_double(moments[1]);
    double const second = to_double(moments[2]) / mean / mean;
    double const third = to_double(moments[3]) / mean / mean / mean;
    return second > 1 ? (third - 3 * second + 2) / std::pow(second - 1, 1.5) : 0;
}

void add_init(NumericModel const& model, ModelText const& text, Places<std::uint64_t> const& places,
              Session const& session, Answer& answer) {
    if (has_biases(model.graph())) return add_biased_init(model, text, places, session, answer);
    state_scope(text, answer);
    auto const& net = model.net();
    state_gated_variance(net, answer);
    auto const& scale = model.data_scale;
    Surd const variance = output_variance(net, scale);
    std::optional<std::vector<Check>> updates;
    std::optional<Check> output;
    if (session.samples) {
        auto sampled = sampling_model(model);
        double const c = to_double(scale);
        sampled.input.assign(sampled.widths.front(), c);
        std::vector<double> ratios;
        for (auto const& run : net.layers) {
            ratios.insert(ratios.end(), static_cast<std::size_t>(run.count),
                          to_double(update_ratio(run, net.layers.front())));
        }
        if (has_update_ratios(net)) {
            updates = check_update_ratios(sampled, ratios, *session.samples, session.seed, session.run_control(),
                                          sampling_factors(model), skewness(model));
        }
        // |x_n|^2/d_n for one standardised input, all of whose features are c.
        std::vector<ExactNorms> exact(sampled.depth());
        for (auto& e : exact) e.raw = {1, 0};
        double const outputs = to_double(net.output_width());
        exact.back().raw = {1, to_double(variance) * outputs};
        if (model.is_gaussian()) {
            // The second moment makes the standard error exact.
            Reading const reading = net.gated_head ? Reading::activation : Reading::preactivation;
            double const square = c * c * to_double(net.input_width());
            exact.back().raw.push_back(to_double(relative_norm_moments(net, reading, 2)[2]) * square * square);
        }
        auto const norms =
            check_squared_norms(sampled, exact, false, 1, *session.samples, session.seed, session.run_control());
        output = scaled_by(1 / outputs, norms.back().raw.front());
    }
    answer.expect(6 * places.size());
    for (auto const& place : places) {
        auto const& run = net.layers[place.run];
        answer.add("weight_variance", {place.label}, run.variance, {}, by_definition);
        add_parameters(model, place, answer);
        std::optional<Check> check;
        if (updates) check = (*updates)[static_cast<std::size_t>(std::stoull(place.label)) - 1];
        answer.add("update_ratio", {place.label},
                   has_update_ratios(net) ? Value(update_ratio(run, net.layers.front())) : Value::absent(gated_outputs),
                   check, gated_outputs);
        add_chi_mean(run.fan_out, place.label, answer);
    }
    answer.add("output_variance", {}, variance, output, not_sampled);
    add_printed(net, text, scale, session, answer);
}

void add_init(SymbolicModel const& model, ModelText const& text, Places<Exponent> const& places, Session const& session,
              Answer& answer) {
    if (has_biases(model.graph())) return add_biased_init(model, text, places, session, answer);
    state_scope(text, answer);
    auto const& net = model.net();
    state_gated_variance(net, answer);
    auto const& scale = model.data_scale;
    answer.expect(5 * places.size());
    for (auto const& place : places) {
        auto const& run = net.layers[place.run];
        answer.add("weight_variance", {place.label}, run.variance, {}, by_definition);
        add_parameters(model, place, answer);
        answer.add("update_ratio", {place.label},
                   has_update_ratios(net) ? Value(update_ratio(run, net.layers.front())) : Value::absent(gated_outputs),
                   {}, not_sampled);
    }
    answer.add("output_variance", {}, output_variance(net, scale), {}, not_sampled);
    add_printed(net, text, scale, session, answer);
}

constexpr ModelParameters init_model{.activation = true, .variance = true, .parametrisation = true, .bias = true};

}  // namespace

Command init_command() {
    CommandOf<NetworksRequest> out;
    out.text = {
        .name = "init",
        .summary = "Weight variances of a scheme, update ratios, output variance",
        .positional = "`widths`",
        .positional_help = "d_0,..,d_n; numbers or symbols, 10:3 repeats",
        .most_positionals = 1000,
        .parameters = emit_parameters({{{"layer"}, "{}: `emit_test` tests every layer; leave it out"}}),
        .charted = "update_ratio",
    };
    out.text.parameters.push_back(printed_parameter());
    ParameterSet<ModelText> of_model = model_parameters(init_model);
    of_model.add({"c", "R", "Scale of the standardised data", &ModelText::data_scale, formula(), More{.usual = "1"}});
    out.parameters.add(&NetworksRequest::typed, of_model);
    out.complete = read_all_networks<NetworksRequest>;
    out.evaluate = [](NetworksRequest const& request, Session const& session, Bindings const& bindings,
                      Answer& answer) {
        for_each_network(request.networks, session, bindings, init_model, answer, [&](ModelText const& text) {
            with_model(text, bindings, [&](auto const& model) {
                add_init(model, text, layer_places(model.net().layers, session.layer, answer), session, answer);
                if constexpr (std::is_same_v<std::decay_t<decltype(model)>, NumericModel>) {
                    emit_init_test(model, session, answer);
                } else {
                    refuse_symbols_in_test(session);
                }
            });
        });
    };
    out.expands = true;
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
