// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <isserlis/data/csv.hpp>
#include <isserlis/error.hpp>
#include <isserlis/mlp/loss_derivatives.hpp>
#include <isserlis/network/widths.hpp>
#include <isserlis/report/write_file.hpp>
#include <isserlis/train/initial.hpp>
#include <isserlis/train/train.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "curve_data.hpp"
#include "graph_file.hpp"

namespace isserlis::cli {
namespace {

constexpr int digits_of_a_run = 12;  ///< that other orders of the same sums leave alone
constexpr std::size_t most_parameters = 50'000'000;
constexpr char const* a_run = "a number of one run, not an expectation";

/// A number of an option, as a double.
double number(Arguments const& arguments, std::string const& option, double usual) {
    auto const text = arguments.value(option);
    if (!text) return usual;
    double const out = Value(parse_surd(*text, option)).to_double();
    if (!std::isfinite(out))
        throw DomainError(option + " = " + printable(*text) + "; a number within the range of double is required",
                          option);
    return out;
}

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
    out.slope = Value(parse_surd(text.substr(colon + 1), "--activation")).to_double();
    return out;
}

/// "KIND:A,B" as its kind and its numbers.
std::pair<std::string, std::vector<double>> kind_and_numbers(std::string const& text, std::string const& option) {
    auto const colon = text.find(':');
    std::vector<double> numbers;
    if (colon != std::string::npos)
        for (auto const& part : split(text.substr(colon + 1)))
            numbers.push_back(Value(parse_surd(part, option)).to_double());
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
    out.rate = number(a, "--rate", out.rate);
    if (auto const list = a.value("--momentum")) {
        auto const values = split(*list);
        bool const pair = out.optimiser == train::Optimiser::adam;
        if (out.optimiser == train::Optimiser::descent || values.size() != (pair ? 2U : 1U))
            throw ParseError("--momentum: one number for momentum and rmsprop, two for adam, none for descent",
                             "--momentum");
        auto const value = [&](std::size_t i) { return Value(parse_surd(values[i], "--momentum")).to_double(); };
        if (pair) {
            out.beta1 = value(0);
            out.beta2 = value(1);
        } else {
            (out.optimiser == train::Optimiser::momentum ? out.momentum : out.smoothing) = value(0);
        }
    }
    if (auto const list = a.value("--rate-factors"))
        for (auto const& part : split(*list))
            out.rate_factors.push_back(Value(parse_surd(part, "--rate-factors")).to_double());
    out.weight_decay = number(a, "--weight-decay", 0);
    out.l1 = number(a, "--l1", 0);
    out.l2 = number(a, "--l2", 0);
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
    if (a.has("--stop-accuracy")) out.accuracy = number(a, "--stop-accuracy", 0);
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

/// The samples as columns; with biases the constant feature, which stands last, is left out.
mlp::Examples<double> examples_of(DataSet const& set, bool biases, std::string const& option) {
    if (set.targets.empty())
        throw DomainError(option + ": " + set.place() + " has no targets y1, ..; add them", option);
    mlp::Examples<double> out{.inputs = mlp::columns(input_doubles(set)), .targets = mlp::columns(target_doubles(set))};
    if (biases) out.inputs = out.inputs.topRows(out.inputs.rows() - 1).eval();
    return out;
}

class TrainCommand {
public:
    TrainCommand(Session const& session, Answer& answer)
        : session_(session), answer_(answer), arguments_(session.arguments), biases_(arguments_.has("--biases")) {}

    void run() {
        for (char const* other : {"--check", "--layer", "--set", "--table"}) {
            if (arguments_.has(other))
                throw ParseError(std::string(other) +
                                     " means nothing here: a training run has numbers, and one result "
                                     "for each epoch; see --every",
                                 other);
        }
        if (arguments_.positionals.empty())
            throw ParseError("WIDTHS is missing; such as isserlis train 2,16,1 --data cos", "WIDTHS");
        auto const widths = widths_of(arguments_.positionals.front());
        auto const objective = read_objective(arguments_);
        auto const unit = unit_of(arguments_.value("--activation").value_or("relu"));
        auto const options = read_training(session_);
        DataSet const data = read_data_set(arguments_);
        auto const training = examples_of(data, biases_, "--data");
        require_sizes(training, widths, data.place());
        mlp::require_targets(objective, training.targets);
        std::optional<mlp::Examples<double>> validation;
        if (auto const file = arguments_.value("--validation")) {
            DataSet const other = parse_data_csv(file_content(*file, "--validation"), *file);
            validation = examples_of(other, biases_, "--validation");
            require_sizes(*validation, widths, other.place());
        }
        auto const architecture = mlp::perceptron(widths, unit, {}, biases_);
        if (architecture.parameters() > most_parameters)
            throw UnsupportedError("WIDTHS: " + std::to_string(architecture.parameters()) + " parameters; up to " +
                                       std::to_string(most_parameters) + " are served",
                                   "WIDTHS");
        auto const save = arguments_.value("--save");
        if (save) require_savable(unit, *save);
        double const gain = number(arguments_, "--initial-gain", unit.kind == mlp::UnitKind::relu ? 2 : 1);
        auto const start = train::initial_parameters<double>(
            architecture, train::variances_by_fan_in(architecture, gain), session_.seed);
        require_options(options, architecture);
        state(data, objective, unit, gain, options);
        auto const control = session_.run_control();
        auto const trained =
            train::train<double>(architecture, objective, training, start, options, validation ? &*validation : nullptr,
                                 [&](train::HistoryRow const& row) {
                                     if (control.progress) control.progress(row.epoch, options.epochs);
                                 });
        for (auto const& row : trained.history) add(row);
        if (trained.diverged_at) {
            answer_.warn("the run diverged: after " + std::to_string(*trained.diverged_at) +
                         " steps loss or gradient is no finite number; a smaller --rate may help");
        } else {
            answer_.warn(std::string("stopped by ") + name(trained.stop) + ", after " +
                         std::to_string(trained.history.back().steps) + " steps");
        }
        if (!mlp::has_classes(objective)) answer_.warn("no accuracy: this loss has no classes");
        if (save) write_file(*save, weights_file(architecture, unit, trained.parameters), "--save");
    }

private:
    static void require_sizes(mlp::Examples<double> const& examples, std::vector<std::size_t> const& widths,
                              std::string const& place) {
        auto const require = [&](Eigen::Index size, std::size_t width, std::string const& what) {
            if (static_cast<std::size_t>(size) == width) return;
            throw DomainError(
                "WIDTHS: " + std::to_string(width) + " " + what + ", but " + place + " has " + std::to_string(size),
                "WIDTHS");
        };
        require(examples.inputs.rows(), widths.front(), "inputs");
        require(examples.targets.rows(), widths.back(), "outputs");
    }

    /// The library names parameters; here they are options.
    static void require_options(train::TrainingOptions const& options, mlp::Architecture const& architecture) {
        try {
            train::require_valid(options, architecture);
        } catch (DomainError const& e) {
            std::string const parameter = e.argument();
            bool const smoothing = parameter == "smoothing" || parameter == "beta1" || parameter == "beta2";
            std::string option = "--" + (smoothing                 ? "momentum"
                                         : parameter == "accuracy" ? "stop-accuracy"
                                                                   : parameter);
            std::replace(option.begin(), option.end(), '_', '-');
            std::string message = e.what();
            if (message.starts_with("train: " + parameter)) message = option + message.substr(7 + parameter.size());
            throw DomainError(message, option);
        }
    }

    void require_savable(mlp::Unit const& unit, std::string const& file) const {
        check_writable(file, "--save");
        bool const known = unit.kind == mlp::UnitKind::identity || unit.kind == mlp::UnitKind::relu ||
                           unit.kind == mlp::UnitKind::leaky || unit.kind == mlp::UnitKind::crelu;
        if (biases_ || !known)
            throw UnsupportedError(
                "--save: files of weights have no biases, and identity, relu, leaky or crelu units; see docs/data.md",
                "--save");
    }

    void state(DataSet const& data, mlp::Objective objective, mlp::Unit const& unit, double gain,
               train::TrainingOptions const& options) {
        auto const shown = [](double x) { return *Value::approximate(x, 6, "").decimal(6); };
        std::string const constant = unit.slope ? " of constant " + shown(*unit.slope) : "";
        answer_.assume("one fully connected network in double, " + std::string(name(unit.kind)) + " units" + constant +
                       ", linear head, " + (biases_ ? "biases from 0" : "no biases: the last input is the constant 1"));
        answer_.assume("initial weights Gaussian of variance " + shown(gain) + "/fan_in, seed " +
                       std::to_string(session_.seed));
        answer_.assume(data.place() + ", " + std::to_string(data.samples()) + " samples; mean " +
                       std::string(name(objective)) + " over them, summed over outputs");
        answer_.assume(
            std::string(name(options.optimiser)) + " at rate " + shown(options.rate) + ", " +
            (options.batch_size == 0 ? std::string("all samples") : std::to_string(options.batch_size) + " samples") +
            " a step, " + name(options.schedule) + " schedule");
    }

    void add(train::HistoryRow const& row) {
        auto const add = [&](char const* what, std::optional<double> x) {
            if (!x) return;
            Value const value = std::isfinite(*x) ? Value::approximate(*x, digits_of_a_run, "in double precision")
                                                  : Value::absent("no finite number");
            answer_.add(what, {std::to_string(row.epoch)}, value, {}, a_run);
        };
        add("loss", row.loss);
        add("accuracy", row.accuracy);
        add("validation_loss", row.validation_loss);
        add("validation_accuracy", row.validation_accuracy);
        add("gradient_norm", row.gradient_norm);
        add("learning_rate", row.learning_rate);
    }

    /// The format of --weights.
    static std::string weights_file(mlp::Architecture const& architecture, mlp::Unit const& unit,
                                    std::vector<double> const& parameters) {
        auto const& wiring = architecture.wiring();
        auto const matrix = [&](std::size_t first, std::size_t rows, std::size_t columns) {
            nlohmann::ordered_json out = nlohmann::ordered_json::array();
            for (std::size_t i = 0; i < rows; ++i)
                out.push_back(
                    std::vector<double>(parameters.begin() + static_cast<std::ptrdiff_t>(first + i * columns),
                                        parameters.begin() + static_cast<std::ptrdiff_t>(first + (i + 1) * columns)));
            return out;
        };
        nlohmann::ordered_json layers = nlohmann::ordered_json::array();
        for (auto const& edge : wiring.edges()) {
            auto const rows = wiring.nodes()[edge.to].width;
            auto const columns = wiring.nodes()[edge.from].width;
            nlohmann::ordered_json layer{{"weights", matrix(edge.first, rows, columns)}};
            if (unit.kind == mlp::UnitKind::crelu) layer["negative"] = matrix(edge.negative, rows, columns);
            layers.push_back(std::move(layer));
        }
        std::string activation = unit.kind == mlp::UnitKind::identity ? "linear" : mlp::name(unit.kind);
        if (unit.kind == mlp::UnitKind::leaky)
            activation += ":" + *Value::approximate(unit.constant(), 17, "").decimal(17);
        return nlohmann::ordered_json{{"activation", activation}, {"layers", layers}}.dump() + "\n";
    }

    Session const& session_;
    Answer& answer_;
    Arguments const& arguments_;
    bool biases_;
};

}  // namespace

Command train_command() {
    Command out;
    out.text = {
        .name = "train",
        .summary = "Train one network in floating point; loss, accuracy and gradient by epoch",
        .positional = "WIDTHS",
        .positional_help = "d_0,..,d_n in numbers; d_0 counts the constant feature unless --biases is given",
        .most_positionals = 1,
        .options = {{"--validation", "FILE", "More samples, which are not trained on"},
                    {"--loss", "NAME", "squared (default), half-squared, cross-entropy, binary-cross-entropy, hinge"},
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
                    {"--save", "FILE", "Write the trained weights, for loss-curve --weights"}},
        .examples =
            "Examples:\n"
            "  isserlis train 2,16,1 --data cos --rate 1/10 --epochs 50 --every 10\n"
            "  isserlis train 2,16,16,1 --data cos --activation gelu --optimiser adam --batch-size 4\n"
            "  isserlis train 3,8,1 --data checkerboard --activation tanh --rate 1/20 --format csv\n",
    };
    for (auto const& option : data_set_options()) out.text.options.push_back(option);
    out.evaluate = [](Session const& session, Bindings const&, Answer& answer) { TrainCommand(session, answer).run(); };
    return out;
}

}  // namespace isserlis::cli
