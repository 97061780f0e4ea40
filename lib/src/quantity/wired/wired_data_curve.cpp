// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <isserlis/error.hpp>
#include <isserlis/model/sampling_model.hpp>
#include <isserlis/monte_carlo/graph_curve_sampler.hpp>
#include <isserlis/report/tidy.hpp>
#include <isserlis/ring/members.hpp>
#include <isserlis/strand/expectation.hpp>

#include "quantity/unchecked.hpp"
#include "quantity/wired/wired.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* by_parts = "a part of curvature, which is checked";

/// Errors  UnsupportedError for what the sums over samples below do not know: gates, other laws, an input or an output
///         that is not behind a matrix of its own.
template <class R, class Count>
void require_linear_between_matrices(Graph<R, Count> const& graph) {
    using Kind = typename GraphEdge<R>::Kind;
    if (graph.sides != WeightSides::one)
        throw UnsupportedError("`activation`: with `data` other wirings than vanilla are served for linear units",
                               "activation");
    for (auto const& block : graph.blocks) {
        for (auto const& node : block.nodes) {
            if (node.gate && !(node.gate->negative == R(1) && node.gate->positive == R(1)))
                throw UnsupportedError(
                    "`activation`: with `data` other wirings than vanilla are served for linear units; with gates one "
                    "sample is, by `input` or `input_squared_norm`",
                    "activation");
        }
        for (auto const& edge : block.edges) {
            if (edge.kind == Kind::weight && edge.law.kind != LawKind::gaussian)
                throw UnsupportedError(
                    named(edge.law.kind == LawKind::kurtosis ? "kurtosis" : "law") +
                        ": with `data` other wirings than vanilla are served for Gaussian weights; one sample, by "
                        "`input`, for any law",
                    edge.law.kind == LawKind::kurtosis ? "kurtosis" : "law");
        }
    }
    auto const& first = graph.blocks.front();
    auto const& last = graph.blocks.back();
    auto const has_own_matrix = [](auto const& block, auto const& at_end) {
        return std::all_of(block.edges.begin(), block.edges.end(),
                           [&](auto const& e) { return !at_end(e) || e.kind == Kind::weight; });
    };
    bool const good = first.count == Count(1) && last.count == Count(1) &&
                      has_own_matrix(first, [](auto const& e) { return e.from == 0; }) &&
                      has_own_matrix(last, [&](auto const& e) { return e.to == last.nodes.size(); });
    if (!good)
        throw UnsupportedError(
            "`network`: with `data` the input and the output need matrices of their own; residual networks have them "
            "with `projections`",
            "network");
    if (has_biases(graph))
        throw UnsupportedError(
            "`bias_variance`: with `data` biases are 0; the curve of one sample, by `input` or `input_squared_norm`, "
            "has random ones",
            "bias_variance");
}

/// E of an observable at the inputs @a, @b, @c of length 1, at right angles to one another.
template <class R, class Count>
auto mean_at_unit_inputs(std::string const& query, Model<R, Count> const& model) {
    ObservableSetting<R> setting;
    setting.inputs.names = {"a", "b", "c"};
    setting.inputs.gram = {{R(1), R(0), R(0)}, {R(0), R(1), R(0)}, {R(0), R(0), R(1)}};
    auto const mean = expectation(parse_query(query), model.graph(), setting);
    if constexpr (std::is_same_v<R, RationalFunction>) {
        return mean.formula();
    } else {
        return mean;
    }
}

/// What a word of three samples k, l, q says of their inner products: each input occurs twice.
template <class R>
struct ThreeSamples {
    R apart;   ///< of |x_k|^2 |x_l|^2 |x_q|^2
    R outer;   ///< (x_k . x_q)^2 |x_l|^2
    R inner;   ///< (x_k . x_l)^2 |x_q|^2 and (x_l . x_q)^2 |x_k|^2 together
    R joined;  ///< (x_k . x_l)(x_l . x_q)(x_q . x_k)
};
/// And of a word of four inputs, one sample twice: its pair apart, and joined with both others.
template <class R>
struct OnePair {
    R apart;
    R joined;
};

/// The means that loss, slope and curvature consist of, by which inputs meet in the first matrix. Those at the outputs are
/// summed, but for a pair of targets.
template <class R>
struct DataWords {
    R square;           ///< E |z|^2 = square |x|^2
    OnePair<R> kernel;  ///< z_k . K_kl z_l: of |x_k|^2 |x_l|^2 and (x_k . x_l)^2
    R target_kernel;    ///< y_k . K_kl y_l
    ThreeSamples<R> chi, gamma;
    OnePair<R> chi_targets;    ///< of the two gradients
    OnePair<R> gamma_targets;  ///< likewise
    OnePair<R> bent_targets;   ///< in gamma, of one gradient and of what is bent
};

/// "z[i]@k .." with the samples' inputs in place of k, l, q.
std::string at_inputs(std::string query, std::string const& k, std::string const& l, std::string const& q) {
    std::string out;
    for (std::size_t i = 0; i < query.size(); ++i) {
        out += query[i];
        if (query[i] != '@') continue;
        char const of = query[++i];
        out += of == 'k' ? k : of == 'l' ? l : q;
    }
    return out;
}

template <class R, class Count>
DataWords<R> data_words(Model<R, Count> const& model) {
    auto const mean = [&](char const* query, char const* k, char const* l, char const* q) {
        return mean_at_unit_inputs(at_inputs(query, k, l, q), model);
    };
    auto const three = [&](char const* query) {
        R const apart = mean(query, "a", "b", "c");
        R const outer = R(mean(query, "a", "b", "a") - apart);
        R const inner = R(mean(query, "a", "a", "b") + mean(query, "a", "b", "b") - apart - apart);
        return ThreeSamples<R>{.apart = apart,
                               .outer = outer,
                               .inner = inner,
                               .joined = mean(query, "a", "a", "a") - apart - outer - inner};
    };
    // `pair` is the sample that occurs twice.
    auto const with_pair = [&](char const* query, char pair) {
        R const apart = pair == 'l' ? mean(query, "a", "b", "a") : mean(query, "a", "a", "b");
        return OnePair<R>{.apart = apart, .joined = mean(query, "a", "a", "a") - apart};
    };
    R const kernel = mean("z[i]@k z[i;m]@k z[j;m]@l z[j]@l", "a", "b", "c");
    return {.square = mean("z[i]@k z[i]@k", "a", "a", "a"),
            .kernel = {.apart = kernel, .joined = mean("z[i]@k z[i;m]@k z[j;m]@l z[j]@l", "a", "a", "a") - kernel},
            .target_kernel = mean("z[1;m]@k z[1;m]@l", "a", "a", "a"),
            .chi = three("z[i]@k z[i;m]@k z[j;m]@l z[j;n]@l z[o;n]@q z[o]@q"),
            .gamma = three("z[i]@k z[i;m]@k z[j]@l z[j;m,n]@l z[o;n]@q z[o]@q"),
            .chi_targets = with_pair("z[1;m]@k z[j;m]@l z[j;n]@l z[1;n]@q", 'l'),
            .gamma_targets = with_pair("z[1;m]@k z[j]@l z[j;m,n]@l z[1;n]@q", 'l'),
            .bent_targets = with_pair("z[1;m]@k z[1;m,n]@l z[j;n]@q z[j]@q", 'q')};
}

/// Sums over samples: docs/formulas/loss_curve_squared.md has what inner products have which means, of a batch too.
template <class R>
SquaredLossCurve<R> curve_of(DataWords<R> const& w, TargetMoments<R> const& data) {
    auto const samples = [&](ThreeSamples<R> const& x) {
        return x.apart * data.p1 * data.p1 * data.p1 + (x.outer + x.inner) * data.p1 * data.p2 + x.joined * data.p3;
    };
    auto const targets = [&](OnePair<R> const& x) {
        return x.apart * data.p1 * data.cross + x.joined * data.cross_sigma;
    };
    return {.loss = w.square * data.p1 + data.target,
            .slope =
                R(-4) * (w.kernel.apart * data.p1 * data.p1 + w.kernel.joined * data.p2 + w.target_kernel * data.cross),
            .curvature_chi = R(8) * (samples(w.chi) + targets(w.chi_targets)),
            .curvature_gamma = R(8) * (samples(w.gamma) + targets(w.gamma_targets) + R(2) * targets(w.bent_targets))};
}

/// The curvatures where both gradients are of one sample.
template <class R>
SquaredLossCurve<R> curve_of_one_gradient(DataWords<R> const& w, TargetMoments<R> const& data,
                                          OwnMoments<R> const& own) {
    auto const samples = [&](ThreeSamples<R> const& x) {
        return (x.apart + x.outer) * data.p1 * own.fourth + (x.inner + x.joined) * own.sigma;
    };
    auto const targets = [&](OnePair<R> const& x) {
        return x.apart * data.p1 * own.target + x.joined * own.target_sigma;
    };
    return {.loss = R(0),
            .slope = R(0),
            .curvature_chi = R(8) * (samples(w.chi) + targets(w.chi_targets)),
            .curvature_gamma = R(8) * (samples(w.gamma) + targets(w.gamma_targets) +
                                       R(2) * (w.bent_targets.apart + w.bent_targets.joined) * own.target_cross)};
}

template <class R, class Count>
SquaredLossCurve<R> data_curve(Model<R, Count> const& model, CurveData const& data) {
    require_linear_between_matrices(model.graph());
    auto const require_width = [&](R const& width, std::size_t size, char const* end, char const* what) {
        if (!(width == R(Rational(Integer(size)))))
            throw DomainError(std::string("`widths` ") + end + " with " + printable(to_string(width)) + ", but " +
                                  data.set.place() + " has " + what + " = " + std::to_string(size),
                              "widths");
    };
    require_width(model.graph().input_width, data.set.input_width(), "begin", "d_0");
    require_width(model.graph().output_width(), data.set.output_width(), "end", "d_n");
    auto const moments = data.target_moments();
    bool const batched = data.batch && *data.batch != data.samples();
    if (!moments || (batched && !data.set.has_exact_targets()))
        throw UnsupportedError(std::string(moments ? "`batch`" : "`data`") +
                                   ": the targets are no sums of square roots, which other wirings than vanilla need",
                               moments ? "batch" : "data");
    auto const words = data_words(model);
    auto const numbers = converted<R>(*moments);
    auto out = curve_of(words, numbers);
    if (batched) {
        R const share{Surd(own_share(*data.batch, data.samples()))};
        auto const own = curve_of_one_gradient(words, numbers, converted<R>(data.own_moments(true)));
        out.curvature_chi = (R(1) - share) * out.curvature_chi + share * own.curvature_chi;
        out.curvature_gamma = (R(1) - share) * out.curvature_gamma + share * own.curvature_gamma;
    }
    return out.scaled(R(data.squared_factor()));
}

template <class R>
void add_curve(SquaredLossCurve<R> const& curve, std::array<std::optional<Check>, 3> const& checks,
               std::string const& k, Answer& answer) {
    bool const numeric = std::is_same_v<R, Surd>;
    R const curvature = curve.curvature();
    answer.add("loss", {k}, tidy(curve.loss), checks[0], not_numeric);
    answer.add("slope", {k}, tidy(curve.slope), checks[1], not_numeric);
    answer.add("curvature", {k}, tidy(curvature), checks[2], not_numeric);
    answer.add("curvature_chi", {k}, tidy(curve.curvature_chi), {}, numeric ? by_parts : not_numeric);
    answer.add("curvature_gamma", {k}, tidy(curve.curvature_gamma), {}, numeric ? by_parts : not_numeric);
    answer.add("vertex_rate", {k},
               is_certainly_zero(curvature) ? Value::absent("the curvature is 0")
                                            : Value(tidy(R(R(0) - curve.slope / curvature))),
               {}, numeric ? "computed from slope and curvature, which are checked" : not_numeric);
}

}  // namespace

void add_wired_data_curve(NumericModel const& model, CurveData const& data, std::string const& k,
                          Session const& session, Answer& answer) {
    auto const curve = data_curve(model, data);
    std::array<std::optional<Check>, 3> checks;
    if (session.samples) {
        auto const samples = data.sampling_model({});
        auto const sampled = monte_carlo::sample_graph_curve({.network = sampling_graph(model),
                                                              .inputs = samples.inputs,
                                                              .targets = samples.targets,
                                                              .half = data.loss == LossKind::half_squared,
                                                              .batch = data.batch},
                                                             *session.samples, session.seed, session.run_control());
        auto const beside = [](Surd const& exact, monte_carlo::Estimate const& e) {
            return compare_sampled(to_double(exact), e.mean, e.std_error, e.samples);
        };
        checks = {beside(curve.loss, sampled.loss), beside(curve.slope, sampled.slope),
                  beside(curve.curvature(), sampled.curvature)};
    }
    add_curve(curve, checks, k, answer);
}

void add_wired_data_curve(SymbolicModel const& model, CurveData const& data, std::string const& k, Session const&,
                          Answer& answer) {
    add_curve(data_curve(model, data), {}, k, answer);
}

}  // namespace isserlis::quantity
