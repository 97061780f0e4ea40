// SPDX-License-Identifier: MIT
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/report/plot.hpp>
#include <isserlis/report/write_file.hpp>
#include <isserlis/train/train.hpp>

#include "checkpoint.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "train_statement.hpp"
#include "training_data.hpp"
#include "weights_file.hpp"

namespace isserlis::cli {
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
        auto const progress = progress_on_terminal({"trained", "of", "epochs"});
        hooks.on_row = [&](train::HistoryRow const& row) {
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
                write_file(*file, train::state_text(state, run), checkpoint_option);
            };
        }
        auto const trained = train::train_on<double>(*request_.architecture, request_.objective, data.training,
                                                     std::move(from), request_.options, validation, hooks);
        for (auto const& row : trained.history) add(row);
        if (request_.plot) draw(trained.history, *request_.plot);
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
            write_file(*request_.save, weights_text(*request_.architecture, request_.unit, trained.parameters),
                       "--save");
    }

private:
    /// On a logarithmic axis: losses that fall by powers are straight lines.
    void draw(std::vector<train::HistoryRow> const& history, std::string const& file) const {
        Plot plot{.title = command_line(session_.typed, {"--plot", "--output", "--format", "--digits", "--explain"}),
                  .x_label = "epoch",
                  .y_label = "loss",
                  .series = {{.title = "loss", .points = {}}},
                  .log_x = false,
                  .log_y = true};
        PlotSeries validation{.title = "validation loss", .points = {}};
        for (auto const& row : history) {
            auto const epoch = static_cast<double>(row.epoch);
            plot.series.front().points.push_back({.x = epoch, .y = row.loss});
            if (row.validation_loss) validation.points.push_back({.x = epoch, .y = *row.validation_loss});
        }
        if (!validation.points.empty()) plot.series.push_back(std::move(validation));
        write_plot(plot, file, "--plot");
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
    TrainRequest const& request_;
};

}  // namespace

Command train_command() {
    CommandOf<TrainRequest> out;
    out.text = {
        .name = "train",
        .summary = "Train one network in floating point; loss, accuracy and gradient by epoch",
        .positional = "WIDTHS",
        .positional_help = "d_0,..,d_n in numbers; d_0 counts the constant feature unless --biases is given",
        .most_positionals = 1,
        .examples =
            "Examples:\n"
            "  isserlis train 2,16,1 --data cos --rate 1/10 --epochs 50 --every 10\n"
            "  isserlis train 2,16,16,1 --data cos --activation gelu --optimiser adam\n"
            "  isserlis train 3,8,1 --data checkerboard --activation tanh --rate 1/20 -f csv\n"
            "  isserlis train 785,256,10 --data idx:images,labels --loss cross-entropy\n",
        .refusals = {{{"--check", "--layer", "--set", "--table"},
                      "{} means nothing here: a training run has numbers, and one result for each epoch; see --every"}},
        .needless = {"--check"},
    };
    out.options = train_options();
    out.options.add(&TrainRequest::data, training_data_options());
    out.complete = complete_train_request;
    out.evaluate = [](TrainRequest const& request, Session const& session, Bindings const&, Answer& answer) {
        TrainCommand(request, session, answer).run();
    };
    return bound(std::move(out));
}

}  // namespace isserlis::cli
