// SPDX-License-Identifier: MIT
#include "quantity/hessian/hessian_samples.hpp"

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/loss_curve/curve_number.hpp>
#include <isserlis/model/sampling_model.hpp>
#include <isserlis/monte_carlo/data_hessian_sampler.hpp>
#include <isserlis/ring/members.hpp>
#include <isserlis/verify/cancellation.hpp>
#include <isserlis/verify/feasible.hpp>

#include "quantity/chain_models.hpp"
#include "quantity/hessian/norm_values.hpp"
#include "quantity/hessian/sharpness.hpp"
#include "quantity/mup/sampled_steps.hpp"
#include "quantity/mup/step_samples.hpp"
#include "quantity/unchecked.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

constexpr std::size_t most_matrices_with_blocks = 12;
std::string gates_of_a_hessian(char const* parameter) {
    return named(parameter) +
           ": the Hessian of a loss over several samples is served for linear units on any wiring, and through gates "
           "for " +
           where_gates_meet_samples + "; one sample has it, by `input` or `input_squared_norm`";
}

using SampledHessian = std::optional<monte_carlo::DataHessianEstimates>;

SampledHessian sampled_hessian(NumericModel const& model, StepSamples<Surd> const& samples, Session const& session) {
    if (!session.samples) return std::nullopt;
    double const weights = network_weights(model);
    double const seen = static_cast<double>(samples.batch ? samples.batch->size : samples.names.size());
    double const outputs = to_double(model.graph().output_width());
    require_feasible(work_of_a_hessian(model, samples), *session.samples, session.run_control());
    constexpr double matrices = 4;
    require_memory(weights * (matrices * weights + seen * outputs), session.run_control());
    return monte_carlo::sample_data_hessian({.network = sampling_graph(model),
                                             .inputs = samples.vectors,
                                             .targets = samples.targets,
                                             .half = true,
                                             .batch = samples.batch},
                                            *session.samples, session.seed, session.run_control());
}
SampledHessian sampled_hessian(SymbolicModel const&, StepSamples<RationalFunction> const&, Session const&) {
    return std::nullopt;
}

constexpr char const* of_zero = "0, and sampled 0 but for rounding";

/// Is the sampled part of a norm what rounding leaves of 0?
bool is_rounding(monte_carlo::Estimate const& part, monte_carlo::Estimate const& whole) {
    constexpr double rounding = 1e-12;
    return std::fabs(part.mean) <= rounding * std::fabs(whole.mean);
}

std::optional<Check> beside(Value const& value, monte_carlo::Estimate const& e, SampledHessian const& sampled) {
    if (value.exact() == "0" && is_rounding(e, sampled->total)) return std::nullopt;
    return up_to_rounding(compare_sampled(value.to_double(), e.mean, e.std_error, e.samples), value.to_double(),
                          sampled->total.mean);
}

void add_parts(NormValues const& values, SampledHessian const& sampled, std::string const& why, Answer& answer) {
    using Seen = monte_carlo::DataHessianEstimates;
    auto const add = [&](char const* name, Value const& value, monte_carlo::TailedEstimate Seen::*member, bool always) {
        if (values.is_known) {
            answer.add(name, {}, value, sampled ? beside(value, *sampled.*member, sampled) : std::nullopt,
                       value.exact() == "0" && why.empty() ? of_zero : why);
        } else if (sampled) {
            answer.add(name, {}, sampled_value(*sampled.*member), {}, is_sampled_itself);
        } else if (always) {
            answer.add(name, {}, value, {}, why);
        }
    };
    add("hessian_mean_loss", values.total, &Seen::total, true);
    add("gauss_newton", values.gauss_newton, &Seen::gauss_newton, false);
    add("functional", values.functional, &Seen::functional, false);
    add("cross", values.cross, &Seen::cross, false);
    add("target", values.target, &Seen::target, false);
}

/// What follows: the mean of the single norms, and the bounds of eigenvalues by the norm, or else by that. H is other than 0
/// with probability `alive` at least, so that E 1/|lambda| over those networks is at least that over E|lambda|.
template <class N>
void add_bounds(NormValues const& values, std::optional<HessianNorm<N>> const& one, double alive,
                SampledHessian const& sampled, std::string const& why, Answer& answer) {
    auto const upper = one ? NormValues::exact(*one, "hessian_mean_loss_upper")
                           : NormValues::unknown(
                                 "the squares of these targets are no sums of square roots, which formulas "
                                 "ask for; give the symbols numbers by `set`");
    bool const all_dead = sampled && sampled->without == sampled->total.samples;
    std::string const why_not_above = all_dead ? "every sampled network is dead" : why;
    auto const above = [&](Value const& bound, monte_carlo::Estimate const& e) -> std::optional<Check> {
        double const x = bound.to_double();
        if (std::isnan(x) || (all_dead && x > 0)) return std::nullopt;
        return compare_with_upper_bound(x, e.mean, e.std_error, e.samples);
    };
    answer.add("hessian_mean_loss_upper", {}, upper.total, sampled ? above(upper.total, sampled->total) : std::nullopt,
               why_not_above);
    Value const& eigenvalue = values.is_known ? values.root : upper.root;
    Value const& sharpness = values.is_known ? values.over_root : upper.over_root;
    answer.add("top_eigenvalue_upper", {}, eigenvalue, sampled ? above(eigenvalue, sampled->modulus) : std::nullopt,
               why_not_above);
    std::optional<Check> lower;
    std::string why_not = why;
    double const bound = alive * sharpness.to_double();
    if (sampled && sampled->without > 0 && alive == 1) {
        why_not = "H = 0 in " + std::to_string(sampled->without) + " sampled networks, where 2/|lambda_1| is infinite";
    } else if (sampled && !std::isnan(bound) && sampled->reciprocal.samples > 1) {
        auto const& e = sampled->reciprocal;
        lower = compare_with_lower_bound(bound, e.mean, e.std_error, e.samples);
    }
    answer.add("reciprocal_sharpness_lower", {}, sharpness, lower, why_not);
    if (!sampled) return;
    answer.warn(
        "checks of bounds: sampled is the mean of |H|_F^2, of |lambda_1| and of 2/|lambda_1|, and a check fails when "
        "it is on "
        "the wrong side");
    if (sampled->without > 0 && lower)
        answer.warn("2/|lambda_1| is infinite for dead networks: its sampled mean is over the " +
                    std::to_string(sampled->reciprocal.samples) +
                    " networks with a Hessian that is not 0, beside the bound times "
                    "the probability that a network is alive at one sample");
}

/// Of each pair of weight matrices, by their names.
template <class R, class Count>
void add_blocks(Model<R, Count> const& model, LeftByPairs<R> const& left, R const& share, SampledHessian const& sampled,
                std::string const& why, Answer& answer) {
    auto const names = weight_names(model.graph(), most_matrices_with_blocks);
    if (!names) {
        answer.warn("blocks are left out at a depth in symbols and beyond " +
                    std::to_string(most_matrices_with_blocks) + " weight matrices");
        return;
    }
    std::size_t const size = names->size();
    answer.expect(size * size);
    std::vector<std::vector<SampleNumber<R>>> blocks(size);
    for (std::size_t k = 0; k < size; ++k) {
        for (std::size_t l = 0; l <= k; ++l) {
            std::string const where = " where m in " + (*names)[k] + ", n in " + (*names)[l];
            blocks[k].push_back(linear_norms(model, left, where).mixed(share).total());
        }
    }
    for (std::size_t k = 0; k < size; ++k) {
        for (std::size_t l = 0; l < size; ++l) {
            Value const value = tidy(blocks[std::max(k, l)][std::min(k, l)]);  // the Hessian is symmetric
            answer.add("block", {(*names)[k], (*names)[l]}, value,
                       sampled ? beside(value, sampled->blocks[k][l], sampled) : std::nullopt,
                       value.exact() == "0" && why.empty() ? of_zero : why);
        }
    }
}

template <class R>
std::string reason_of_no_check() {
    return std::is_same_v<R, Surd> ? "" : not_numeric;
}

template <class R>
R share_of(StepSamples<R> const& samples) {
    return samples.batch ? R(Surd(own_share(*samples.batch, samples.names.size()))) : R(0);
}

template <class R, class Count>
Rows<R> coordinates(SamplesText const& samples, Model<R, Count> const& model, Bindings const& bindings) {
    if (samples.with) return input_vectors<R>(*samples.with, model.graph().input_width, bindings);
    Rows<R> out;
    for (auto const& x : exact_inputs(*samples.data)) out.emplace_back(x.begin(), x.end());
    return out;
}

void declare_symbols_of(NumericModel const&, Answer&) {}
void declare_symbols_of(SymbolicModel const& model, Answer& answer) { declare_orthogonal(model, 2, answer); }

template <class R, class Count>
void add_linear(SamplesText const& text, StepSamples<R> samples, Model<R, Count> const& model, Session const& session,
                Bindings const& bindings, Answer& answer) {
    declare_symbols_of(model, answer);
    HessianSamples<R> given{.samples = std::move(samples), .fourth = {}};
    if (!has_gaussian_weights(model.graph())) {
        auto const vectors = coordinates(text, model, bindings);
        if (vectors.empty())
            throw UnsupportedError(
                "`law`: inputs by their inner products are served for Gaussian weights; others ask for coordinates, "
                "such as those of `data`",
                "law");
        given.fourth = fourth_products(vectors);
    }
    LeftByPairs const left(given);
    R const share = share_of(given.samples);
    auto const norms = linear_norms(model, left);
    auto const values = NormValues::exact(norms.mixed(share));
    auto const sampled = sampled_hessian(model, given.samples, session);
    std::string const why = reason_of_no_check<R>();
    add_parts(values, sampled, why, answer);
    add_bounds(values, norms.one, 1, sampled, why, answer);
    add_blocks(model, left, share, sampled, why, answer);
}

/// Of a network at one sample: each hidden layer has an open gate.
double probability_alive(NumericModel const& model) {
    if (!model.net().activation.gate().negative.is_zero()) return 1;
    double out = 1;
    label_pairs_detail::for_each_run(model.net(), [&](auto const& run, std::uint64_t gated, bool) {
        out *= std::pow(1 - std::exp2(-to_double(run.fan_out)), static_cast<double>(gated));
    });
    return out;
}
double probability_alive(SymbolicModel const&) { return 1; }

template <class R, class Count>
void add_gated(SamplesText const& text, StepSamples<R> const& samples, Model<R, Count> const& model,
               Session const& session, Bindings const& bindings, Answer& answer) {
    auto const values = gated_norm(model, samples, products_of_targets<R>(text, bindings), share_of(samples));
    auto const one = gated_norm_of_one(model, samples);
    auto const sampled = sampled_hessian(model, samples, session);
    std::string const why = reason_of_no_check<R>();
    add_parts(values, sampled, why, answer);
    add_bounds(values, one, probability_alive(model), sampled, why, answer);
    answer.warn(samples.inputs.size() == 1 ? "blocks of one sample are those of `input`"
                                           : "blocks of several samples are served for linear units");
}

void state_samples(SamplesText const& samples, BatchText const& batch, Answer& answer) {
    answer.assume(samples_text(samples) + (samples.with ? targets_by_gram : ""));
    if (samples.data && (!samples.data->gradients.empty() || !samples.data->hessians.empty()))
        answer.warn("columns g and h of the data are not used");
    answer.assume("loss: the mean of 1/2 |z - y|^2 over " +
                  (batch.is_given() ? drawn_samples(batch) : std::string("the samples")) +
                  "; inputs and targets are fixed numbers, means are over networks" +
                  (batch.is_given() ? " and batches" : ""));
    answer.assume(
        "hessian_mean_loss = gauss_newton + functional + cross + target is E|H|_F^2, H the Hessian of that loss by all "
        "weights; "
        "terms linear in y have mean 0, odd as they are in the last matrices");
    answer.assume(
        "hessian_mean_loss_upper is the mean over samples of E|H_k|_F^2, H_k the Hessian at sample k alone: that of "
        "batches of 1, "
        "and by convexity at least hessian_mean_loss");
}

}  // namespace

void add_hessian_of_samples(SamplesText const& samples, BatchText const& batch, ModelText const& text,
                            Session const& session, Bindings const& bindings, Answer& answer) {
    state_samples(samples, batch, answer);
    if (!gates_meet_samples(text)) {
        with_model_of_samples(samples.symbols(), text, session, bindings, answer, [&](auto const& model) {
            if (samples.with) declare_grams(*samples.with, model, bindings, answer);
            char const* const apart = parts_gates_from_samples(text);
            require_linear_between_matrices(model.graph(), gates_of_a_hessian(apart), apart);
            add_linear(samples, step_samples(samples, batch, model, bindings), model, session, bindings, answer);
        });
        return;
    }
    auto symbols = text.symbols();
    symbols.merge(samples.symbols());
    state_symbols(symbols, text, bindings, answer);
    state_label_factors(text, answer);
    with_model(symbols, text, bindings, [&](auto const& model) {
        require_label_factors(model, text);
        if (samples.with) declare_grams(*samples.with, model, bindings, answer);
        add_gated(samples, step_samples(samples, batch, model, bindings), model, session, bindings, answer);
    });
}

}  // namespace isserlis::quantity
