// SPDX-License-Identifier: MIT
#include "quantity/mup/coordinate_layers.hpp"

#include <cmath>
#include <functional>
#include <isserlis/formula/rescaled_step.hpp>
#include <isserlis/model/sampling_model.hpp>
#include <isserlis/verify/feasible.hpp>
#include <isserlis/verify/norms.hpp>
#include <memory>

#include "quantity/chain_models.hpp"
#include "quantity/derived_check.hpp"
#include "quantity/known_queries.hpp"
#include "quantity/mup/mup_text.hpp"
#include "quantity/observable_check.hpp"

namespace isserlis::quantity {
namespace {

/// Enclosures of a mean of every layer, kept for each precision: every layer asks for them.
class LayerMeans {
public:
    using All = std::function<std::vector<Interval>(unsigned bits)>;
    explicit LayerMeans(All all) : all_(std::move(all)) {}

    Interval of_layer(std::size_t l, unsigned bits) {
        auto at = known_.find(bits);
        if (at == known_.end()) at = known_.emplace(bits, all_(bits)).first;
        return at->second[l - 1];
    }

private:
    All all_;
    std::map<unsigned, std::vector<Interval>> known_;
};

Statistics statistics(Surd const& square, std::shared_ptr<LayerMeans> const& means, std::size_t layer,
                      Surd const& square_of_factor = Surd(1)) {
    Value const rms = root(square, "a root of the second moment");
    if (!means || square.is_zero()) return {.mean = Surd(0), .std = rms, .rms = rms};
    // Of a network that is a rescaling of muP's.
    auto const mean_at = [=](unsigned bits) {
        return sqrt(enclose(square_of_factor, bits + guard_bits)) * means->of_layer(layer, bits + guard_bits);
    };
    return {.mean = Value::certified(mean_at, "E Delta z, by odd moments of lengths"),
            .std = Value::certified(
                [=](unsigned bits) {
                    Interval const mean = mean_at(bits + guard_bits);
                    return sqrt(enclose(square, bits + guard_bits) - mean * mean);
                },
                "sqrt(rms^2 - mean^2)"),
            .rms = rms};
}

/// Moments of these layers: many in one sweep, two by products of their own.
template <class R>
std::vector<CoordinateMoments<R>> moments_of(FullyConnected<R, std::uint64_t> const& net, R const& square,
                                             R const& target_second, std::vector<std::uint64_t> const& which) {
    std::vector<CoordinateMoments<R>> out;
    if (which.size() <= 2) {
        for (auto const l : which) out.push_back(coordinate_moments_of_layer(net, square, target_second, l));
        return out;
    }
    auto const all = coordinate_moments(net, square, target_second);
    for (auto const l : which) out.push_back(all[l - 1]);
    return out;
}

std::vector<CoordinateMoments<Surd>> moments_of(Numeric const& one_by_one, NumericModel const& model,
                                                std::vector<std::uint64_t> const& which) {
    Numeric const& net = which.size() <= 2 ? model.net() : one_by_one;
    return moments_of(net, model.squared_norm, model.target_second, which);
}

/// The muP network that the model's is a rescaling of.
NumericModel mup_model(NumericModel const& model, RescaledStep<Surd> const& rescaled) {
    NumericModel out = model;
    out.network = rescaled.net();
    out.target_second = rescaled.target_second();
    return out;
}

/// Root mean squares of drawn networks; none without `check`.
std::vector<monte_carlo::StepEstimates> sampled_steps(Numeric const& net, NumericModel const& model,
                                                      Session const& session) {
    if (!session.samples) return {};
    double weights = 0;
    for (auto const& run : net.layers) weights += to_double(Surd(run.fan_in * run.fan_out));
    require_feasible(weights, *session.samples, session.run_control());
    require_memory(weights, session.run_control());
    return monte_carlo::sample_steps(sampling_model(model), sampling_factors(model),
                                     to_double(model.target_second) / to_double(net.output_width()), *session.samples,
                                     session.seed, session.run_control());
}

/// The square's standard error over twice the root is that of the root.
Check rms_check(Statistics const& exact, monte_carlo::Estimate const& square) {
    double const root = std::sqrt(square.mean);
    return compare_sampled(exact.rms.to_double(), root, root == 0 ? 0 : square.std_error / (2 * root), square.samples);
}

/// Of the covariances, and of the mean changes that are not 0, all on the same networks.
void add_mean_checks(std::vector<CoordinateLayer>& listed, std::uint64_t layers, NumericModel const& model,
                     Session const& session, Answer& answer) {
    if (!session.samples) return;
    std::vector<AskedMean> asked;
    std::vector<std::optional<Check>*> places;
    for (auto& here : listed) {
        bool const is_output = here.layer == layers;
        std::string const z = is_output ? "z" : "z{" + std::to_string(here.layer) + "}";
        asked.push_back({"-" + z + "[1] " + z + "[1;m] z[j;m] z[j]", to_double(here.covariance)});
        places.push_back(&here.covariance_check);
        if (is_output || !here.changes) continue;
        asked.push_back({"-" + z + "[1;m] z[j;m] z[j]", here.of["change"].mean.to_double()});
        places.push_back(&here.mean_check);
    }
    auto const checks = observable_checks(asked, model, session, answer);
    for (std::size_t k = 0; k < places.size(); ++k) *places[k] = checks[k];
}

}  // namespace

std::vector<CoordinateLayer> layers_of(NumericModel const& model, std::optional<Integer> const& width,
                                       Session const& session, Answer& answer) {
    require_rates(model);
    std::uint64_t const layers = checked_depth(model.net(), "coord-check");
    require_sampled_depth(session, layers);
    auto const net = layer_by_layer(model.net(), layers);
    auto const listed = listed_layers(session, layers, 2, "layers only the last hidden one and the output are", answer);
    RescaledStep<Surd> const rescaled(model.net(), model.target_second);
    auto const mup = mup_model(model, rescaled);
    auto const mup_net = *layer_by_layer(mup.net(), layers);
    auto const mup_moments = moments_of(mup_net, mup, listed);
    auto const means = std::make_shared<LayerMeans>([mup_net, square = model.squared_norm](unsigned bits) {
        return coordinate_change_means(mup_net, square, bits);
    });
    auto const absolutes = std::make_shared<LayerMeans>([own = *net, square = model.squared_norm](unsigned bits) {
        return absolute_preactivation_means(own, square, bits);
    });
    auto const steps = sampled_steps(*net, model, session);
    std::vector<CoordinateLayer> out;
    for (std::size_t i = 0; i < listed.size(); ++i) {
        std::uint64_t const l = listed[i];
        auto const x = rescaled.moments(l, mup_moments[i]);
        Surd const of_means = rescaled.growth(l) * rescaled.whole() * rescaled.whole();
        bool const is_output = l == layers;
        auto const of_change = is_output ? nullptr : means;
        CoordinateLayer here;
        here.layer = l;
        here.width = width.value_or(numerator_of(net->layers[l - 1].fan_out.to_rational()));
        here.of["preactivation"] = statistics(x.square, nullptr, l);
        here.of["change"] = statistics(x.change_square, x.change_square.is_zero() ? nullptr : of_change, l, of_means);
        here.of["updated"] =
            statistics(x.updated_square(), x.change_square.is_zero() ? nullptr : of_change, l, of_means);
        here.absolute =
            Value::certified([absolutes, l](unsigned bits) { return absolutes->of_layer(l, bits + guard_bits); },
                             "sqrt(2 v/pi) E |h|, by mean lengths");
        // Given the layer below, z_i are independent normals: E |z_i z_j| is 2/pi of E z_i^2.
        if (!x.square.is_zero())
            here.spread = Value::certified(
                [absolutes, l, square = x.square, n = net->layers[l - 1].fan_out](unsigned bits) {
                    unsigned const work = bits + 2 * guard_bits;
                    Interval const mean = absolutes->of_layer(l, work);
                    Interval const alone = enclose(square / n, work);
                    Interval const others = enclose(square, work) - alone;
                    return sqrt(alone + others * Interval(2L, work) / pi(work) - mean * mean);
                },
                "sqrt(E z^2 (1/n + (1 - 1/n) 2/pi) - (E |z|)^2)");
        here.covariance = x.covariance;
        here.changes = !x.change_square.is_zero();
        if (session.samples) {
            auto const change = rms_check(here.of["change"], steps[l - 1].change_square);
            here.rms_checks = {
                {"preactivation", rms_check(here.of["preactivation"], steps[l - 1].square)},
                {"change", change},
                {"updated", *derived_check(rms_check(here.of["updated"], steps[l - 1].updated_square), change)}};
            auto const& absolute = steps[l - 1].absolute;
            here.absolute_check =
                compare_sampled(here.absolute.to_double(), absolute.mean, absolute.std_error, absolute.samples);
            here.sampled_absolutes = {{"change", steps[l - 1].change_absolute},
                                      {"updated", steps[l - 1].updated_absolute}};
        }
        out.push_back(std::move(here));
    }
    add_mean_checks(out, layers, model, session, answer);
    return out;
}

}  // namespace isserlis::quantity
