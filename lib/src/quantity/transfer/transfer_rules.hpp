// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/loss_curve/curve_number.hpp>
#include <isserlis/verify/check.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "question/model.hpp"
#include "question/session.hpp"

namespace isserlis::quantity {

/// What a rule holds fixed from one network to another.
template <class R>
struct TransferRule {
    std::string name;
    /// What its rates are proportional to, for one network; its square where a root would hide an exact number.
    std::optional<R> rate = {};
    std::optional<R> squared_rate = {};
    std::optional<monte_carlo::Estimate> sampled =
        {};                         ///< of what rates are proportional to, beside it or in its place
    std::vector<Check> means = {};  ///< what the sampled rate is made of, each beside its exact value
    double largest_share = 0;       ///< of one network in the variance of what is sampled
    std::string absent = {};        ///< why there is none
};

/// How the rules that are not of widths alone are filled in for one network; what one refuses by UnsupportedError is the
/// reason why it has no rate.
template <class R>
struct TransferMeans {
    using Fill = std::function<void(TransferRule<R>&)>;
    Fill change;
    Fill vertex;
    Fill hessian_norm;
    Fill top_eigenvalue;
    std::function<void(TransferRule<R> const& vertex, TransferRule<R>&)> minimiser;
};

/// At one sample; sampled rules of numbers with `check` only. With random biases by strands. The model, the session and the
/// answer outlive it.
[[nodiscard]] TransferMeans<Surd> means_at_one_sample(NumericModel const& model, Session const& session,
                                                      Answer& answer);
[[nodiscard]] TransferMeans<RationalFunction> means_at_one_sample(SymbolicModel const& model, Session const& session,
                                                                  Answer& answer);

/// Every rule for one network, in the order of the answer.
[[nodiscard]] std::vector<TransferRule<Surd>> transfer_rules(NumericModel const& model,
                                                             TransferMeans<Surd> const& means);
[[nodiscard]] std::vector<TransferRule<RationalFunction>> transfer_rules(SymbolicModel const& model,
                                                                         TransferMeans<RationalFunction> const& means);

/// Errors  UnsupportedError without `check`, and for a network with symbols.
void require_check(NumericModel const& model, Session const& session);
[[noreturn]] void require_check(SymbolicModel const& model, Session const& session);

/// A sampled mean beside its exact value.
[[nodiscard]] Check sampled_check(Surd const& exact, monte_carlo::Estimate const& seen);
/// x^exponent, to first order in its error.
[[nodiscard]] monte_carlo::Estimate to_the_power(monte_carlo::Estimate const& x, double exponent);
/// above/below of means over the same networks: at most both relative errors together.
[[nodiscard]] monte_carlo::Estimate quotient_of(monte_carlo::Estimate const& above, monte_carlo::Estimate const& below);

/// Hidden layers, of a residual network its blocks, which two plain matrices are beside.
template <class R, class Count>
[[nodiscard]] Count hidden_depth(Model<R, Count> const& model) {
    Count out(0);
    for (auto const& stage : model.graph().stages) out = out + stage.count;
    return out - Count(model.network.is_chain() ? 1 : 2);
}
/// Errors  UnsupportedError for none.
template <class R, class Count>
[[nodiscard]] Count some_hidden_layers(Model<R, Count> const& model) {
    Count const out = hidden_depth(model);
    if (out == Count(0)) throw UnsupportedError("there is no hidden layer");
    return out;
}
/// The name of the last hidden layer or block.
[[nodiscard]] inline std::string last_hidden(NumericModel const& model) { return std::to_string(hidden_depth(model)); }
[[nodiscard]] inline std::string last_hidden(SymbolicModel const& model) { return to_string(hidden_depth(model)); }

/// The neurons that the last matrix reads.
template <class R, class Count>
[[nodiscard]] R const& last_width(Model<R, Count> const& model) {
    return model.graph().stages[model.graph().stages.size() - 2].nodes.back().width;
}

}  // namespace isserlis::quantity
