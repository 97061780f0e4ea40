// SPDX-License-Identifier: MIT
#include <isserlis/model/sampling_model.hpp>
#include <isserlis/monte_carlo/batch_norm_sampler.hpp>

#include <algorithm>
#include <isserlis/formula/quadratic_forms.hpp>
#include <optional>
#include <utility>

#include "quantity/mup/sampled_steps.hpp"
#include "quantity/norm_rows.hpp"
#include "quantity/observable_check.hpp"
#include "quantity/unchecked.hpp"
#include "quantity/wired/linear_between_matrices.hpp"
#include "quantity/wired/meetings.hpp"
#include "quantity/wired/wired.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* gates_of_a_mean =
    "served for linear units: two samples have correlated gates; sample_squared_norm_variance has each by itself";
constexpr unsigned least_order_of_samples = 2;

/// The mean over samples k, l, .. of what their strands leave, which splits into parts that share no sample.
template <class R>
class MeanOverSamples {
public:
    MeanOverSamples(InputSamples<R> const& samples, unsigned order) {
        R const n = from_count<R>(samples.names.size());
        Rows<R> gram = samples.inputs;
        for (auto& row : gram)
            for (auto& x : row) x = x / n;
        for (auto const& row : samples.fourth)
            for (auto const& x : row) fourth_ = fourth_ + x / (n * n);
        rings_.push_back(trace(gram));
        chains_.emplace_back(1);
        Rows<R> power = gram;
        for (unsigned length = 2; length <= order; ++length) {
            R ring(0), chain(0);
            for (std::size_t k = 0; k < gram.size(); ++k) {
                ring = ring + dot(power[k], gram[k]);
                for (R const& x : power[k]) chain = chain + x;
            }
            rings_.push_back(ring);
            chains_.push_back(chain / n);
            if (length < order) power = product_with(power, gram);
        }
    }

    /// Of `inputs` samples, each with two strands.
    [[nodiscard]] R operator()(Meetings const& meetings, unsigned inputs) const {
        std::vector<unsigned> part(inputs);  // the first sample of its part
        for (unsigned k = 0; k < inputs; ++k) part[k] = k;
        for (auto const& block : meetings) {
            if (block.size() == 4) return fourth_;  // of two samples, all strands of which meet
            unsigned const from = std::max(part[block[0]], part[block[1]]);
            unsigned const to = std::min(part[block[0]], part[block[1]]);
            std::replace(part.begin(), part.end(), from, to);
        }
        R out(1);
        for (unsigned first = 0; first < inputs; ++first) {
            auto const length = static_cast<std::size_t>(std::count(part.begin(), part.end(), first));
            if (length == 0) continue;
            auto const pairs = static_cast<std::size_t>(std::count_if(
                meetings.begin(), meetings.end(), [&](auto const& block) { return part[block[0]] == first; }));
            out = out * (pairs == length ? rings_ : chains_)[length - 1];
        }
        return out;
    }

private:
    [[nodiscard]] static Rows<R> product_with(Rows<R> const& x, Rows<R> const& gram) {
        Rows<R> out(x.size());
        for (std::size_t k = 0; k < x.size(); ++k)
            for (auto const& row : gram) out[k].push_back(dot(x[k], row));
        return out;
    }

    R fourth_{0};            ///< mean of sum_j x_kj^2 x_lj^2
    std::vector<R> rings_;   ///< of c = 1, 2, .. samples, mean x_k.x_l x_l.x_m .. x_q.x_k
    std::vector<R> chains_;  ///< the same without the last factor, which closes the ring
};

/// E q and Var q at one sample.
template <class R>
struct OneSample {
    R mean, variance;
};

/// What is known of one node.
template <class R>
struct NodeNorms {
    WiredNode<R> node;
    std::vector<OneSample<R>> samples;
    std::vector<R> raw;  ///< E Q^p, p = 0, 1, ..; up to 1 where more is not served
};

template <class R>
std::string word_of(WiredNode<R> const& node, bool preactivations) {
    return (node.gated && !preactivations ? "h" : "z") + node.place();
}

template <class R, class Count>
Model<R, Count> at_sample(Model<R, Count> model, InputSamples<R> const& samples, std::size_t k) {
    model.input.clear();
    model.squared_norm = samples.inputs[k][k];
    if (!samples.fourth.empty()) model.fourth = samples.fourth[k][k];
    return model;
}

template <class R, class Count>
std::vector<OneSample<R>> at_each_sample(std::string const& word, Model<R, Count> const& model,
                                         InputSamples<R> const& samples) {
    std::vector<OneSample<R>> out;
    for (std::size_t k = 0; k < samples.names.size(); ++k) {
        auto const at = at_sample(model, samples, k);
        R const mean = exact_mean(word + "[i]^2", at);
        R const square = exact_mean("(" + word + "[i]^2)^2", at);
        out.push_back({mean, square - mean * mean});
    }
    return out;
}

/// E Q^p, Q the mean over the samples.
template <class R, class Count>
R mean_power(std::string const& word, unsigned p, Model<R, Count> const& model, InputSamples<R> const& samples,
             MeanOverSamples<R> const& over, bool gaussian) {
    if (samples.names.size() == 1)  // with gates too
        return exact_mean("(" + word + "[i]^2)^" + std::to_string(p), at_sample(model, samples, 0));
    std::vector<std::string> names;
    std::string query;
    for (unsigned k = 0; k < p; ++k) {
        std::string const number = std::to_string(k);
        names.push_back("s" + number);
        query += (k == 0 ? "" : " ") + word + "[i" + number + "]@s" + number + "^2";
    }
    InputMeans<R> means;
    for (auto const& meetings : meetings_of(std::vector<unsigned>(p, 2), has_biases(model.graph()), gaussian))
        means[meetings] = over(meetings, p);
    return mean_over_inputs(query, model, names, means);
}

/// Why moments of the mean over samples are not served beyond the first; none where they are.
template <class R, class Count>
std::optional<std::string> why_no_moments(Graph<R, Count> const& graph, InputSamples<R> const& samples) {
    if (samples.names.size() == 1) return std::nullopt;
    try {
        require_linear(graph, gates_of_a_mean);
        return std::nullopt;
    } catch (UnsupportedError const& e) {
        return reason(e);
    }
}

template <class R, class Count>
std::vector<NodeNorms<R>> norms_of_nodes(Model<R, Count> const& model, InputSamples<R> const& samples, unsigned order,
                                         bool preactivations, bool all_moments, Session const& session,
                                         Answer& answer) {
    bool const gaussian = has_gaussian_weights(model.graph());
    require_coordinates(gaussian, samples);
    if (!gaussian && order > least_order_of_samples)
        throw UnsupportedError("`order` " + std::to_string(order) +
                                   ": moments of the mean over samples above 2 are served for Gaussian weights",
                               "order");
    unsigned const highest = std::max(order, least_order_of_samples);
    MeanOverSamples<R> const over(samples, highest);
    std::vector<NodeNorms<R>> out;
    for (auto const& node : listed_nodes(model.graph(), session, answer)) {
        std::string const word = word_of(node, preactivations);
        NodeNorms<R> of{.node = node, .samples = at_each_sample(word, model, samples), .raw = {R(1)}};
        R sum(0);
        for (auto const& x : of.samples) sum = sum + x.mean;
        of.raw.push_back(sum / from_count<R>(of.samples.size()));
        for (unsigned p = 2; all_moments && p <= highest; ++p)
            of.raw.push_back(mean_power(word, p, model, samples, over, gaussian));
        out.push_back(std::move(of));
    }
    return out;
}

struct NodeChecks {
    NormChecks mean;                  ///< of Q
    std::vector<NormChecks> samples;  ///< of each sample, up to the second moment
};

/// `raw` from p = 0.
NormChecks compared(std::vector<Surd> const& raw, std::vector<monte_carlo::Estimate> const& seen,
                    monte_carlo::Estimate const& variance) {
    ExactNorms exact;
    for (auto const& m : raw) exact.raw.push_back(to_double(m));
    unsigned const order = static_cast<unsigned>(seen.size());
    bool const constant = raw.size() > 2 && raw[2] == raw[1] * raw[1];
    while (constant && exact.raw.size() <= 2 * std::size_t{order}) exact.raw.push_back(exact.raw.back() * exact.raw[1]);
    for (unsigned k = 0; k < raw.size() && k <= 2; ++k) exact.central.push_back(to_double(central_moment(raw, k)));
    monte_carlo::LayerNorms norms;
    norms.raw = seen;
    norms.central = {variance};
    return compare_squared_norms({exact}, {norms}, order).front();
}

std::vector<NodeChecks> sampled(NumericModel const& model, InputSamples<Surd> const& samples,
                                std::vector<NodeNorms<Surd>> const& all, bool preactivations, Session const& session) {
    require_sampled_steps(model, static_cast<double>(samples.names.size()) + 1, session);
    auto const flat = flattened(model.graph());
    auto const& nodes = flat.stages.front().nodes;
    std::vector<monte_carlo::BatchNormCenters> centers;
    unsigned order = 1;
    for (auto const& of : all) {
        auto const at =
            std::find_if(nodes.begin(), nodes.end(), [&](auto const& node) { return node.name == of.node.name; });
        centers.push_back(
            {.node = static_cast<std::size_t>(at - nodes.begin()) + 1, .mean = to_double(of.raw[1]), .inputs = {}});
        for (auto const& x : of.samples) centers.back().inputs.push_back(to_double(x.mean));
        order = static_cast<unsigned>(of.raw.size()) - 1;
    }
    auto const seen =
        monte_carlo::sample_batch_norms(sampling_graph(model), samples.vectors, centers, order, preactivations,
                                        *session.samples, session.seed, session.run_control());
    std::vector<NodeChecks> out(all.size());
    for (std::size_t v = 0; v < all.size(); ++v) {
        out[v].mean = compared(all[v].raw, seen[v].raw, seen[v].variance);
        for (std::size_t k = 0; k < all[v].samples.size(); ++k) {
            auto const& x = all[v].samples[k];
            out[v].samples.push_back(compared({Surd(1), x.mean, x.variance + x.mean * x.mean}, {seen[v].inputs[k]},
                                              seen[v].variance_of_input[k]));
        }
    }
    return out;
}

template <class R>
void add_rows(std::vector<NodeNorms<R>> const& all, std::vector<NodeChecks> const& checks,
              std::vector<std::string> const& names, unsigned order, std::optional<std::string> const& why_none,
              Session const& session, Answer& answer) {
    if (why_none && session.question.parameters.count("order") != 0)
        answer.warn("`order` has no effect: moments of the mean are " + *why_none);
    std::string const why = std::is_same_v<R, Surd> ? "computed from its moments" : not_numeric;
    answer.assume(
        "norms are those of Q, the mean of the squared norms over the samples in the same network; "
        "sample_squared_norm_mean and sample_squared_norm_variance [k,l] are of sample k alone");
    answer.expect((6 + order + 2 * names.size()) * all.size());
    NodeChecks const none;
    for (std::size_t v = 0; v < all.size(); ++v) {
        auto const& of = all[v];
        auto const& check = checks.empty() ? none : checks[v];
        if (!why_none) {
            add_norm_rows(of.raw, of.raw, "with `order` 4", of.node.name, order, check.mean, why, answer);
        } else {
            answer.add("squared_norm_mean", {of.node.name}, of.raw[1],
                       check.mean.raw.empty() ? std::nullopt : std::optional(check.mean.raw[0]), why);
            for (char const* name : {"squared_norm_variance", "relative_variance"})
                answer.add(name, {of.node.name}, Value::absent(*why_none), {}, "no exact value to check");
        }
        for (std::size_t k = 0; k < names.size(); ++k) {
            auto const& x = of.samples[k];
            auto const& at = checks.empty() ? none.mean : check.samples[k];
            answer.add("sample_squared_norm_mean", {names[k], of.node.name}, x.mean,
                       at.raw.empty() ? std::nullopt : std::optional(at.raw[0]), why);
            answer.add("sample_squared_norm_variance", {names[k], of.node.name}, shown(x.variance), at.variance, why);
        }
    }
}

}  // namespace

void add_wired_norm_samples(NumericModel const& model, InputSamples<Surd> const& samples, unsigned order,
                            bool preactivations, Session const& session, Answer& answer) {
    auto const why_none = why_no_moments(model.graph(), samples);
    auto const all = norms_of_nodes(model, samples, order, preactivations, !why_none, session, answer);
    add_rows(all, session.samples ? sampled(model, samples, all, preactivations, session) : std::vector<NodeChecks>{},
             samples.names, order, why_none, session, answer);
}

void add_wired_norm_samples(SymbolicModel const& model, InputSamples<RationalFunction> const& samples, unsigned order,
                            bool preactivations, Session const& session, Answer& answer) {
    auto const why_none = why_no_moments(model.graph(), samples);
    declare_orthogonal(model, std::max(order, least_order_of_samples), answer);
    add_rows(norms_of_nodes(model, samples, order, preactivations, !why_none, session, answer), {}, samples.names,
             order, why_none, session, answer);
}

}  // namespace isserlis::quantity
