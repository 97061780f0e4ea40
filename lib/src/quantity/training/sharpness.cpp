// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <isserlis/report/write_file.hpp>
#include <isserlis/train/record.hpp>
#include <isserlis/train/train.hpp>
#include <isserlis/train/unfinished.hpp>

#include "quantity/commands.hpp"
#include "quantity/training/checkpoint.hpp"

#include "quantity/training/sharpness_request.hpp"
#include "quantity/training/train_statement.hpp"
#include "quantity/training/training_data.hpp"

namespace isserlis::quantity {
namespace {

constexpr int digits_of_an_eigenvalue = 8;  ///< Lanczos leaves a residual of 1e-8 of the modulus at most
constexpr char const* of_a_run = "a number of one run, not an expectation";

bool has_kink(mlp::UnitKind kind) { return kind != mlp::UnitKind::identity && !mlp::is_curved(kind); }

/// "below 1e-07": a power of ten above the residual, and above what rounding may make of it elsewhere.
std::string above(double residual, double modulus) {
    constexpr double rounding = 1e-10;
    double const least = std::max(residual, rounding * modulus);
    if (least == 0) return "0";
    return "below " + shown(std::pow(10, std::ceil(std::log10(least))));
}

class SharpnessCommand {
public:
    SharpnessCommand(SharpnessRequest const& request, Session const& session, Answer& answer)
        : session_(session), answer_(answer), request_(request), data_(read_training_data(session, request.run)) {}

    void run() {
        auto const& run = request_.run;
        state_network(run, data_, std::to_string(session_.seed), answer_);
        if (run.options.epochs > 0)
            answer_.assume(stated_steps(run.options, "rate " + shown(run.options.rate)) +
                           "; stable_rate: that of plain gradient descent from there");
        answer_.assume("top eigenvalues of the Hessian of the mean loss by all parameters" + factors() +
                       ", by Lanczos on exact products" +
                       (has_kink(run.unit.kind) ? "; the second derivative of a unit is 0, at its kink too" : ""));
        auto const progress = session_.progress_of({"trained", "of", "epochs"});
        train::TrainingHooks<double> hooks;
        auto const start = begin();
        hooks.on_state = [&](train::TrainingState<double> const& state) {
            session_.stop_if_told();
            std::uint64_t const epoch = state.history.back().epoch;
            found_.push_back(train::sharpness(*run.architecture, run.objective, data_.training, state.parameters,
                                              request_.label_factors, session_.threads));
            if (run.checkpoint)
                write_file(*run.checkpoint, train::measured_text({state, found_}, fingerprint_), checkpoint_parameter);
            if (progress && run.options.epochs > 0) progress(epoch, run.options.epochs);
        };
        auto const trained = train::train_on<double>(*run.architecture, run.objective, data_.training, start,
                                                     run.options, validation(), hooks);
        for (std::size_t i = 0; i < found_.size(); ++i) add(trained.history[i].epoch, found_[i]);
        if (trained.diverged_at)
            answer_.warn("the run diverged: after " + std::to_string(*trained.diverged_at) +
                         " steps loss or gradient is no finite number; a smaller `rate` may help");
        else if (run.options.epochs > 0)
            answer_.warn(stated_stop(name(trained.stop), trained.history.back().steps));
    }

private:
    [[nodiscard]] mlp::Examples<double> const* validation() const {
        return data_.validation ? &*data_.validation : nullptr;
    }

    /// The start, or what a run that was killed has left, with the sharpness found until then.
    [[nodiscard]] train::TrainingState<double> begin() {
        auto const& run = request_.run;
        train::TrainingState<double> out{.parameters = start_of(run, session_.seed)};
        if (!run.checkpoint) return out;
        train::Fingerprint all;
        all.add(train::run_fingerprint<double>(*run.architecture, run.objective, data_.training, out.parameters,
                                               run.options, validation()));
        for (double const factor : request_.label_factors) all.add(factor);
        fingerprint_ = all.value();
        auto const text = checkpoint_text(*run.checkpoint);
        if (!text) return out;
        std::string const place = checkpoint_place(*run.checkpoint);
        auto kept = train::parse_measured(*text, fingerprint_, *run.architecture, place);
        found_ = std::move(kept.sharpness);
        answer_.warn("went on after epoch " + std::to_string(kept.state.history.back().epoch) + " of the run that " +
                     place + " holds");
        return std::move(kept.state);
    }

    [[nodiscard]] std::string factors() const {
        std::string out;
        for (double const f : request_.label_factors) out += (out.empty() ? "" : ",") + shown(f);
        return out.empty() ? out : ", sqrt(h) H sqrt(h) with h = " + out + " by layer";
    }

    void add(std::uint64_t epoch, train::Sharpness const& found) {
        std::vector<std::string> const index = {std::to_string(epoch)};
        double const modulus = std::abs(found.modulus.value);
        auto const eigenvalue = [modulus](double value, mlp::ExtremeEigenvalue const& e) {
            return Value::approximate(
                value, digits_of_an_eigenvalue,
                "residual " + above(e.residual, modulus) + (e.value < 0 && value > 0 ? ", negative" : ""));
        };
        answer_.add("top_eigenvalue", index, eigenvalue(found.top.value, found.top), {}, of_a_run);
        answer_.add("top_eigenvalue_modulus", index, eigenvalue(std::abs(found.modulus.value), found.modulus), {},
                    of_a_run);
        auto const rate = found.stable_rate();
        answer_.add("stable_rate", index,
                    rate ? Value::approximate(*rate, digits_of_an_eigenvalue, "2/lambda_1")
                         : Value::absent("none: no eigenvalue is positive"),
                    {}, of_a_run);
    }

    Session const& session_;
    Answer& answer_;
    SharpnessRequest const& request_;
    TrainingData data_;
    std::vector<train::Sharpness> found_;  ///< of each row so far
    std::uint64_t fingerprint_ = 0;        ///< where there is a checkpoint
};

}  // namespace

Command sharpness_command() {
    CommandOf<SharpnessRequest> out;
    out.text = {
        .name = "sharpness",
        .summary = "Top eigenvalues of the Hessian of a training loss, by epoch",
        .positional = "`widths`",
        .positional_help = "d_0,..,d_n in numbers; d_0 counts the constant feature unless `biases` is given",
        .most_positionals = 1,
        .refusals = {{{"check", "layer", "set", "table", "shard", "keep"},
                      "{} means nothing here: a training run has numbers, and results for each epoch; see `every`"}},
        .charted = "top_eigenvalue",
        .needless = {"check"},
    };
    out.parameters = sharpness_parameters();
    out.complete = complete_sharpness_request;
    out.evaluate = [](SharpnessRequest const& request, Session const& session, Bindings const&, Answer& answer) {
        SharpnessCommand(request, session, answer).run();
    };
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
