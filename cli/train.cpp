// SPDX-License-Identifier: MIT
#include <cmath>
#include <isserlis/data/csv.hpp>
#include <isserlis/error.hpp>
#include <isserlis/mlp/loss_derivatives.hpp>
#include <isserlis/report/write_file.hpp>
#include <isserlis/train/initial.hpp>
#include <isserlis/train/train.hpp>

#include "commands.hpp"
#include "curve_data.hpp"
#include "graph_file.hpp"
#include "train_request.hpp"
#include "weights_file.hpp"

namespace isserlis::cli {
namespace {

constexpr int digits_of_a_run = 12;  ///< that other orders of the same sums leave alone
constexpr char const* a_run = "a number of one run, not an expectation";

/// The samples as columns; with biases the constant feature, which stands last, is left out.
mlp::Examples<double> examples_of(DataSet const& set, bool biases, std::string const& option) {
    if (set.targets.empty())
        throw DomainError(option + ": " + set.place() + " has no targets y1, ..; add them", option);
    mlp::Examples<double> out{.inputs = mlp::columns(input_doubles(set)), .targets = mlp::columns(target_doubles(set))};
    if (biases) out.inputs = out.inputs.topRows(out.inputs.rows() - 1).eval();
    return out;
}

std::string shown(double x) { return *Value::approximate(x, 6, "").decimal(6); }

/// Rate, batch and all that else a step depends on.
std::string stated(train::TrainingOptions const& o) {
    std::string out = std::string(name(o.optimiser)) + " at rate " + shown(o.rate);
    switch (o.optimiser) {
        case train::Optimiser::descent: break;
        case train::Optimiser::momentum: out += ", momentum " + shown(o.momentum); break;
        case train::Optimiser::rmsprop: out += ", smoothing " + shown(o.smoothing); break;
        case train::Optimiser::adam: out += ", beta " + shown(o.beta1) + " and " + shown(o.beta2); break;
    }
    if (o.optimiser == train::Optimiser::rmsprop || o.optimiser == train::Optimiser::adam)
        out += ", epsilon " + shown(o.epsilon);
    switch (o.schedule) {
        case train::Schedule::constant: break;
        case train::Schedule::drop:
            out += ", times " + shown(o.drop_factor) + " every " + std::to_string(o.drop_every) + " epochs";
            break;
        case train::Schedule::inverse: out += ", over 1 + " + shown(o.inverse_slope) + " i at step i from 0"; break;
    }
    out += o.batch_size == 0 ? "; all samples a step" : "; " + std::to_string(o.batch_size) + " samples a step";
    std::string factors;
    for (double const f : o.rate_factors) factors += (factors.empty() ? "" : ",") + shown(f);
    if (!factors.empty()) out += "; rates of the layers times " + factors;
    if (o.weight_decay != 0) out += "; weights shrink by rate times " + shown(o.weight_decay) + " a step";
    if (o.l1 != 0) out += "; " + shown(o.l1) + " sum |w| added to the loss";
    if (o.l2 != 0) out += "; " + shown(o.l2) + " sum w^2 added to the loss";
    if (o.clipping != train::Clipping::none)
        out += std::string("; gradients clipped by ") + name(o.clipping) + " at " + shown(o.clip);
    return out;
}

class TrainCommand {
public:
    TrainCommand(Session const& session, Answer& answer)
        : session_(session), answer_(answer), request_(read_train_request(session)) {}

    void run() {
        auto const& arguments = session_.arguments;
        DataSet const data = read_data_set(arguments);
        auto const training = examples(data, "--data");
        mlp::require_targets(request_.objective, training.targets);
        std::optional<mlp::Examples<double>> validation;
        if (auto const file = arguments.value("--validation")) {
            if (arguments.has("--standardize"))
                throw UnsupportedError(
                    "--validation: samples shifted and scaled as the training data are not served; give both files in "
                    "one scale and leave --standardize out",
                    "--validation");
            validation = examples(parse_data_csv(file_content(*file, "--validation"), *file), "--validation");
            mlp::require_targets(request_.objective, validation->targets);
        }
        state(data);
        auto const start = train::initial_parameters<double>(
            request_.architecture, train::variances_by_fan_in(request_.architecture, request_.initial_gain),
            session_.seed);
        auto const control = session_.run_control();
        auto const trained =
            train::train<double>(request_.architecture, request_.objective, training, start, request_.options,
                                 validation ? &*validation : nullptr, [&](train::HistoryRow const& row) {
                                     if (control.progress) control.progress(row.epoch, request_.options.epochs);
                                 });
        for (auto const& row : trained.history) add(row);
        if (!mlp::has_classes(request_.objective)) answer_.warn("no accuracy: this loss has no classes");
        if (trained.diverged_at) {
            answer_.warn("the run diverged: after " + std::to_string(*trained.diverged_at) +
                         " steps loss or gradient is no finite number; a smaller --rate may help" +
                         (request_.save ? "; nothing is saved" : ""));
            return;
        }
        answer_.warn(std::string("stopped by ") + name(trained.stop) + ", after " +
                     std::to_string(trained.history.back().steps) + " steps");
        if (request_.save)
            write_file(*request_.save, weights_text(request_.architecture, request_.unit, trained.parameters),
                       "--save");
    }

private:
    [[nodiscard]] mlp::Examples<double> examples(DataSet const& set, std::string const& option) const {
        auto out = examples_of(set, request_.biases, option);
        auto const require = [&](Eigen::Index size, std::size_t width, std::string const& what) {
            if (static_cast<std::size_t>(size) == width) return;
            throw DomainError("WIDTHS: " + std::to_string(width) + " " + what + ", but " + set.place() + " has " +
                                  std::to_string(size),
                              "WIDTHS");
        };
        require(out.inputs.rows(), request_.architecture.inputs(), "inputs");
        require(out.targets.rows(), request_.architecture.outputs(), "outputs");
        return out;
    }

    void state(DataSet const& data) {
        auto const& unit = request_.unit;
        std::string const constant =
            mlp::usual_constant(unit.kind) ? " of constant " + shown(unit.constant()) : std::string();
        answer_.assume("one fully connected network in double, " + std::string(name(unit.kind)) + " units" + constant +
                       ", linear head, " +
                       (request_.biases ? "biases from 0 in place of the constant feature"
                                        : "no biases: the last input is the constant 1"));
        answer_.assume("initial weights Gaussian of variance " + shown(request_.initial_gain) + "/fan_in, seed " +
                       std::to_string(session_.seed));
        answer_.assume(data_text(data, session_.arguments));
        answer_.assume("loss " + std::string(name(request_.objective)) +
                       ", summed over outputs, the mean over samples");
        answer_.assume(stated(request_.options));
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

    Session const& session_;
    Answer& answer_;
    TrainRequest request_;
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
        .options = train_options(),
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
