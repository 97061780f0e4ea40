// SPDX-License-Identifier: MIT
#include <isserlis/formula/biased_norm.hpp>
#include <isserlis/formula/log_squared_norm.hpp>
#include <isserlis/formula/orthogonal_norm.hpp>
#include <isserlis/formula/squared_norm.hpp>
#include <isserlis/formula/standardised_moments.hpp>
#include <isserlis/model/exact_cost.hpp>
#include <isserlis/ring/members.hpp>
#include <isserlis/ring/product_tree.hpp>
#include <isserlis/verify/feasible.hpp>
#include <isserlis/verify/norms.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "quantity/chain_models.hpp"
#include "quantity/commands.hpp"
#include "quantity/given_samples.hpp"
#include "quantity/known_queries.hpp"
#include "quantity/norm_rows.hpp"
#include "quantity/observable_check.hpp"
#include "quantity/unchecked.hpp"
#include "quantity/wired/wired.hpp"

namespace isserlis::quantity {
namespace {

constexpr unsigned default_order = 2;
constexpr unsigned most_wired_order = 4;  ///< of eight strands
constexpr char const* gaussian_only = "served for Gaussian and orthogonal weights only";

struct NormRequest {
    ModelText typed;
    std::vector<ModelText> networks;
    SamplesText samples;  ///< in place of one input
    unsigned order = default_order;
    bool preactivations = false;
};

/// h at hidden layers, the head at the output; z everywhere with `pre`.
template <class R, class Count>
Reading reading_at(FullyConnected<R, Count> const& net, LayerPlace<Count> const& place, bool preactivations) {
    if (preactivations) return Reading::preactivation;
    return is_last_layer(net, place) && !net.gated_head ? Reading::preactivation : Reading::activation;
}

/// prod of the layer variances.
template <class R, class Count>
R variance_product(FullyConnected<R, Count> const& net) {
    std::vector<R> factors;
    for (auto const& run : net.layers) factors.push_back(power(run.variance, run.count));
    return product_tree(factors);
}

/// E |v|^4 over (|x|^2 prod of the layer variances)^2.
Rational relative_fourth_moment(FullyConnected<Surd, std::uint64_t> const& net, Reading reading,
                                Rational const& flatness) {
    // Relative moments do not depend on the variances, which may have roots.
    auto const to_rational = [](Surd const& x) { return x.to_rational(); };
    FullyConnected<Rational, std::uint64_t> const shape{
        .layers = converted<Rational>(of_unit_variance(net.layers), to_rational),
        .activation = converted<Rational>(net.activation, to_rational)};
    return relative_fourth_norm_moment(shape, reading, flatness);
}

RationalFunction relative_fourth_moment(FullyConnected<RationalFunction, Exponent> net, Reading reading,
                                        RationalFunction const& flatness) {
    net.gated_head = false;  // what is read says whether there is a gate
    auto const in_numbers = [](Exponent const& count) { return checked_count(numerator_of(count.constant())); };
    bool const endless =
        std::any_of(net.layers.begin(), net.layers.end(), [](auto const& run) { return !run.count.is_constant(); });
    if (endless) return relative_fourth_norm_moment(net, reading, flatness);
    return relative_fourth_norm_moment(replaced<Exponent, std::uint64_t>(net, in_numbers), reading, flatness);
}

Rational flatness_over(Surd const& fourth, Surd const& square) { return (fourth / (square * square)).to_rational(); }
RationalFunction flatness_over(RationalFunction const& fourth, RationalFunction const& square) {
    return fourth / (square * square);
}

/// The larger of fan-in and fan-out of each run of orthogonal matrices; symbols are at least 1.
template <class R, class Count>
std::vector<std::optional<R>> larger_widths(Model<R, Count> const& model, FullyConnected<R, Count> const& net) {
    std::vector<std::optional<R>> out;
    for (std::size_t i = 0; i < net.layers.size(); ++i) {
        auto const& run = net.layers[i];
        if (model.orthogonal.empty() || !model.orthogonal[i]) {
            out.emplace_back();
            continue;
        }
        out.push_back(larger_width(run.fan_in, run.fan_out));
        if (!out.back()) {
            throw UnsupportedError("`law` orthogonal: the formula depends on which of the widths " +
                                       to_string(run.fan_in) + " and " + to_string(run.fan_out) +
                                       " is larger; give them values by `set`, or equal names",
                                   "law");
        }
    }
    return out;
}

/// E q^p / |x|^(2p), p = 0 .. order, of one layer of Gaussian or orthogonal matrices.
template <class R, class Count>
std::vector<R> relative_moments(Model<R, Count> const& model, FullyConnected<R, Count> const& net, Reading reading,
                                unsigned order) {
    return model.orthogonal.empty() ? relative_norm_moments(net, reading, order)
                                    : relative_orthogonal_norm_moments(net, larger_widths(model, net), reading, order);
}

/// Are all weights, but for orthogonal matrices, and all biases known to be Gaussian?
template <class R, class Count>
bool is_gaussian(Model<R, Count> const& model) {
    auto const& runs = model.net().layers;
    return model.is_gaussian() && std::all_of(runs.begin(), runs.end(), [](auto const& run) {
               return !run.bias || run.bias->law.kind == LawKind::gaussian;
           });
}

/// Errors  DomainError where sum x_i^4 matters and is not known.
template <class R, class Count>
void require_fourth(Model<R, Count> const& model, FullyConnected<R, Count> const& net) {
    bool const flat_matters =
        std::any_of(net.layers.begin(), net.layers.end(), [](auto const& run) { return !(run.law.has_kurtosis_3()); });
    if (!flat_matters || model.fourth) return;
    throw DomainError(
        "`input_fourth` is missing: with a kurtosis other than 3 the second moment depends on sum x_i^4; give it, "
        "or the input itself with `input`",
        "input_fourth");
}

/// E q^p, p = 0, 1, 2, of one layer of a network with biases and independent weights of any laws: by the recursion, at a
/// depth that is a symbol by strands.
std::vector<Surd> biased_moments_of_any_law(NumericModel const& model, FullyConnected<Surd, std::uint64_t> const& net,
                                            Reading reading) {
    return biased_fourth_norm_moments(net, model.squared_norm, model.fourth.value_or(Surd(0)), reading);
}
std::vector<RationalFunction> biased_moments_of_any_law(SymbolicModel model,
                                                        FullyConnected<RationalFunction, Exponent> net,
                                                        Reading reading) {
    bool const is_gated = reading == Reading::activation;
    net.gated_head = is_gated;
    model.network = std::move(net);
    return {RationalFunction(1), exact_mean(is_gated ? "h[i]^2" : "z[i]^2", model),
            exact_mean(is_gated ? "(h[i]^2)^2" : "(z[i]^2)^2", model)};
}

/// E q^p, p = 0 .. order, of one layer; at most p = 2 unless weights and biases are Gaussian.
template <class R, class Count>
std::vector<R> raw_moments(Model<R, Count> const& model, FullyConnected<R, Count> const& net, Reading reading,
                           unsigned order) {
    if (has_biases(model.graph())) {
        if (!model.orthogonal.empty())
            throw UnsupportedError(
                "`bias_variance`: norms with biases are served for independent weights; isserlis expect "
                "'(z[i]^2)^2' serves biases beside orthogonal matrices",
                "bias_variance");
        if (is_gaussian(model)) return biased_norm_moments(net, model.squared_norm, reading, order);
        require_fourth(model, net);
        auto moments = biased_moments_of_any_law(model, net, reading);
        moments.resize(std::min<std::size_t>(moments.size(), order + 1));
        return moments;
    }
    if (model.is_gaussian()) {
        auto moments = relative_moments(model, net, reading, order);
        R scale(1);
        for (unsigned p = 1; p <= order; ++p) {
            scale = scale * model.squared_norm;
            moments[p] = moments[p] * scale;
        }
        return moments;
    }
    auto const larger = larger_widths(model, net);
    if (!model.orthogonal.empty()) check_larger_widths(net, larger, "norm");
    std::vector<R> moments{R(1)};
    R const mean = relative_norm_moments(net, reading, 1)[1] * model.squared_norm;  // any law: only variances enter
    moments.push_back(mean);
    if (order < 2) return moments;
    require_fourth(model, net);
    R const scale = variance_product(net) * model.squared_norm;
    auto const flat =
        flatness_over(model.fourth.value_or(R(model.squared_norm * model.squared_norm)), model.squared_norm);
    moments.push_back(scale * scale * R(relative_fourth_moment(net, reading, flat)));
    // E z_i^2 z_j^2 of an orthogonal layer is that of a Gaussian one over E |g|^4/m^2 = (m + 2)/m.
    for (std::size_t i = 0; i < larger.size(); ++i)
        if (larger[i]) moments[2] = moments[2] * power(R(*larger[i] / (*larger[i] + R(2))), net.layers[i].count);
    return moments;
}

unsigned served_order(bool gaussian, NormRequest const& request) {
    if (gaussian) return request.order;
    if (request.order > default_order) {
        throw UnsupportedError("`order` " + std::to_string(request.order) +
                                   ": moments above 2 are served for Gaussian and orthogonal weights only, and with "
                                   "biases for Gaussian ones",
                               "order");
    }
    return std::min(request.order, 2U);
}

/// What has skewness and kurtosis, where this has none.
template <class R, class Count>
char const* only(Model<R, Count> const& model) {
    return has_biases(model.graph()) ? "served for Gaussian weights and biases only" : gaussian_only;
}

/// With biases the moments are sums of many powers of the depth.
bool is_long_formula(NumericModel const&) { return false; }
bool is_long_formula(SymbolicModel const& model) {
    auto const& runs = model.net().layers;
    return has_biases(model.graph()) &&
           std::any_of(runs.begin(), runs.end(), [](auto const& run) { return !run.count.is_constant(); });
}

/// The moments of the layer in units of its scale; up to p = 2 for weights that are not Gaussian.
template <class R, class Count>
std::vector<R> shape_moments(Model<R, Count> const& model, FullyConnected<R, Count> net, Reading reading,
                             std::vector<R> const& raw) {
    if (!is_gaussian(model)) return raw;
    if (has_biases(model.graph())) return is_long_formula(model) ? std::vector<R>(raw.begin(), raw.begin() + 3) : raw;
    for (auto& run : net.layers) run.variance = R(1);
    return relative_moments(model, net, reading, 4);
}

Value log_mean(NumericModel const& model, FullyConnected<Surd, std::uint64_t> const& net, Reading reading,
               std::shared_ptr<LogMeanMemo> const& memo, Answer& answer) {
    if (has_biases(model.graph())) return Value::absent("served without biases only");
    if (!model.is_gaussian()) return Value::absent(gaussian_only);
    if (answer.options().digits > max_certified_digits) {
        return Value::absent("served up to `digits` " + std::to_string(max_certified_digits));
    }
    Surd const slope = net.activation.gate().negative;
    bool const plain = slope * slope == Surd(1);
    for (auto const& run : net.layers) {
        if (!plain && run.fan_out.to_rational() > max_log_norm_width) {
            return Value::absent("served up to widths of " + std::to_string(max_log_norm_width));
        }
    }
    if (slope.is_zero()) answer.assume("log_squared_norm_mean: given that no ReLU layer on the way is dead");
    Surd const square = model.squared_norm;
    if (!model.orthogonal.empty()) {
        auto const larger = larger_widths(model, net);
        if (auto const known = rational_orthogonal_log_norm_mean(net, larger, reading, square)) return Surd(*known);
        return Value::certified(
            [net, larger, reading, square, memo](unsigned bits) {
                return log(enclose(square, bits + 64)) +
                       relative_orthogonal_log_norm_mean(net, larger, reading, bits, *memo);
            },
            "log|x|^2 + sum over layers of log v + E log(sum (g_i xi_i)^2), and log m - E log chi^2_m of orthogonal "
            "ones, "
            "m the larger width; digamma sums for ReLU");
    }
    return Value::certified(
        [net, reading, square, memo](unsigned bits) {
            return log(enclose(square, bits + 64)) + relative_log_norm_mean(net, reading, bits, *memo);
        },
        "log|x|^2 + sum over layers of log v + E log(sum (g_i xi_i)^2), a digamma sum over the active units for ReLU");
}

unsigned computed_order(bool gaussian, unsigned order) { return gaussian ? std::max(order, 4U) : 2U; }

/// E q^8/(E q^4)^2 of the Gaussian network of these widths; for heavier laws, of narrower ones.
double tail_weight(FullyConnected<Surd, std::uint64_t> const& net, Reading reading) {
    FullyConnected<double, std::uint64_t> surrogate;
    surrogate.activation = {.kind = net.activation.kind, .slope = to_double(net.activation.slope)};
    double heavier = 1;
    for (auto const& run : net.layers) heavier = std::max(heavier, to_double(run.law.kurtosis()) / 3);
    auto const narrower = [&](Surd const& width) {
        return std::max(1.0, std::floor(to_double(width) / (heavier * heavier)));
    };
    for (auto const& run : net.layers) {
        double const width = narrower(run.fan_out);
        surrogate.layers.push_back(
            {.fan_in = narrower(run.fan_in), .fan_out = width, .count = run.count, .variance = 1 / width});
    }
    auto const moments = relative_norm_moments(surrogate, reading, 8);
    double const weight = moments[8] / (moments[4] * moments[4]);
    return std::isfinite(weight) ? weight : std::numeric_limits<double>::max();
}

std::vector<NormChecks> sample(NumericModel const& model, NormRequest const& request, unsigned order,
                               std::shared_ptr<LogMeanMemo> const& memo, Session const& session, Answer& answer) {
    auto const sampled = sampling_model(model);
    require_feasible(weights_of(sampled), *session.samples, session.run_control());
    std::vector<ExactNorms> exact;
    bool const gaussian = is_gaussian(model);
    for (auto const& place : layer_places(model.net().layers, std::nullopt, answer)) {
        auto const net = up_to(model.net(), place);
        Reading const reading = reading_at(model.net(), place, request.preactivations);
        // Twice the highest order, for exact standard errors.
        auto const raw = raw_moments(model, net, reading, gaussian ? 2 * computed_order(true, order) : 2U);
        ExactNorms e;
        for (auto const& m : raw) e.raw.push_back(to_double(m));
        for (unsigned k = 0; k < raw.size() && k <= 8; ++k) e.central.push_back(to_double(central_moment(raw, k)));
        double const log_value = log_mean(model, net, reading, memo, answer).to_double();
        if (std::isfinite(log_value)) e.log_mean = log_value;
        if (!gaussian) e.tail_weight = tail_weight(net, reading);
        exact.push_back(std::move(e));
    }
    return check_squared_norms(sampled, exact, request.preactivations, order, *session.samples, session.seed,
                               session.run_control());
}

void add_norms(NumericModel const& model, NormRequest const& request, Places<std::uint64_t> const& places,
               Session const& session, Answer& answer) {
    if (!places.empty()) require_moderate_digits(chain_graph(up_to(model.net(), places.back())));
    bool const gaussian = is_gaussian(model);
    unsigned const order = served_order(gaussian, request);
    std::vector<NormChecks> checks;
    auto const memo = std::make_shared<LogMeanMemo>();
    if (session.samples) checks = sample(model, request, order, memo, session, answer);
    answer.expect((6 + order) * places.size());
    for (auto const& place : places) {
        auto const net = up_to(model.net(), place);
        Reading const reading = reading_at(model.net(), place, request.preactivations);
        auto const raw = raw_moments(model, net, reading, computed_order(gaussian, order));
        NormChecks const none;
        NormChecks const& check =
            checks.empty() ? none : checks.at(static_cast<std::size_t>(std::stoull(place.label)) - 1);
        add_norm_rows(raw, shape_moments(model, net, reading, raw), only(model), place.label, order, check,
                      "the tails are too heavy for these many samples to say anything", answer);
        answer.add("log_squared_norm_mean", {place.label}, log_mean(model, net, reading, memo, answer), check.log_mean,
                   "no exact value to check, or no network alive at this layer");
    }
}

void add_norms(SymbolicModel const& model, NormRequest const& request, Places<Exponent> const& places, Session const&,
               Answer& answer) {
    bool const gaussian = is_gaussian(model);
    unsigned const order = served_order(gaussian, request);
    unsigned const computed = is_long_formula(model) ? std::max(order, 2U) : computed_order(gaussian, order);
    answer.expect((5 + order) * places.size());
    auto const add = [&](LayerPlace<Exponent> const& place, Answer& to) {
        auto const net = up_to(model.net(), place);
        Reading const reading = reading_at(model.net(), place, request.preactivations);
        auto const raw = raw_moments(model, net, reading, computed);
        add_norm_rows(raw, shape_moments(model, net, reading, raw),
                      gaussian ? "with biases at a symbolic depth: give the depth a value by `set`" : only(model),
                      place.label, order, {}, not_sampled, to);
    };
    constexpr std::size_t many = 100;
    if (places.size() > many && !answer.options().unlimited) {
        // Formulas grow ever faster with the layer: all of them are as large as so many of the middle one, or larger.
        Answer middle(answer.command(), answer.options());
        add(places[places.size() / 2], middle);
        std::size_t size = 0;
        for (auto const& r : middle.results()) size += r.exact ? r.exact->size() * places.size() : 0;
        if (size > Answer::size_limit) {
            throw UnsupportedError(
                "the answer would have at least " + std::to_string(size / 1'000'000) +
                    " MB; choose one layer with `layer` K, or write it to a file with `output_file` FILE",
                "layer");
        }
    }
    for (auto const& place : places) {
        add(place, answer);
        answer.add("log_squared_norm_mean", {place.label},
                   Value::absent(has_biases(model.graph()) ? "served without biases only"
                                 : !is_gaussian(model)     ? gaussian_only
                                                           : "transcendental: give all symbols values by `set`"),
                   {}, not_sampled);
    }
}

void require_wired_order(NormRequest const& request, char const* of) {
    if (request.order > most_wired_order)
        throw UnsupportedError("`order` " + std::to_string(request.order) + ": moments up to " +
                                   std::to_string(most_wired_order) + " are served of " + of,
                               "order");
}

void add_samples(NormRequest const& request, ModelText const& text, Session const& session, Bindings const& bindings,
                 Answer& answer) {
    auto const& samples = request.samples;
    state_inputs(samples, "norms ask for inputs alone", answer);
    require_wired_order(request, "the mean over samples");
    auto const add = [&]<class R, class Count>(Model<R, Count> const& model) {
        if (samples.data) require_data_widths(model.graph(), *samples.data, false);
        if (samples.with) declare_grams(*samples.with, model, bindings, answer);
        add_wired_norm_samples(model, input_samples<R>(samples, model.graph().input_width, bindings), request.order,
                               request.preactivations, session, answer);
    };
    with_model_of_samples(samples.symbols(), text, session, bindings, answer, add, false);
}

constexpr ModelParameters norm_model{.wiring = true,
                                     .activation = true,
                                     .variance = true,
                                     .law = true,
                                     .matrix_laws = true,
                                     .bias = true,
                                     .input = true,
                                     .precision = true};

void evaluate_norm(NormRequest const& request, Session const& session, Bindings const& bindings, Answer& answer) {
    ModelParameters offered = norm_model;
    if (request.samples.are_given()) offered.input = false;
    for_each_network(request.networks, session, bindings, offered, answer, [&](ModelText const& text) {
        answer.assume(request.preactivations ? "norms of the pre-activations z"
                      : text.wiring == Wiring::file
                          ? "norms of h at hidden nodes, and of the head at an output that is one node"
                          : "norms of h at hidden layers and of the head at the output");
        if (request.samples.are_given()) {
            add_samples(request, text, session, bindings, answer);
            return;
        }
        if (text.wiring != Wiring::vanilla) {
            require_wired_order(request, "other wirings than vanilla");
            with_model(text, bindings, [&](auto const& model) {
                begin_wired(model, text, session, answer);
                add_wired_norms(model, request.order, request.preactivations, session, answer);
            });
            return;
        }
        with_model(text, bindings, [&](auto const& model) {
            add_norms(model, request, layer_places(model.net().layers, session.layer, answer), session, answer);
            if constexpr (std::is_same_v<std::decay_t<decltype(model)>, NumericModel>) {
                emit_norm_test(model, {.preactivations = request.preactivations, .order = request.order}, session,
                               answer);
            } else {
                refuse_symbols_in_test(session);
            }
        });
    });
}

}  // namespace

Command norm_command() {
    CommandOf<NormRequest> out;
    out.text = {
        .name = "norm",
        .summary = "Moments of the squared (pre-)activation norms, at one input or several samples",
        .positional = "`widths`",
        .positional_help = "d_0,..,d_n; numbers or symbols, 10:3 repeats",
        .most_positionals = 1000,
        .parameters = emit_parameters({{{"layer"}, "{}: `emit_test` tests every layer; leave it out"}}),
        .charted = "squared_norm_mean",
    };
    auto const order = [](std::string const& text, std::string const& parameter) {
        return static_cast<unsigned>(parse_count(text, parameter, 1, max_norm_order));
    };
    ParameterSet<ModelText> of_model = model_parameters(norm_model);
    auto const branches = branch_parameters();
    for (auto const& row : branches.rows()) of_model.add(row);
    out.parameters.add(&NormRequest::typed, of_model);
    out.parameters.add(&NormRequest::samples, samples_parameters(WithUse::inputs));
    out.parameters.add({"order", "P", "Moments E q^p up to p = P, at most " + std::to_string(max_norm_order),
                        &NormRequest::order, Reader<unsigned>{order}, More{.usual = std::to_string(default_order)}});
    out.parameters.add({"pre", "Read the pre-activations z at every layer", &NormRequest::preactivations});
    out.complete = [](NormRequest& request, Session const& session) {
        if (request.samples.are_given()) {
            complete_samples(request.samples, session);
            request.networks = read_networks_of_samples(request.typed, session, request.samples.symbols());
        } else {
            request.networks = read_networks(request.typed, session, true);
        }
    };
    out.evaluate = evaluate_norm;
    out.expands = true;
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
