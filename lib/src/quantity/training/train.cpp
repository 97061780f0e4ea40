// SPDX-License-Identifier: MIT
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/report/write_file.hpp>
#include <isserlis/train/train.hpp>

#include "quantity/commands.hpp"
#include "quantity/training/checkpoint.hpp"

#include "quantity/training/train_statement.hpp"
#include "quantity/training/training_data.hpp"
#include "question/weights_file.hpp"

namespace isserlis::quantity {
namespace {

constexpr int digits_of_a_run = 12;  ///< that other orders of the same sums leave alone
constexpr char const* a_run = "a number of one run, not an expectation";

class TrainCommand {
public:
    TrainCommand(TrainRequest const& request, Session const& session, Answer& answer)
        : session_(session), answer_(answer), request_(request) {}

    void run() {
        auto const data = read_training_data(session_, request_);
        state_training(session_, request_, data, answer_);
        auto const* const validation = data.validation ? &*data.validation : nullptr;
        auto const start = start_of(request_, session_.seed);
        train::TrainingHooks<double> hooks;
        auto const progress = session_.progress_of({"trained", "of", "epochs"});
        hooks.on_row = [&](train::HistoryRow const& row) {
            session_.stop_if_told();
            if (progress) progress(row.epoch, request_.options.epochs);
        };
        train::TrainingState<double> from{.parameters = start};
        if (auto const& file = request_.checkpoint) {
            auto const run = train::run_fingerprint<double>(*request_.architecture, request_.objective, data.training,
                                                            start, request_.options, validation);
            if (auto const text = checkpoint_text(*file)) {
                from = train::parse_state<double>(*text, run, *request_.architecture, checkpoint_place(*file));
                answer_.warn("went on after epoch " + std::to_string(from.history.back().epoch) + " of the run that " +
                             checkpoint_place(*file) + " holds");
            }
            hooks.on_state = [&file, run](train::TrainingState<double> const& state) {
                write_file(*file, train::state_text(state, run), checkpoint_parameter);
            };
        }
        auto const trained = train::train_on<double>(*request_.architecture, request_.objective, data.training,
                                                     std::move(from), request_.options, validation, hooks);
        for (auto const& row : trained.history) add(row);
        if (!mlp::has_classes(request_.objective)) answer_.warn("no accuracy: this loss has no classes");
        if (trained.diverged_at) {
            answer_.warn("the run diverged: after " + std::to_string(*trained.diverged_at) +
                         " steps loss or gradient is no finite number; a smaller `rate` may help" +
                         (request_.save ? "; nothing is saved" : ""));
            return;
        }
        answer_.warn(stated_stop(name(trained.stop), trained.history.back().steps));
        if (request_.save)
            write_file(*request_.save, weights_text(*request_.architecture, request_.unit, trained.parameters), "save");
    }

private:
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
    TrainRequest const& request_;
};

}  // namespace

Command train_command() {
    CommandOf<TrainRequest> out;
    out.text = {
        .name = "train",
        .summary = "Train one network in floating point; loss, accuracy and gradient by epoch",
        .positional = "`widths`",
        .positional_help = "d_0,..,d_n in numbers; d_0 counts the constant feature unless `biases` is given",
        .most_positionals = 1,
        .refusals = {{{"check", "layer", "set", "table", "shard", "keep"},
                      "{} means nothing here: a training run has numbers, and one result for each epoch; see `every`"}},
        .charted = "loss",
        .needless = {"check"},
    };
    out.parameters = train_parameters();
    out.parameters.add(&TrainRequest::data, training_data_parameters());
    out.complete = complete_train_request;
    out.evaluate = [](TrainRequest const& request, Session const& session, Bindings const&, Answer& answer) {
        TrainCommand(request, session, answer).run();
    };
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
