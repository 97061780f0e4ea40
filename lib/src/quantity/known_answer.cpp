// SPDX-License-Identifier: MIT
#include "quantity/known_answer.hpp"

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/step_sampler.hpp>
#include <isserlis/ring/parse.hpp>
#include <limits>

#include <isserlis/model/sampling_model.hpp>
#include "quantity/chain_models.hpp"
#include "quantity/observable_check.hpp"
#include "question/readers.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

constexpr double most_weights_of_a_hessian = 2000;
constexpr double most_weights = 1e6;
constexpr double weights_of_a_pilot = 3e8;  ///< drawn where a standard deviation is out of reach of exact moments
constexpr double least_pilot_networks = 500;
constexpr double most_pilot_networks = 20'000;
constexpr double most_samples = 1e7;         ///< that `emit_tolerance` chooses
constexpr double most_drawn_weights = 1e11;  ///< of all of them together
constexpr double weights_of_a_batch = 1e5;
constexpr double rounding = 1e-9;

/// Standard deviations of the changes of all layers, over as many networks as take seconds.
std::vector<double> change_deviations(NumericModel const& model, KnownAnswer const& known, double weights,
                                      Session const& session) {
    auto const networks =
        static_cast<std::uint64_t>(std::clamp(weights_of_a_pilot / weights, least_pilot_networks, most_pilot_networks));
    double const outputs = static_cast<double>(known.widths.back());
    std::vector<double> out;
    for (auto const& layer :
         monte_carlo::sample_steps(sampling_model(model), known.factors, known.target_second / outputs, networks,
                                   session.seed, session.run_control()))
        out.push_back(layer.change_square.std_error * std::sqrt(static_cast<double>(networks)));
    return out;
}

/// sqrt(E X^2 - (E X)^2); not finite where the square has too many strands.
double exact_deviation(KnownQuery const& asked, NumericModel const& model, Answer& answer) {
    auto const second = exact_second_moment(asked.query, model, answer);
    if (!second) return std::nan("");
    return deviation_of(*second, asked.exact);
}

/// The standard deviation of one sample of each statistic.
std::vector<KnownStatistic> all_statistics(KnownAnswer const& known, NumericModel const& model,
                                           std::vector<KnownQuery> const& queries, double weights,
                                           Session const& session, Answer& answer) {
    std::vector<double> changes;
    std::vector<KnownStatistic> out;
    for (auto const& asked : queries) {
        KnownStatistic s;
        s.name = asked.name;
        s.exact = to_double(asked.exact);
        s.position = out.size();
        if (asked.change_of && changes.empty()) changes = change_deviations(model, known, weights, session);
        s.sampled = asked.change_of.has_value();
        s.deviation = s.sampled         ? changes[*asked.change_of - 1]
                      : asked.deviation ? *asked.deviation
                                        : exact_deviation(asked, model, answer);
        out.push_back(std::move(s));
    }
    return out;
}

/// Networks whose mean has this relative tolerance.
double needed_networks(KnownStatistic const& s, double tolerance) {
    return std::pow(tolerated_errors * s.deviation / (tolerance * s.exact), 2);
}

std::string network_count(double needed) {
    double const whole = std::ceil(needed * (1 - rounding));
    return (whole < 1e6 ? "" : "about ") + two_digits(whole) + " networks";
}

/// Statistics that so many networks confirm within the tolerance; the others are named with the number that they need.
void add_statistics(KnownAnswer& known, std::vector<KnownStatistic> const& all, double tolerance) {
    for (auto const& s : all) {
        double const needed = needed_networks(s, tolerance);
        if (std::isfinite(s.exact) && (s.exact == 0 || needed * (1 - rounding) <= static_cast<double>(known.samples))) {
            known.statistics.push_back(s);
            continue;
        }
        std::string const why = !std::isfinite(s.deviation) ? "the deviation of one sample is out of reach"
                                : std::isfinite(needed)     ? "which needs " + network_count(needed)
                                                            : "which is beyond the range of a double";
        known.left_out.push_back(s.name + ", " + why);
    }
    if (!known.statistics.empty()) return;
    bool const unknown = std::none_of(all.begin(), all.end(), [](auto const& s) { return std::isfinite(s.deviation); });
    if (unknown)
        throw UnsupportedError("`emit_test`: nothing can be confirmed here: " + known.left_out.front() +
                                   ", and with it how many networks that takes",
                               "emit_test");
    throw UnsupportedError("`emit_test`: " + std::to_string(known.samples) +
                               " networks confirm nothing here: " + known.left_out.front() + "; see `emit_samples`",
                           "emit_samples");
}

/// The networks that bring all statistics within the tolerance, but for those that would need too many.
std::uint64_t networks_for(std::vector<KnownStatistic> const& all, double tolerance, double work) {
    if (std::all_of(all.begin(), all.end(), [](KnownStatistic const& s) { return s.exact == 0; })) {
        throw UnsupportedError(
            "`emit_tolerance`: the exact value is 0, of which no share is a tolerance; give `emit_samples`",
            "emit_tolerance");
    }
    double const most = std::min(most_samples, most_drawn_weights / work);
    double out = 2;
    double least = std::numeric_limits<double>::infinity();
    for (auto const& s : all) {
        if (s.exact == 0) continue;
        double const needed = std::ceil(needed_networks(s, tolerance) * (1 - rounding));
        least = std::min(least, std::isfinite(needed) ? needed : least);
        if (needed <= most) out = std::max(out, needed);
    }
    if (least > most && std::isfinite(least)) {
        throw UnsupportedError("`emit_tolerance`: " + network_count(least) + " are needed; up to " + two_digits(most) +
                                   " of this size are drawn, within " +
                                   two_digits(100 * tolerance * std::sqrt(least / most)) + "%",
                               "emit_tolerance");
    }
    return static_cast<std::uint64_t>(out);
}

}  // namespace

void refuse_symbols_in_test(Session const& session) {
    if (session.test)
        throw UnsupportedError("`emit_test`: a test has numbers; give the symbols theirs by `set`", "emit_test");
}

void emit_test(KnownAnswer::Kind kind, NumericModel const& model, std::vector<KnownQuery> const& queries,
               Session const& session, Answer& answer, NormReading const& reading) {
    if (!session.test) return;
    std::string const& language = session.test.language;
    if (answer.document())
        throw UnsupportedError("`emit_test`: a test has one network; give one `widths`", "emit_test");
    if (!model.is_gaussian() || !model.orthogonal.empty())
        throw UnsupportedError("`emit_test`: tests draw Gaussian weights; leave `law` and `kurtosis` out", "emit_test");
    if (has_biases(model.graph())) throw UnsupportedError(tests_know_no_biases, "bias_variance");
    if (model.net().activation.is_concatenated())
        throw UnsupportedError("`emit_test`: tests of concatenated ReLU are not written; relu, leaky and linear are",
                               "activation");
    auto const net = layer_by_layer(model.net(), most_layers_of_a_test);
    KnownAnswer known;
    known.kind = kind;
    double weights = 0;
    if (net) {
        known.widths.push_back(static_cast<std::uint64_t>(numerator_of(net->input_width().to_rational())));
        for (auto const& run : net->layers) {
            known.widths.push_back(static_cast<std::uint64_t>(numerator_of(run.fan_out.to_rational())));
            weights += to_double(Surd(run.fan_in * run.fan_out));
        }
    }
    double const most = kind == KnownAnswer::Kind::hessian ? most_weights_of_a_hessian : most_weights;
    if (!net || weights > most) {
        throw UnsupportedError("`emit_test`: the network has too many layers or weights; up to " +
                                   std::to_string(most_layers_of_a_test) + " layers and " +
                                   std::to_string(static_cast<std::uint64_t>(most)) + " weights are served",
                               "emit_test");
    }
    auto const drawn = sampling_model(model);
    known.variances = drawn.variances;
    known.scales = drawn.scales.empty() ? std::vector<double>(drawn.depth(), 1) : drawn.scales;
    known.factors = sampling_factors(model);
    known.slope = to_double(model.net().activation.gate().negative);
    known.input = sampling_input(model, static_cast<std::size_t>(known.widths.front()));
    known.target_second = to_double(model.target_second);
    known.activated.assign(known.widths.size() - 1, !reading.preactivations);
    known.activated.back() = !reading.preactivations && model.net().gated_head;
    known.order = reading.order;
    known.title = answer.title();
    known.program = queries.front().program;
    known.places = queries.front().places;
    known.labels = queries.front().labels;
    auto const all = all_statistics(known, model, queries, weights, session, answer);
    double tolerance = 1;
    known.samples = session.test.samples.value_or(known.samples);
    if (auto const& t = session.test.tolerance) {
        tolerance = share_of(*t, "emit_tolerance");
        known.samples = networks_for(all, tolerance, kind == KnownAnswer::Kind::hessian ? weights * weights : weights);
    }
    known.batch =
        static_cast<std::uint64_t>(std::clamp(weights_of_a_batch / weights, 1.0, static_cast<double>(known.samples)));
    add_statistics(known, all, tolerance);
    answer.set_document(language == "pytorch" ? pytorch_test(known)
                        : language == "jax"   ? jax_test(known)
                                              : cpp_test(known));
}

double deviation_of(Surd const& second, Surd const& mean) {
    double const variance = to_double(Surd(second - mean * mean));
    return variance < 0 ? 0 : std::sqrt(variance);
}

}  // namespace isserlis::quantity
