// SPDX-License-Identifier: MIT
#include <isserlis/train/maximal_rate.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <string>

namespace isserlis::train {
namespace {

void require_search(RateSearch const& search, TrainingOptions const& options, mlp::Objective objective) {
    auto const require = [](bool valid, char const* what, double value, char const* required) {
        if (!valid)
            throw DomainError(std::string("maximal_rate: ") + what + " = " + std::to_string(value) + "; " + required,
                              what);
    };
    require(search.threshold > 0 && search.threshold <= 1, "threshold", search.threshold,
            "more than 0 and at most 1 is required");
    require(search.highest > 0 && std::isfinite(search.highest), "highest", search.highest,
            "a finite number above 0 is required");
    require(search.halvings >= 0 && search.halvings <= 1000, "halvings", search.halvings, "0 to 1000 are possible");
    require(search.bisections >= 0 && search.bisections <= 50, "bisections", search.bisections, "0 to 50 are possible");
    require(options.epochs > 0, "epochs", 0, "at least 1 is required");
    if (options.schedule != Schedule::constant || options.accuracy || options.patience)
        throw DomainError(
            "maximal_rate: it trains at constant rates, until the threshold is reached; leave schedule, accuracy and "
            "patience out",
            options.schedule != Schedule::constant ? "schedule"
            : options.accuracy                     ? "accuracy"
                                                   : "patience");
    if (!mlp::has_classes(objective))
        throw DomainError(
            std::string("maximal_rate: the objective ") + mlp::name(objective) + " has no classes, hence no accuracy",
            "objective");
}

/// The trials one after the other, those that are done already first.
template <class Trial>
class Search {
public:
    Search(RateSearch const& search, RateSearchHooks const& hooks, Trial trial)
        : search_(search), hooks_(hooks), trial_(trial) {}

    MaximalRate run() {
        out_.failed = search_.highest;
        if (reaches(search_.highest)) {
            out_.verdict = RateVerdict::at_least;
            out_.rate = search_.highest;
            out_.failed = 0;
            return finish();
        }
        for (int i = 0; i < search_.halvings && out_.verdict == RateVerdict::none; ++i) halve();
        if (out_.verdict == RateVerdict::found)
            for (int i = 0; i < search_.bisections; ++i) halve();
        return finish();
    }

private:
    void halve() {
        double const middle = (out_.rate + out_.failed) / 2;
        if (middle == out_.rate || middle == out_.failed) return;  // no double between them
        if (reaches(middle)) {
            out_.verdict = RateVerdict::found;
            out_.rate = middle;
        } else {
            out_.failed = middle;
        }
    }

    bool reaches(double rate) {
        std::size_t const k = out_.trials.size();
        if (k < hooks_.done.size()) {
            auto const& done = hooks_.done[k];
            if (done.rate != rate)
                throw DomainError("maximal_rate: trial " + std::to_string(k + 1) + " was done at rate " +
                                      std::to_string(done.rate) + ", where this search tries " + std::to_string(rate),
                                  "done");
            out_.trials.push_back(done);
        } else {
            out_.trials.push_back(trial_(k, rate));
            if (hooks_.on_trial) hooks_.on_trial(out_.trials.back());
        }
        return out_.trials.back().reached;
    }

    MaximalRate finish() {
        if (out_.trials.size() < hooks_.done.size())
            throw DomainError("maximal_rate: " + std::to_string(hooks_.done.size()) + " trials were done, where this " +
                                  "search ends after " + std::to_string(out_.trials.size()),
                              "done");
        return out_;
    }

    RateSearch const& search_;
    RateSearchHooks const& hooks_;
    Trial trial_;
    MaximalRate out_;
};

}  // namespace

template <class T>
MaximalRate maximal_rate(mlp::Architecture const& architecture, mlp::Objective objective,
                         mlp::Examples<T> const& training, std::vector<T> const& start, TrainingOptions const& options,
                         RateSearch const& search, mlp::Examples<T> const* validation, RateSearchHooks const& hooks) {
    require_search(search, options, objective);
    auto const trial = [&](std::size_t number, double rate) {
        TrainingOptions at_rate = options;
        at_rate.rate = rate;
        at_rate.history_every = 1;
        at_rate.row_gradients = false;
        RateTrial out{.rate = rate};
        TrainingHooks<T> of_rows;
        of_rows.on_row = [&](HistoryRow const& row) {
            if (hooks.on_row) hooks.on_row(number, row);
        };
        of_rows.enough = [&](HistoryRow const& row) {
            double const accuracy = validation == nullptr ? *row.accuracy : *row.validation_accuracy;
            out.accuracy = std::max(out.accuracy, accuracy);
            out.reached = accuracy >= search.threshold;
            return out.reached;
        };
        auto const run =
            train_on<T>(architecture, objective, training, {.parameters = start}, at_rate, validation, of_rows);
        out.epochs = run.history.back().epoch;
        out.diverged_at = run.diverged_at;
        return out;
    };
    return Search(search, hooks, trial).run();
}

template MaximalRate maximal_rate(mlp::Architecture const&, mlp::Objective, mlp::Examples<float> const&,
                                  std::vector<float> const&, TrainingOptions const&, RateSearch const&,
                                  mlp::Examples<float> const*, RateSearchHooks const&);
template MaximalRate maximal_rate(mlp::Architecture const&, mlp::Objective, mlp::Examples<double> const&,
                                  std::vector<double> const&, TrainingOptions const&, RateSearch const&,
                                  mlp::Examples<double> const*, RateSearchHooks const&);

}  // namespace isserlis::train
