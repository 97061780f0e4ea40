// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <isserlis/model/sampling_model.hpp>
#include <isserlis/monte_carlo/pair_kernel_sampler.hpp>
#include <isserlis/report/tidy.hpp>
#include <isserlis/verify/cancellation.hpp>

#include "quantity/given_samples.hpp"
#include "quantity/mup/sampled_steps.hpp"
#include "quantity/unchecked.hpp"
#include "quantity/wired/linear_between_matrices.hpp"
#include "quantity/wired/meetings.hpp"
#include "quantity/wired/wired.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* gates_of_a_kernel =
    "`activation`: the kernel of pairs of samples is served for linear units; through gates isserlis kernel has two "
    "inputs of "
    "one hidden layer and of infinitely wide networks, and `input` or `input_squared_norm` has one input here";

/// A moment of the kernel K = K(x, x') of two inputs, `factor` times the mean of a query.
template <class R>
struct PairMoment {
    char const* name;
    char const* query;
    unsigned strands;  ///< of each input
    R factor;
    std::vector<MeetingTerm<R>> terms{};
};

template <class R, class Count>
std::vector<PairMoment<R>> pair_moments(Model<R, Count> const& model, bool gaussian) {
    R const outputs = model.graph().output_width();
    std::vector<PairMoment<R>> out{{"ntk_mean", "z[i;m]@a z[i;m]@b", 1, R(1) / outputs},
                                   {"ntk_second_moment", "z[i;m]@a z[i;m]@b z[i;n]@a z[i;n]@b", 2, R(1) / outputs},
                                   {"ntk_trace_mean", "z[i;m]@a z[i;m]@b", 1, R(1)},
                                   {"ntk_trace_second_moment", "z[i;m]@a z[i;m]@b z[j;n]@a z[j;n]@b", 2, R(1)},
                                   {"ntk_squared_trace_mean", "z[i;m]@a z[j;m]@b z[i;n]@a z[j;n]@b", 2, R(1)}};
    std::size_t const different = outputs == R(1) ? 2 : out.size();
    for (std::size_t k = 0; k < out.size(); ++k) {
        bool const known = k == 2 || k >= different;
        out[k].terms = known
                           ? out[k == 2 ? 0 : 1].terms
                           : meeting_terms(out[k].query, model, {"a", "b"}, {out[k].strands, out[k].strands}, gaussian);
    }
    return out;
}

/// What strands of two samples leave.
template <class R>
R left_by(Meetings const& meetings, InputSamples<R> const& samples, std::size_t k, std::size_t l) {
    std::array<std::size_t, 2> const at{k, l};
    R out(1);
    for (auto const& block : meetings)
        out = out * (block.size() == 2 ? samples.inputs[at[block[0]]][at[block[1]]] : samples.fourth[k][l]);
    return out;
}

template <class R, class Count>
std::vector<PairMoment<R>> checked_moments(Model<R, Count> const& model, InputSamples<R> const& samples) {
    require_linear_between_matrices(model.graph(), gates_of_a_kernel);
    bool const gaussian = has_gaussian_weights(model.graph());
    require_coordinates(gaussian, samples);
    return pair_moments(model, gaussian);
}

template <class R>
using PairValues = std::vector<std::vector<R>>;  ///< by pair, k <= l in order, and moment

template <class R>
PairValues<R> pair_values(std::vector<PairMoment<R>> const& moments, InputSamples<R> const& samples) {
    PairValues<R> out;
    for (std::size_t k = 0; k < samples.names.size(); ++k) {
        for (std::size_t l = k; l < samples.names.size(); ++l) {
            out.emplace_back();
            for (auto const& moment : moments) {
                R mean(0);
                for (auto const& [meetings, coefficient] : moment.terms)
                    mean = mean + coefficient * left_by(meetings, samples, k, l);
                out.back().push_back(moment.factor * mean);
            }
        }
    }
    return out;
}

using PairChecks = std::vector<std::vector<std::optional<Check>>>;

PairChecks sampled(NumericModel const& model, InputSamples<Surd> const& samples, PairValues<Surd> const& values,
                   Session const& session) {
    double const passes = static_cast<double>(samples.names.size()) * to_double(model.graph().output_width());
    require_sampled_steps(model, passes + 1, session);
    auto const estimates = monte_carlo::sample_pair_kernels(sampling_graph(model), samples.vectors, *session.samples,
                                                            session.seed, session.run_control());
    auto const of_pair = [](auto const& x) {
        return std::array{x.mean, x.second_moment, x.trace, x.trace_square, x.squared_trace};
    };
    auto sizes = estimates;
    bool has_sizes = false;
    PairChecks out(values.size());
    for (std::size_t pair = 0; pair < values.size(); ++pair) {
        auto const seen = of_pair(estimates[pair]);
        for (std::size_t m = 0; m < seen.size(); ++m) {
            double const exact = to_double(values[pair][m]);
            auto check = compare_sampled(exact, seen[m].mean, seen[m].std_error, seen[m].samples);
            if (is_off(check)) {
                // Products of inputs may be 0, or nearly, but for rounding.
                if (!has_sizes)
                    sizes = monte_carlo::sample_pair_kernels(uncancelled(sampling_graph(model)),
                                                             uncancelled(samples.vectors),
                                                             std::min(*session.samples, samples_of_size), session.seed,
                                                             control_of_size(session.run_control()));
                has_sizes = true;
                check = up_to_rounding(check, exact, size_of(of_pair(sizes[pair])[m]));
            }
            out[pair].emplace_back(check);
        }
    }
    return out;
}

template <class R>
void add_pairs(std::vector<PairMoment<R>> const& moments, InputSamples<R> const& samples, PairValues<R> const& values,
               PairChecks const& checks, std::string const& why, Answer& answer) {
    answer.assume(
        "K_oo'(x, x') = sum_mu h_mu d_mu z_o(x) d_mu z_o'(x') of every two samples x, x', whose names are the index, "
        "and of "
        "one with itself");
    answer.assume(
        "ntk_mean and ntk_second_moment are means over the outputs o of E K_oo and E K_oo^2; ntk_variance is the "
        "variance of K_oo of an output o drawn at random; ntk_squared_trace_mean is E tr K K^T");
    answer.expect((moments.size() + 1) * values.size());
    std::size_t pair = 0;
    for (std::size_t k = 0; k < samples.names.size(); ++k) {
        for (std::size_t l = k; l < samples.names.size(); ++l, ++pair) {
            std::vector<std::string> const index{samples.names[k], samples.names[l]};
            auto const& of_pair = values[pair];
            for (std::size_t m = 0; m < moments.size(); ++m) {
                answer.add(moments[m].name, index, tidy(of_pair[m]), checks.empty() ? std::nullopt : checks[pair][m],
                           why);
                if (m == 1)
                    answer.add("ntk_variance", index, tidy(R(of_pair[1] - of_pair[0] * of_pair[0])), {},
                               why.empty() ? "computed from the mean and the second moment" : why);
            }
        }
    }
}

}  // namespace

void add_wired_ntk_pairs(NumericModel const& model, InputSamples<Surd> const& samples, Session const& session,
                         Answer& answer) {
    auto const moments = checked_moments(model, samples);
    auto const values = pair_values(moments, samples);
    add_pairs(moments, samples, values, session.samples ? sampled(model, samples, values, session) : PairChecks{}, "",
              answer);
}

void add_wired_ntk_pairs(SymbolicModel const& model, InputSamples<RationalFunction> const& samples, Session const&,
                         Answer& answer) {
    auto const moments = checked_moments(model, samples);
    declare_orthogonal(model, 2, answer);
    add_pairs(moments, samples, pair_values(moments, samples), {}, not_numeric, answer);
}

}  // namespace isserlis::quantity
