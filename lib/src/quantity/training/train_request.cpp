// SPDX-License-Identifier: MIT
#include "quantity/training/train_request.hpp"

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/network/widths.hpp>
#include <isserlis/question/reason.hpp>
#include <isserlis/report/write_file.hpp>

#include "question/readers.hpp"
#include "question/spelling.hpp"
#include "question/weights_file.hpp"

namespace isserlis::quantity {
namespace {

constexpr double most_parameters = 1e7;

std::vector<std::size_t> widths_of(std::string const& text) {
    constexpr std::uint64_t widest = 1'000'000;
    constexpr std::uint64_t deepest = 10'000;
    std::vector<std::size_t> out;
    for (auto const& item : parse_widths(text)) {
        if (item.width.is_symbol || item.count.is_symbol)
            throw ParseError("`widths`: '" + (item.width.is_symbol ? item.width : item.count).text +
                                 "' is a symbol; a network that is trained has numbers",
                             "widths");
        auto const count = parse_count(item.count.text, "widths", 1, deepest);
        out.insert(out.end(), count, parse_count(item.width.text, "widths", 1, widest));
    }
    if (out.size() < 2)
        throw ParseError("`widths`: '" + printable(text) + "' has no weights; give input and output, such as 3,8,1",
                         "widths");
    return out;
}

/// The units of the engine that can be trained.
std::vector<std::string> hidden_units() {
    auto out = mlp::unit_names();
    std::erase(out, mlp::name(mlp::UnitKind::step));
    return out;
}

/// NAME or NAME:CONSTANT.
mlp::Unit unit_of(std::string const& text) {
    auto const colon = text.find(':');
    auto const kind = mlp::unit_kind(text.substr(0, colon));
    if (!kind)
        throw ParseError("`activation`: '" + printable(text) + "' is no unit; choose " + enumerated(hidden_units()),
                         "activation");
    if (*kind == mlp::UnitKind::step)
        throw UnsupportedError("`activation`: step has no derivative, so that it cannot be trained", "activation");
    mlp::Unit out{.kind = *kind, .slope = {}};
    if (colon == std::string::npos) return out;
    if (!mlp::usual_constant(*kind))
        throw ParseError("`activation`: " + text.substr(0, colon) + " has no constant", "activation");
    out.slope = double_of(text.substr(colon + 1), "activation");
    return out;
}

/// "KIND:A,B" as its kind and its numbers.
std::pair<std::string, std::vector<double>> kind_and_numbers(std::string const& text, std::string const& parameter) {
    auto const colon = text.find(':');
    std::vector<double> numbers;
    if (colon != std::string::npos) numbers = real_numbers().read(text.substr(colon + 1), parameter);
    return {text.substr(0, colon), numbers};
}

[[noreturn]] void refuse_choice(std::string const& parameter, std::string const& text, std::string const& choices) {
    throw ParseError(named(parameter) + ": '" + printable(text) + "' is unknown; choose " + choices, parameter);
}

void read_schedule(std::string const& text, train::TrainingOptions& out) {
    auto const [kind, numbers] = kind_and_numbers(text, "schedule");
    auto const schedule = train::schedule(kind);
    std::size_t const takes = !schedule                               ? 0
                              : *schedule == train::Schedule::drop    ? 2
                              : *schedule == train::Schedule::inverse ? 1
                                                                      : 0;
    if (!schedule || numbers.size() != takes)
        refuse_choice("schedule", text, "constant, drop:FACTOR,EPOCHS or inverse:A");
    out.schedule = *schedule;
    auto const require = [&](bool holds, char const* what, char const* right) {
        if (!holds) throw DomainError("`schedule` " + printable(text) + ": " + what + " is " + right, "schedule");
    };
    if (takes == 1) {
        require(numbers[0] >= 0 && std::isfinite(numbers[0]), "A", "a finite number from 0");
        out.inverse_slope = numbers[0];
    }
    if (takes != 2) return;
    require(numbers[0] > 0 && numbers[0] <= 1, "FACTOR", "more than 0 and at most 1");
    require(numbers[1] >= 1 && numbers[1] < 1e9 && numbers[1] == std::floor(numbers[1]), "EPOCHS",
            "a whole number from 1");
    out.drop_factor = numbers[0];
    out.drop_every = static_cast<std::uint64_t>(numbers[1]);
}

void read_clipping(std::string const& text, train::TrainingOptions& out) {
    auto const [kind, numbers] = kind_and_numbers(text, "clip");
    auto const clipping = train::clipping(kind);
    if (!clipping || *clipping == train::Clipping::none || numbers.size() != 1)
        refuse_choice("clip", text, "coordinate:C, norm:C or fixed-norm:C");
    out.clipping = *clipping;
    out.clip = numbers[0];
}

/// One number or two, which mean something else to each optimiser.
void set_momentum(std::vector<double> const& values, train::TrainingOptions& out) {
    if (values.empty()) return;
    bool const pair = out.optimiser == train::Optimiser::adam;
    if (out.optimiser == train::Optimiser::descent || values.size() != (pair ? 2U : 1U))
        throw ParseError("`momentum`: one number for momentum and rmsprop, two for adam, none for descent", "momentum");
    if (pair) {
        out.beta1 = values[0];
        out.beta2 = values[1];
    } else {
        (out.optimiser == train::Optimiser::momentum ? out.momentum : out.smoothing) = values[0];
    }
}

/// Before anything is laid out.
void require_few_parameters(std::vector<std::size_t> const& widths) {
    double parameters = 0;
    for (std::size_t q = 1; q < widths.size(); ++q)
        parameters += static_cast<double>(widths[q]) * static_cast<double>(widths[q - 1] + 1);
    if (parameters <= most_parameters) return;
    throw UnsupportedError("`widths`: some " + *Value::approximate(parameters, 2, "").decimal(2) +
                               " parameters; up to 10,000,000 are trained",
                           "widths");
}

/// As messages name parameters here.
void require_parameters(train::TrainingOptions const& options, mlp::Architecture const& architecture) {
    try {
        train::require_valid(options, architecture);
    } catch (DomainError const& e) {
        std::string const& parameter = e.argument();
        std::string message = reason(e);
        if (message.starts_with("train: " + parameter))
            message = named(parameter) + message.substr(7 + parameter.size());
        throw DomainError(message, parameter);
    }
}

/// Takes in the network of a file: what it is and where its training begins.
void take_weights(TrainRequest& request, Session const& session) {
    if (!session.question.words.empty())
        throw ParseError("`widths`: the file of `weights` has the network; leave `widths` out", "widths");
    auto const saved = read_saved_network(*request.weights, "weights");
    if (saved.tied || saved.gated_head)
        throw UnsupportedError("`weights`: '" + printable(*request.weights) + "' has " +
                                   (saved.tied ? "tied matrices N = P, which training would part"
                                               : "an activation at its head; heads that are trained are linear"),
                               "weights");
    require_few_parameters(saved.widths());
    request.unit = saved.unit;
    request.biases = saved.biases;
    request.architecture = mlp::perceptron(saved.widths(), saved.unit, {}, saved.biases);
    request.start = saved.parameters(*request.architecture);
}

}  // namespace

ParameterSet<TrainRequest> train_parameters() {
    using Training = train::TrainingOptions;
    constexpr std::uint64_t most = 1'000'000'000;
    auto const real = real_number();
    ParameterSet<Training> training = {
        {"optimiser", "NAME", "", &Training::optimiser,
         choice<train::Optimiser>("an optimiser", {{"descent", train::Optimiser::descent},
                                                   {"momentum", train::Optimiser::momentum},
                                                   {"rmsprop", train::Optimiser::rmsprop},
                                                   {"adam", train::Optimiser::adam}}),
         More{.usual = "descent"}},
        {"rate", "R", "Learning rate", &Training::rate, real, More{.usual = "1/100"}},
        {"rate_factors", "LIST", "What multiplies the rate in layers 1, 2, ..; 0 freezes a layer",
         &Training::rate_factors, real_numbers()},
        {"weight_decay", "R", "Weights shrink by rate times R each step", &Training::weight_decay, real},
        {"l1", "R", "R sum |w| is added to the loss", &Training::l1, real},
        {"l2", "R", "R sum w^2 is added to the loss", &Training::l2, real},
        {"clip", "KIND:C", "Gradients: coordinate:C, norm:C or fixed-norm:C",
         [](Training& into, std::string const& text) { read_clipping(text, into); },
         More{.choices = {"coordinate:1", "norm:1", "fixed-norm:1"}}},
        {"schedule", "KIND", "constant, drop:FACTOR,EPOCHS or inverse:A",
         [](Training& into, std::string const& text) { read_schedule(text, into); },
         More{.usual = "constant", .choices = {"constant", "drop:1/2,10", "inverse:1"}}},
        {"epochs", "N", "Passes over the data", &Training::epochs, count(1, most), More{.usual = "100"}},
        {"batch_size", "N", "Samples a step", &Training::batch_size, count(1, most), More{.usual = "all"}},
        {"stop_accuracy", "R", "Stop at the first row with this training accuracy", &Training::accuracy, real},
        {"patience", "N",
         "Stop at the first row N epochs or more after the one with the lowest validation loss, or training loss",
         &Training::patience, count(1, most)},
        {"every", "N", "A row each N epochs, and the last", &Training::history_every, count(1, most),
         More{.usual = "1"}}};
    ParameterSet<TrainRequest> out;
    out.add({"loss", "NAME", "",
             [](TrainRequest& into, std::string const& text) {
                 auto const objective = mlp::objective(text);
                 if (!objective)
                     refuse_choice("loss", text, "squared, half-squared, cross-entropy, binary-cross-entropy or hinge");
                 into.objective = *objective;
             },
             More{.usual = "squared",
                  .choices = {"squared", "half-squared", "cross-entropy", "binary-cross-entropy", "hinge"}}});
    out.add({"activation", "NAME[:C]",
             "Hidden units, with a constant C for leaky, prelu and elu: " + enumerated(hidden_units()),
             [](TrainRequest& into, std::string const& text) { into.unit = unit_of(text); },
             More{.usual = "relu", .choices = hidden_units()}});
    out.add({"biases", "Biases in every layer, in place of the constant feature", &TrainRequest::biases});
    out.add({"initial_gain", "C", "Initial weights have variance C/fan_in", &TrainRequest::gain, real,
             More{.usual = "2 for relu, else 1"}});
    out.add(&TrainRequest::options, training);
    out.add({"momentum", "R[,R]", "Of momentum (default 0.9), rmsprop (0.99), or both of adam (0.9,0.999)",
             &TrainRequest::momentum, real_numbers()});
    out.add({"weights", "FILE", "Start from the weights of this file, such as `save` writes, in place of `widths`",
             &TrainRequest::weights, as_text(),
             More{.refusals = {{{"activation", "biases", "initial_gain"},
                                "{}: the file of `weights` says what the network is; leave it out"}}}});
    out.add({"save", "FILE", "Write the trained weights, for `weights`", &TrainRequest::save, as_text()});
    out.add({"checkpoint", "FILE", "Keep the run here at every row; one that was killed goes on from it",
             &TrainRequest::checkpoint, as_text()});
    return out;
}

ParameterSet<TrainRequest> train_parameters_without(std::vector<std::string> const& names) {
    ParameterSet<TrainRequest> out;
    auto const all = train_parameters();
    for (auto const& row : all.rows()) {
        if (std::find(names.begin(), names.end(), row.text.name) == names.end()) out.add(row);
    }
    return out;
}

void complete_train_request(TrainRequest& request, Session const& session) {
    if (request.weights) {
        take_weights(request, session);
    } else {
        if (session.question.words.empty())
            throw ParseError("`widths` is missing; such as isserlis " + session.question.command + " 2,16,1 `data` cos",
                             "widths");
        auto const widths = widths_of(session.question.words.front());
        require_few_parameters(widths);
        request.architecture = mlp::perceptron(widths, request.unit, {}, request.biases);
    }
    request.initial_gain = request.gain.value_or(request.unit.kind == mlp::UnitKind::relu ? 2 : 1);
    set_momentum(request.momentum, request.options);
    request.options.seed = session.seed;
    request.options.threads = session.threads;
    require_parameters(request.options, *request.architecture);
    if (request.save) check_writable(*request.save, "save");
}

}  // namespace isserlis::quantity
