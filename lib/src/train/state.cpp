// SPDX-License-Identifier: MIT
#include <isserlis/train/state.hpp>

#include <array>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/train/record.hpp>

namespace isserlis::train {
namespace {

constexpr char const* state_kind = "training-state";
constexpr std::size_t row_numbers = 10;
constexpr double most_whole = 0x1p53;

void add_architecture(Fingerprint& out, mlp::Architecture const& architecture) {
    auto const& wiring = architecture.wiring();
    out.add(std::uint64_t{(wiring.concatenated() ? 1U : 0U) + (wiring.tied() ? 2U : 0U)});
    for (auto const& node : wiring.nodes()) {
        out.add(std::uint64_t{node.width});
        out.add(std::uint64_t{node.concatenation ? 1U : 0U});
    }
    for (auto const& edge : wiring.edges()) {
        for (std::size_t const number : {edge.from, edge.to, edge.weighted ? std::size_t{1} : 0, edge.part})
            out.add(std::uint64_t{number});
        out.add(edge.scale);
    }
    for (auto const& traits : architecture.traits()) {
        out.add(mlp::name(traits.unit.kind));
        for (double const number : {traits.unit.constant(), traits.bias ? 1.0 : 0.0, traits.batch_norm ? 1.0 : 0.0,
                                    traits.epsilon, traits.softmax ? 1.0 : 0.0, traits.keep})
            out.add(number);
    }
}

void add_options(Fingerprint& out, TrainingOptions const& o) {
    for (char const* word : {name(o.optimiser), name(o.clipping), name(o.schedule)}) out.add(word);
    for (double const number :
         {o.rate, o.momentum, o.smoothing, o.beta1, o.beta2, o.epsilon, o.weight_decay, o.l1, o.l2, o.clip,
          o.drop_factor, o.inverse_slope, o.accuracy.value_or(-1), o.moment_smoothing, o.row_gradients ? 1.0 : 0.0})
        out.add(number);
    for (std::uint64_t const number : {o.drop_every, o.epochs, std::uint64_t{o.batch_size}, o.seed,
                                       o.patience.value_or(0), o.history_every, std::uint64_t{o.rate_factors.size()}})
        out.add(number);
    for (double const factor : o.rate_factors) out.add(factor);
}

std::array<double, row_numbers> numbers_of(HistoryRow const& row) {
    double const given = (row.accuracy ? 1 : 0) + (row.validation_loss ? 2 : 0) + (row.validation_accuracy ? 4 : 0) +
                         (row.gradient_norm ? 8 : 0);
    return {static_cast<double>(row.epoch),
            static_cast<double>(row.steps),
            row.loss,
            row.penalty,
            row.learning_rate,
            given,
            row.accuracy.value_or(0),
            row.validation_loss.value_or(0),
            row.validation_accuracy.value_or(0),
            row.gradient_norm.value_or(0)};
}

std::uint64_t whole(double number, std::string const& place) {
    if (!(number >= 0 && number <= most_whole && number == std::floor(number)))
        throw ParseError(place + ": " + std::to_string(number) + " is no count", place);
    return static_cast<std::uint64_t>(number);
}

HistoryRow history_row(std::vector<double> const& n, std::string const& place) {
    if (n.size() != row_numbers)
        throw ParseError(place + ": a row of " + std::to_string(n.size()) + " numbers; " + std::to_string(row_numbers) +
                             " are required",
                         place);
    std::uint64_t const given = whole(n[5], place);
    auto const optional = [&](unsigned bit, double x) { return (given & bit) != 0 ? std::optional(x) : std::nullopt; };
    return {.epoch = whole(n[0], place),
            .steps = whole(n[1], place),
            .loss = n[2],
            .penalty = n[3],
            .accuracy = optional(1, n[6]),
            .validation_loss = optional(2, n[7]),
            .validation_accuracy = optional(4, n[8]),
            .gradient_norm = optional(8, n[9]),
            .learning_rate = n[4]};
}

}  // namespace

template <class T>
std::uint64_t run_fingerprint(mlp::Architecture const& architecture, mlp::Objective objective,
                              mlp::Examples<T> const& training, std::vector<T> const& start,
                              TrainingOptions const& options, mlp::Examples<T> const* validation) {
    Fingerprint out;
    out.add(std::uint64_t{sizeof(T)});
    add_architecture(out, architecture);
    out.add(mlp::name(objective));
    add_options(out, options);
    out.add(training.inputs);
    out.add(training.targets);
    for (T const p : start) out.add(static_cast<double>(p));
    if (validation != nullptr) {
        out.add(validation->inputs);
        out.add(validation->targets);
    }
    return out.value();
}

template <class T>
void add_state(Record& record, TrainingState<T> const& state) {
    auto const add = [&](char const* key, std::vector<T> const& numbers) {
        record.add(key, std::vector<double>(numbers.begin(), numbers.end()));
    };
    add("parameters", state.parameters);
    add("mean", state.moments.mean);
    add("deviation", state.moments.deviation);
    add("first", state.memory.first);
    add("second", state.memory.second);
    record.add("steps", std::array{static_cast<double>(state.memory.steps)});
    for (auto const& row : state.history) record.add("row", numbers_of(row));
}

template <class T>
std::string state_text(TrainingState<T> const& state, std::uint64_t fingerprint) {
    Record record{.kind = state_kind, .run = fingerprint};
    add_state(record, state);
    return record_text(record);
}

template <class T>
TrainingState<T> parse_state(std::string_view text, std::uint64_t fingerprint, mlp::Architecture const& architecture,
                             std::string const& place) {
    return state_of<T>(parse_record(text, state_kind, fingerprint, place), architecture, place);
}

template <class T>
TrainingState<T> state_of(Record const& record, mlp::Architecture const& architecture, std::string const& place) {
    auto const read = [&](char const* key, std::size_t size, bool may_be_empty) {
        auto const& numbers = record.only(key, place);
        if (numbers.size() != size && !(may_be_empty && numbers.empty()))
            throw ParseError(place + ": '" + key + "' has " + std::to_string(numbers.size()) + " numbers; " +
                                 std::to_string(size) + " are required",
                             place);
        std::vector<T> out(numbers.size());
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<T>(numbers[i]);
        return out;
    };
    std::size_t const parameters = architecture.parameters();
    TrainingState<T> out;
    out.parameters = read("parameters", parameters, false);
    out.moments.mean = read("mean", architecture.normed_neurons(), false);
    out.moments.deviation = read("deviation", architecture.normed_neurons(), false);
    out.memory.first = read("first", parameters, true);
    out.memory.second = read("second", parameters, true);
    out.memory.steps = static_cast<std::uint64_t>(whole(record.only("steps", place).at(0), place));
    for (auto const& row : record.rows)
        if (row.key == "row") out.history.push_back(history_row(row.numbers, place));
    if (out.history.empty()) throw ParseError(place + ": there is no row of the history", place);
    return out;
}

template std::uint64_t run_fingerprint(mlp::Architecture const&, mlp::Objective, mlp::Examples<float> const&,
                                       std::vector<float> const&, TrainingOptions const&, mlp::Examples<float> const*);
template std::uint64_t run_fingerprint(mlp::Architecture const&, mlp::Objective, mlp::Examples<double> const&,
                                       std::vector<double> const&, TrainingOptions const&,
                                       mlp::Examples<double> const*);
template void add_state(Record&, TrainingState<double> const&);
template TrainingState<double> state_of(Record const&, mlp::Architecture const&, std::string const&);
template std::string state_text(TrainingState<float> const&, std::uint64_t);
template std::string state_text(TrainingState<double> const&, std::uint64_t);
template TrainingState<float> parse_state(std::string_view, std::uint64_t, mlp::Architecture const&,
                                          std::string const&);
template TrainingState<double> parse_state(std::string_view, std::uint64_t, mlp::Architecture const&,
                                           std::string const&);

}  // namespace isserlis::train
