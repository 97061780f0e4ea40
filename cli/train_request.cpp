// SPDX-License-Identifier: MIT
#include "train_request.hpp"

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/network/widths.hpp>
#include <isserlis/report/write_file.hpp>

#include "parameters.hpp"

namespace isserlis::cli {
namespace {

constexpr double most_parameters = 1e7;

std::vector<std::size_t> widths_of(std::string const& text) {
    constexpr std::uint64_t widest = 1'000'000;
    constexpr std::uint64_t deepest = 10'000;
    std::vector<std::size_t> out;
    for (auto const& item : parse_widths(text)) {
        if (item.width.is_symbol || item.count.is_symbol)
            throw ParseError("WIDTHS: '" + (item.width.is_symbol ? item.width : item.count).text +
                                 "' is a symbol; a network that is trained has numbers",
                             "WIDTHS");
        auto const count = parse_count(item.count.text, "WIDTHS", 1, deepest);
        out.insert(out.end(), count, parse_count(item.width.text, "WIDTHS", 1, widest));
    }
    if (out.size() < 2)
        throw ParseError("WIDTHS: '" + printable(text) + "' has no weights; give input and output, such as 3,8,1",
                         "WIDTHS");
    return out;
}

/// NAME or NAME:CONSTANT.
mlp::Unit unit_of(std::string const& text) {
    auto const colon = text.find(':');
    auto const kind = mlp::unit_kind(text.substr(0, colon));
    if (!kind)
        throw ParseError(
            "--activation: '" + printable(text) +
                "' is no unit; choose identity, relu, leaky, crelu, sigmoid, tanh, prelu, arctan, softsign, "
                "softplus, elu, selu, swish or gelu",
            "--activation");
    if (*kind == mlp::UnitKind::step)
        throw UnsupportedError("--activation: step has no derivative, so that it cannot be trained", "--activation");
    mlp::Unit out{.kind = *kind, .slope = {}};
    if (colon == std::string::npos) return out;
    if (!mlp::usual_constant(*kind))
        throw ParseError("--activation: " + text.substr(0, colon) + " has no constant", "--activation");
    out.slope = double_of(text.substr(colon + 1), "--activation");
    return out;
}

/// "KIND:A,B" as its kind and its numbers.
std::pair<std::string, std::vector<double>> kind_and_numbers(std::string const& text, std::string const& option) {
    auto const colon = text.find(':');
    std::vector<double> numbers;
    if (colon != std::string::npos)
        for (auto const& part : split(text.substr(colon + 1))) numbers.push_back(double_of(part, option));
    return {text.substr(0, colon), numbers};
}

[[noreturn]] void refuse_choice(std::string const& option, std::string const& text, std::string const& choices) {
    throw ParseError(option + ": '" + printable(text) + "' is unknown; choose " + choices, option);
}

void read_schedule(std::string const& text, train::TrainingOptions& out) {
    auto const [kind, numbers] = kind_and_numbers(text, "--schedule");
    auto const schedule = train::schedule(kind);
    std::size_t const takes = !schedule                               ? 0
                              : *schedule == train::Schedule::drop    ? 2
                              : *schedule == train::Schedule::inverse ? 1
                                                                      : 0;
    if (!schedule || numbers.size() != takes)
        refuse_choice("--schedule", text, "constant, drop:FACTOR,EPOCHS or inverse:A");
    out.schedule = *schedule;
    if (takes == 1) out.inverse_slope = numbers[0];
    if (takes != 2) return;
    if (!(numbers[1] >= 1 && numbers[1] < 1e9 && numbers[1] == std::floor(numbers[1])))
        throw DomainError("--schedule: drop every " + printable(text) + " epochs; a whole number from 1 is required",
                          "--schedule");
    out.drop_factor = numbers[0];
    out.drop_every = static_cast<std::uint64_t>(numbers[1]);
}

train::TrainingOptions read_training(Session const& session) {
    auto const& a = session.arguments;
    train::TrainingOptions out;
    if (auto const name = a.value("--optimiser")) {
        auto const kind = train::optimiser(*name);
        if (!kind) refuse_choice("--optimiser", *name, "descent, momentum, rmsprop or adam");
        out.optimiser = *kind;
    }
    out.rate = read_double(a, "--rate", out.rate);
    if (auto const list = a.value("--momentum")) {
        auto const values = split(*list);
        bool const pair = out.optimiser == train::Optimiser::adam;
        if (out.optimiser == train::Optimiser::descent || values.size() != (pair ? 2U : 1U))
            throw ParseError("--momentum: one number for momentum and rmsprop, two for adam, none for descent",
                             "--momentum");
        auto const value = [&](std::size_t i) { return double_of(values[i], "--momentum"); };
        if (pair) {
            out.beta1 = value(0);
            out.beta2 = value(1);
        } else {
            (out.optimiser == train::Optimiser::momentum ? out.momentum : out.smoothing) = value(0);
        }
    }
    if (auto const list = a.value("--rate-factors"))
        for (auto const& part : split(*list)) out.rate_factors.push_back(double_of(part, "--rate-factors"));
    out.weight_decay = read_double(a, "--weight-decay", 0);
    out.l1 = read_double(a, "--l1", 0);
    out.l2 = read_double(a, "--l2", 0);
    if (auto const text = a.value("--clip")) {
        auto const [kind, numbers] = kind_and_numbers(*text, "--clip");
        auto const clipping = train::clipping(kind);
        if (!clipping || *clipping == train::Clipping::none || numbers.size() != 1)
            refuse_choice("--clip", *text, "coordinate:C, norm:C or fixed_norm:C");
        out.clipping = *clipping;
        out.clip = numbers[0];
    }
    if (auto const text = a.value("--schedule")) read_schedule(*text, out);
    constexpr std::uint64_t most = 1'000'000'000;
    if (auto const n = a.value("--epochs")) out.epochs = parse_count(*n, "--epochs", 1, most);
    if (auto const n = a.value("--batch-size")) out.batch_size = parse_count(*n, "--batch-size", 1, most);
    if (auto const n = a.value("--every")) out.history_every = parse_count(*n, "--every", 1, most);
    if (a.has("--stop-accuracy")) out.accuracy = read_double(a, "--stop-accuracy", 0);
    if (auto const n = a.value("--patience")) out.patience = parse_count(*n, "--patience", 1, most);
    out.seed = session.seed;
    out.threads = session.threads;
    return out;
}

mlp::Objective read_objective(Arguments const& arguments) {
    std::string const text = arguments.value("--loss").value_or("squared");
    auto const out = mlp::objective(text);
    if (!out) refuse_choice("--loss", text, "squared, half-squared, cross-entropy, binary-cross-entropy or hinge");
    return *out;
}

/// Before anything is laid out.
void require_few_parameters(std::vector<std::size_t> const& widths) {
    double parameters = 0;
    for (std::size_t q = 1; q < widths.size(); ++q)
        parameters += static_cast<double>(widths[q]) * static_cast<double>(widths[q - 1] + 1);
    if (parameters <= most_parameters) return;
    throw UnsupportedError("WIDTHS: some " + *Value::approximate(parameters, 2, "").decimal(2) +
                               " parameters; up to 10,000,000 are trained",
                           "WIDTHS");
}

/// The library names parameters; here they are options.
void require_options(train::TrainingOptions const& options, mlp::Architecture const& architecture) {
    try {
        train::require_valid(options, architecture);
    } catch (DomainError const& e) {
        std::string const parameter = e.argument();
        std::string option = option_of(parameter);
        if (option == parameter) option.insert(0, "--");
        std::replace(option.begin(), option.end(), '_', '-');
        std::string message = e.what();
        if (message.starts_with("train: " + parameter)) message = option + message.substr(7 + parameter.size());
        throw DomainError(message, option);
    }
}

void require_savable(TrainRequest const& request) {
    check_writable(*request.save, "--save");
    auto const kind = request.unit.kind;
    bool const known = kind == mlp::UnitKind::identity || kind == mlp::UnitKind::relu || kind == mlp::UnitKind::leaky ||
                       kind == mlp::UnitKind::crelu;
    if (request.biases || !known)
        throw UnsupportedError(
            "--save: files of weights have no biases, and identity, relu, leaky or crelu units; see docs/data.md",
            "--save");
}

}  // namespace

double double_of(std::string const& text, std::string const& option) {
    double const out = Value(parse_surd(text, option)).to_double();
    if (!std::isfinite(out))
        throw DomainError(option + " = " + printable(text) + "; a number within the range of double is required",
                          option);
    return out;
}

double read_double(Arguments const& arguments, std::string const& option, double usual) {
    auto const text = arguments.value(option);
    return text ? double_of(*text, option) : usual;
}

std::vector<OptionText> train_options_without(std::vector<std::string> const& names) {
    auto out = train_options();
    std::erase_if(
        out, [&](auto const& option) { return std::find(names.begin(), names.end(), option.name) != names.end(); });
    return out;
}

std::vector<OptionText> train_options() {
    return {{"--loss", "NAME", "squared (default), half-squared, cross-entropy, binary-cross-entropy, hinge"},
            {"--activation", "NAME[:C]",
             "Hidden units: relu (default), identity, leaky:C, crelu, prelu, sigmoid, tanh, arctan, softsign, "
             "softplus, elu, selu, swish, gelu"},
            {"--biases", "", "Biases in every layer, in place of the constant feature"},
            {"--initial-gain", "C", "Initial weights have variance C/fan_in (default 2 for relu, else 1)"},
            {"--optimiser", "NAME", "descent (default), momentum, rmsprop, adam"},
            {"--rate", "R", "Learning rate (default 1/100)"},
            {"--momentum", "R[,R]", "Of momentum (default 0.9), rmsprop (0.99), or both of adam (0.9,0.999)"},
            {"--rate-factors", "LIST", "What multiplies the rate in layers 1, 2, ..; 0 freezes a layer"},
            {"--weight-decay", "R", "Weights shrink by rate times R each step"},
            {"--l1", "R", "R sum |w| is added to the loss"},
            {"--l2", "R", "R sum w^2 is added to the loss"},
            {"--clip", "KIND:C", "Gradients: coordinate:C, norm:C or fixed_norm:C"},
            {"--schedule", "KIND", "constant (default), drop:FACTOR,EPOCHS or inverse:A"},
            {"--epochs", "N", "Passes over the data (default 100)"},
            {"--batch-size", "N", "Samples a step (default all)"},
            {"--stop-accuracy", "R", "Stop once the training accuracy is this"},
            {"--patience", "N", "Stop after N epochs without a lower validation loss, or training loss"},
            {"--every", "N", "A row each N epochs, and the last (default 1)"},
            {"--save", "FILE", "Write the trained weights, for loss-curve --weights"},
            {"--checkpoint", "FILE", "Keep the run here at every row; one that was killed goes on from it"}};
}

TrainRequest read_train_request(Session const& session) {
    auto const& arguments = session.arguments;
    for (char const* other : {"--check", "--layer", "--set", "--table"}) {
        if (arguments.has(other))
            throw ParseError(
                std::string(other) + " means nothing here: networks that are trained have numbers, not symbols", other);
    }
    if (arguments.positionals.empty())
        throw ParseError("WIDTHS is missing; such as isserlis " + arguments.command + " 2,16,1 --data cos", "WIDTHS");
    auto const widths = widths_of(arguments.positionals.front());
    require_few_parameters(widths);
    auto const unit = unit_of(arguments.value("--activation").value_or("relu"));
    bool const biases = arguments.has("--biases");
    TrainRequest out{.architecture = mlp::perceptron(widths, unit, {}, biases),
                     .unit = unit,
                     .objective = read_objective(arguments),
                     .biases = biases,
                     .initial_gain = read_double(arguments, "--initial-gain", unit.kind == mlp::UnitKind::relu ? 2 : 1),
                     .options = read_training(session),
                     .save = arguments.value("--save"),
                     .checkpoint = arguments.value("--checkpoint")};
    require_options(out.options, out.architecture);
    if (out.save) require_savable(out);
    return out;
}

}  // namespace isserlis::cli
