// SPDX-License-Identifier: MIT
#include "quantity/mup/batch_step.hpp"

#include <isserlis/error.hpp>
#include <isserlis/model/chains.hpp>
#include <isserlis/model/sampling_model.hpp>
#include <isserlis/monte_carlo/step_sampler.hpp>
#include <isserlis/verify/check.hpp>

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "quantity/mup/hidden_changes.hpp"
#include "quantity/mup/sampled_steps.hpp"
#include "quantity/unchecked.hpp"

namespace isserlis::quantity {
namespace {

constexpr std::size_t most_batch_inputs = 100;  ///< triples of which take some seconds

using Checks = std::vector<std::optional<Check>>;

template <class R, class Count>
FullyConnected<R, std::uint64_t> one_hidden_layer(Model<R, Count> const& model, InputRows const& inputs) {
    auto net = layer_by_layer(model.net(), 2);
    if (!net || net->layers.size() != 2)
        throw UnsupportedError(
            "`input`: several inputs are served through one hidden layer, such as `widths` 2,8,1; deeper networks take "
            "one input, or samples with targets, by `data` or `with`: exactly for linear units, else sampled",
            "input");
    if (inputs.size() > most_batch_inputs)
        throw UnsupportedError("`input` lists " + std::to_string(inputs.size()) + " inputs; up to " +
                                   std::to_string(most_batch_inputs) + " are served",
                               "input");
    return *net;
}

Checks sampled(NumericModel const& model, InputRows const& inputs, HiddenChanges const& known, Session const& session) {
    Checks out(inputs.size());
    if (!session.samples) return out;
    require_sampled_steps(model, 3 * static_cast<double>(inputs.size()), session);
    NumericModel plain = model;
    plain.input.clear();  // whose place the inputs take
    plain.squared_norm = Surd(1);
    auto const estimates =
        monte_carlo::sample_batch_step(sampling_model(plain), doubles(inputs), sampling_factors(model).front(),
                                       target_of(model), *session.samples, session.seed, session.run_control());
    for (std::size_t k = 0; k < out.size(); ++k)
        out[k] = compare_sampled(known.at[k].change.to_double(), estimates[k].mean, estimates[k].std_error,
                                 estimates[k].samples);
    return out;
}
Checks sampled(SymbolicModel const&, InputRows const& inputs, HiddenChanges const&, Session const&) {
    return Checks(inputs.size());
}

template <class R, class Count>
void add_rows(Model<R, Count> const& model, InputRows const& inputs, Session const& session, Answer& answer) {
    auto const net = one_hidden_layer(model, inputs);
    auto const changes = hidden_changes(net, gram(inputs), alike_products(inputs.size(), R(model.target_second), R(0)),
                                        0, "1/sqrt(mean of mup_batch_change_squared)");
    if (auto const open = why_open(net); !changes && !open.empty()) throw UnsupportedError("`law`: " + open, "law");
    if (!changes)
        throw UnsupportedError(
            "`widths`: an angle of two inputs makes the change irrational; give the symbols numbers by `set`",
            "widths");
    bool const numeric = std::is_same_v<R, Surd>;
    std::string const why = numeric ? "mup_batch_change_squared is checked" : not_numeric;
    auto const checks = sampled(model, inputs, *changes, session);
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        std::vector<std::string> const index{std::to_string(k + 1)};
        answer.add("mup_batch_change_squared", index, changes->at[k].change, checks[k], why);
        answer.add("mup_batch_a", index, changes->at[k].outputs, {}, why);
        answer.add("mup_batch_b", index, changes->at[k].targets, {}, why);
    }
    answer.add("mup_batch_learning_rate", {}, changes->rate, {},
               numeric ? "a function of mup_batch_change_squared" : not_numeric);
    answer.assume(
        "mup_batch_learning_rate multiplies the rate given (default 1): then E (Delta u_i)^2, averaged over the "
        "inputs, is 1");
}

}  // namespace

void add_batch_step(NumericModel const& model, InputRows const& inputs, Session const& session, Answer& answer) {
    add_rows(model, inputs, session, answer);
}

void add_batch_step(SymbolicModel const& model, InputRows const& inputs, Session const& session, Answer& answer) {
    add_rows(model, inputs, session, answer);
}

}  // namespace isserlis::quantity
