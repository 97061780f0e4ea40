// SPDX-License-Identifier: MIT
#include "quantity/mup/gated_samples.hpp"

#include <isserlis/error.hpp>
#include <isserlis/model/chains.hpp>
#include <isserlis/network/graph.hpp>
#include <isserlis/verify/cancellation.hpp>
#include <isserlis/verify/check.hpp>

#include <map>
#include <optional>
#include <string>
#include <variant>

#include "quantity/chain_models.hpp"
#include "quantity/mup/hidden_changes.hpp"
#include "quantity/mup/mup_text.hpp"
#include "quantity/mup/sampled_steps.hpp"
#include "quantity/unchecked.hpp"

namespace isserlis::quantity {
namespace {

using Seen = monte_carlo::BatchStepEstimates;
using SeenLayers = std::map<std::string, Seen>;

SeenLayers sampled_steps(NumericModel const& model, StepSamples<Surd> const& samples, Session const& session) {
    return sampled_batch_steps(model, samples, session);
}
SeenLayers sampled_steps(SymbolicModel const&, StepSamples<RationalFunction> const&, Session const&) { return {}; }

/// What is closed, or why it is not.
template <class R, class Count>
std::variant<HiddenChanges, std::string> known_changes(Model<R, Count> const& model, StepSamples<R> const& samples,
                                                       TargetProducts<R> const& targets) {
    auto const net = layer_by_layer(model.net(), 2);
    if (samples.inputs.size() == 1 && (!net || net->layers.size() != 2))
        return "one sample has it by `input` and `target_second_moment`; with `data` it is closed for one hidden layer";
    if (!net || net->layers.size() != 2)
        return "it is closed for one hidden layer, and for linear units; deeper ones in numbers are sampled with "
               "`check`";
    auto const products = rational_products(samples.inputs, has_biases(model.graph()));
    if (!products) return "through gates products of inputs have to be rational numbers";
    Rational const share = samples.batch ? own_share(*samples.batch, samples.names.size()) : Rational(0);
    auto changes = hidden_changes(*net, *products, targets, share, rate_form);
    if (changes) return *std::move(changes);
    auto const why = why_open(*net);
    return why.empty() ? "an angle of two samples makes it irrational; give the symbols numbers by `set`" : why;
}

/// Rows that are known, with what is sampled beside them; or sampled themselves; or absent.
class ChangeRows {
public:
    ChangeRows(std::string absent, bool numeric, Answer& answer)
        : absent_(std::move(absent)), unchecked_(numeric ? "" : not_numeric), answer_(answer) {}

    void add(char const* name, std::vector<std::string> const& index, Value const* known,
             monte_carlo::TailedEstimate const* seen, double size) const {
        if (known != nullptr) {
            std::optional<Check> check;
            if (seen != nullptr)
                check = up_to_rounding(compare_sampled(known->to_double(), seen->mean, seen->std_error, seen->samples),
                                       known->to_double(), size);
            answer_.add(name, index, *known, check, unchecked_);
        } else {
            answer_.add(name, index, seen != nullptr ? sampled_value(*seen) : Value::absent(absent_), {},
                        seen != nullptr ? is_sampled_itself : absent_);
        }
    }

private:
    std::string absent_;
    std::string unchecked_;
    Answer& answer_;
};

template <class R, class Count>
void add_hidden_layers(Model<R, Count> const& model, StepSamples<R> const& samples, TargetProducts<R> const& targets,
                       Session const& session, Answer& answer) {
    std::uint64_t const layers = checked_depth(model.net(), "mup");
    require_hidden_layer(layers);
    state_means_over_samples("layer", answer);
    auto const listed = listed_layers(session, layers - 1, 1, "hidden layers only the last one is", answer);
    auto const found = known_changes(model, samples, targets);
    auto const* known = std::get_if<HiddenChanges>(&found);
    auto const sampled = sampled_steps(model, samples, session);
    auto const seen_at = [&](std::uint64_t l) -> Seen const* {
        auto const at = sampled.find(std::to_string(l));
        return at == sampled.end() ? nullptr : &at->second;
    };
    ChangeRows const rows(known != nullptr ? "" : std::get<std::string>(found), std::is_same_v<R, Surd>, answer);
    answer.expect((3 + samples.names.size()) * listed.size() + 1);
    for (auto const l : listed) {
        std::string const layer = std::to_string(l);
        auto const* seen = seen_at(l);
        // What targets do whose sums are 0, or nearly, is rounding beside the whole change.
        double const size = seen != nullptr ? seen->change_square.mean : 0;
        auto const add = [&](char const* name, Value HiddenChanges::Parts::*part,
                             monte_carlo::TailedEstimate Seen::*member) {
            rows.add(name, {layer}, known != nullptr ? &(known->mean.*part) : nullptr,
                     seen != nullptr ? &(seen->*member) : nullptr, size);
        };
        add("mup_change_squared", &HiddenChanges::Parts::change, &Seen::change_square);
        add("mup_a", &HiddenChanges::Parts::outputs, &Seen::of_outputs);
        add("mup_b", &HiddenChanges::Parts::targets, &Seen::of_targets);
        for (std::size_t s = 0; s < samples.names.size(); ++s)
            rows.add("mup_sample_change_squared", {samples.names[s], layer},
                     known != nullptr ? &known->at[s].change : nullptr,
                     seen != nullptr ? &seen->change_squares[s] : nullptr, size);
    }
    state_rate_over_samples(at_last_hidden, answer);
    auto const* last = seen_at(layers - 1);
    if (known != nullptr) {
        answer.add("mup_learning_rate", {}, known->rate, {}, "a function of mup_change_squared");
    } else {
        std::optional<monte_carlo::TailedEstimate> rate;
        if (auto const x = last != nullptr ? inverse_of(root_of(last->change_square)) : std::nullopt)
            rate = {*x, last->change_square.largest_share};
        rows.add("mup_learning_rate", {}, nullptr, rate ? &*rate : nullptr, 0);
    }
}

}  // namespace

void add_step_through_gates(NumericModel const& model, StepSamples<Surd> const& samples,
                            TargetProducts<Surd> const& targets, Session const& session, Answer& answer) {
    add_hidden_layers(model, samples, targets, session, answer);
}

void add_step_through_gates(SymbolicModel const& model, StepSamples<RationalFunction> const& samples,
                            TargetProducts<RationalFunction> const& targets, Session const& session, Answer& answer) {
    add_hidden_layers(model, samples, targets, session, answer);
}

}  // namespace isserlis::quantity
