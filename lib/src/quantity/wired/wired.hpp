// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/loss_curve_squared.hpp>
#include <isserlis/loss_curve/curve_data.hpp>
#include <isserlis/network/mini_batch.hpp>
#include <isserlis/report/answer.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quantity/target_form.hpp"
#include "question/model.hpp"
#include "question/model_statement.hpp"

namespace isserlis::quantity {

// Networks of any wiring, whose numbers the strand recursion gives: residual and dense ones, and those of files.

/// Says where the numbers come from, and of what labels are.
/// Errors  UnsupportedError for `emit_test`; DomainError for negative label factors, by the name of their parameter.
void begin_wired(NumericModel const& model, ModelText const& text, Session const& session, Answer& answer);
void begin_wired(SymbolicModel const& model, ModelText const& text, Session const& session, Answer& answer);

/// Says what multiplies the labels, then calls f with the model.
template <class F>
void with_wired_model(ModelText const& text, Bindings const& bindings, Session const& session, Answer& answer,
                      F const& f) {
    if (text.wiring == Wiring::file) {
        answer.assume(std::string("label factors as in the file") +
                      (text.parametrisation ? ", times n^-C, the rates: derivatives by w" : ""));
    } else {
        state_label_factors(text, answer);
    }
    with_model(text, bindings, [&](auto const& model) {
        begin_wired(model, text, session, answer);
        f(model);
    });
}

/// Formulas of orthogonal matrices in which up to `pairs` pairs of strands meet hold where the larger side is at least that.
void declare_orthogonal(SymbolicModel const& model, std::size_t pairs, Answer& answer);

/// A node that matrices or skips lead into, and how an observable names its outputs.
template <class R>
struct WiredNode {
    std::string name;
    R width;
    bool gated;
    bool is_unnamed = false;  ///< the output at a symbolic depth, which observables read as z[i]

    [[nodiscard]] std::string place() const { return is_unnamed ? "" : "{" + name + "}"; }
};

/// What a node is called in the last copy of its stage, "L - 1" at a symbolic depth.
template <class R, class Count>
[[nodiscard]] std::string name_in_last_copy(GraphStage<R, Count> const& stage, GraphNode<R> const& node) {
    using std::to_string;
    return (stage.numbered ? to_string(stage.first + stage.count - Count(1)) : "") + node.name;
}

/// Those that are printed: the one of `layer`, all, or of many the last three; at a symbolic depth the output, under
/// the name that it has at depths in numbers, so that its rows there are compared with it.
[[nodiscard]] std::vector<WiredNode<Surd>> listed_nodes(Graph<Surd, std::uint64_t> const& graph, Session const& session,
                                                        Answer& answer);
[[nodiscard]] std::vector<WiredNode<RationalFunction>> listed_nodes(Graph<RationalFunction, Exponent> const& graph,
                                                                    Session const& session, Answer& answer);

/// Several inputs.
template <class R>
struct InputSamples {
    std::vector<std::string> names;
    std::vector<std::vector<R>> inputs;        ///< x_k.x_l
    std::vector<std::vector<R>> fourth;        ///< sum_j x_kj^2 x_lj^2; empty where coordinates are not known
    std::vector<std::vector<double>> vectors;  ///< of these products, for what is sampled
};

/// Moments of the squared norm of each node up to `order`; of pre-activations everywhere with `preactivations`.
void add_wired_norms(NumericModel const& model, unsigned order, bool preactivations, Session const& session,
                     Answer& answer);
void add_wired_norms(SymbolicModel const& model, unsigned order, bool preactivations, Session const& session,
                     Answer& answer);

/// The same of the mean of the squared norm over the samples, of linear networks, and mean and variance at each sample, of any.
/// Errors  UnsupportedError naming the parameter.
void add_wired_norm_samples(NumericModel const& model, InputSamples<Surd> const& samples, unsigned order,
                            bool preactivations, Session const& session, Answer& answer);
void add_wired_norm_samples(SymbolicModel const& model, InputSamples<RationalFunction> const& samples, unsigned order,
                            bool preactivations, Session const& session, Answer& answer);

void add_wired_ntk(NumericModel const& model, Session const& session, Answer& answer);
void add_wired_ntk(SymbolicModel const& model, Session const& session, Answer& answer);

/// Moments of the tangent kernel of every two samples, of linear networks.
/// Errors  UnsupportedError naming the parameter.
void add_wired_ntk_pairs(NumericModel const& model, InputSamples<Surd> const& samples, Session const& session,
                         Answer& answer);
void add_wired_ntk_pairs(SymbolicModel const& model, InputSamples<RationalFunction> const& samples,
                         Session const& session, Answer& answer);

void add_wired_hessian(NumericModel const& model, Session const& session, Answer& answer);
void add_wired_hessian(SymbolicModel const& model, Session const& session, Answer& answer);

/// |z|^2 of the output and the squared norm of its Jacobian by each weight matrix.
void add_wired_jacobian(NumericModel const& model, Session const& session, Answer& answer);
void add_wired_jacobian(SymbolicModel const& model, Session const& session, Answer& answer);

/// Loss, slope and curvature along its gradient, of one sample; `k` is the network's number, `target_mean` E y_i of each output.
void add_wired_loss_curve(NumericModel const& model, Surd const& target_mean, std::string const& k,
                          Session const& session, Answer& answer);
void add_wired_loss_curve(SymbolicModel const& model, RationalFunction const& target_mean, std::string const& k,
                          Session const& session, Answer& answer);

/// The same of the mean squared error over a data set whose curve this is.
void add_wired_data_curve(NumericModel const& model, SquaredLossCurve<Surd> const& curve, CurveData const& data,
                          std::string const& k, Session const& session, Answer& answer);
void add_wired_data_curve(SymbolicModel const& model, SquaredLossCurve<RationalFunction> const& curve,
                          CurveData const& data, std::string const& k, Session const& session, Answer& answer);

/// That of one sample with one output, through any gates: each moment of its target is known. None for other data, where a
/// gate can be at exactly 0, and for what strands do not serve.
[[nodiscard]] std::optional<SquaredLossCurve<Surd>> curve_of_one_target(NumericModel model, CurveData const& data);
[[nodiscard]] inline std::optional<SquaredLossCurve<RationalFunction>> curve_of_one_target(SymbolicModel const&,
                                                                                           CurveData const&) {
    return std::nullopt;
}

/// Of linear units between matrices of the input and output.
/// Errors  UnsupportedError and DomainError naming the parameter.
[[nodiscard]] SquaredLossCurve<Surd> data_curve(NumericModel const& model, CurveData const& data);
[[nodiscard]] SquaredLossCurve<RationalFunction> data_curve(SymbolicModel const& model, CurveData const& data);

/// Samples that are known by their inner products alone.
template <class R>
struct GramSamples {
    std::vector<std::vector<R>> inputs;   ///< x_k.x_l
    std::vector<std::vector<R>> targets;  ///< y_k.y_l
    R factor;                             ///< of the loss, factor |z - y|^2
    std::optional<MiniBatch> batch;       ///< samples in the gradient; none is all
};

/// Errors  UnsupportedError for gates and for weights that are not Gaussian; DomainError for targets that are not symmetric.
[[nodiscard]] SquaredLossCurve<Surd> gram_curve(NumericModel const& model, GramSamples<Surd> const& samples);
[[nodiscard]] SquaredLossCurve<RationalFunction> gram_curve(SymbolicModel const& model,
                                                            GramSamples<RationalFunction> const& samples);

/// The same of such samples. With `check` vectors of these products are drawn at.
/// Errors  DomainError for numbers that are no Gram matrix of vectors of the network's sizes.
void add_wired_gram_curve(NumericModel const& model, GramSamples<Surd> const& samples, std::string const& k,
                          Session const& session, Answer& answer);
void add_wired_gram_curve(SymbolicModel const& model, GramSamples<RationalFunction> const& samples,
                          std::string const& k, Session const& session, Answer& answer);

/// Means over the neurons of each node before and after one step, whose rates are the label factors. `width` is shown
/// in place of the node's own where a symbol is swept; `target_mean` is E y_i of each output, where it is given.
void add_wired_steps(NumericModel const& model, std::optional<Surd> const& target_mean,
                     std::optional<Integer> const& width, Session const& session, Answer& answer);

/// What the samples of a step leave, as sums over them: of inputs, and of targets y = y_k in place of outputs.
template <class R>
struct StepSamples {
    std::vector<std::string> names;
    std::vector<std::vector<R>> inputs;         ///< x_k.x_l
    R target_mean;                              ///< |mean y|^2
    std::vector<R> target_along;                ///< mean y . C x_s at each sample, C = mean y x'
    std::vector<R> target_square;               ///< |C x_s|^2
    R target_cross;                             ///< tr C C'
    std::vector<SampleNumber<R>> target_norms;  ///< |y_k|^2; empty in symbols where they are no sums of square roots
    std::vector<R> mean_target;                 ///< mean y; empty where targets are known by their products
    std::vector<std::vector<R>> targets_at;     ///< C x_s, likewise
    std::optional<MiniBatch> batch;             ///< samples in the gradient; none is all
    std::vector<std::vector<double>> vectors;   ///< inputs and targets of these products, for what is sampled
    std::vector<std::vector<double>> targets;
};

/// `add_wired_steps` of one step on the mean of 1/2 |z - y|^2 over samples, of linear networks: means over the samples, and the
/// change at each of them.
/// Errors  UnsupportedError naming the parameter.
void add_wired_batch_steps(NumericModel const& model, StepSamples<Surd> const& samples,
                           std::optional<Integer> const& width, Session const& session, Answer& answer);

/// The name of every weight edge, from the input up; none at a symbolic depth or of more than `most`.
[[nodiscard]] std::optional<std::vector<std::string>> weight_names(Graph<Surd, std::uint64_t> const& graph,
                                                                   std::size_t most);
[[nodiscard]] std::optional<std::vector<std::string>> weight_names(Graph<RationalFunction, Exponent> const& graph,
                                                                   std::size_t most);

}  // namespace isserlis::quantity
