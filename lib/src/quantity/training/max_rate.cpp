// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/report/write_file.hpp>
#include <isserlis/train/linear_classifier.hpp>
#include <isserlis/train/record.hpp>
#include <isserlis/train/unfinished.hpp>
#include <limits>

#include "quantity/commands.hpp"
#include "quantity/training/checkpoint.hpp"
#include "quantity/training/max_rate_request.hpp"

#include "quantity/training/train_statement.hpp"
#include "quantity/training/training_data.hpp"

namespace isserlis::quantity {
namespace {

constexpr int digits_of_a_rate = 12;
constexpr char const* of_one_search = "a number of one search, not an expectation";

class MaxRateCommand {
public:
    MaxRateCommand(MaxRateRequest const& request, Session const& session, Answer& answer)
        : session_(session), answer_(answer), request_(request), data_(read_training_data(session, request_.run)) {}

    void run() {
        if (session_.seed > std::numeric_limits<std::uint64_t>::max() - (request_.networks - 1))
            throw DomainError("`seed` " + std::to_string(session_.seed) + ": the seeds of " +
                                  std::to_string(request_.networks) + " networks go beyond 2^64 - 1",
                              "seed");
        std::string const first = std::to_string(session_.seed);
        state_network(
            request_.run, data_,
            request_.networks == 1 ? first : first + " to " + std::to_string(session_.seed + request_.networks - 1),
            answer_);
        answer_.assume(stated_steps(request_.run.options, "one constant rate") + "; up to " +
                       std::to_string(request_.run.options.epochs) + " epochs");
        answer_.assume(std::string("a rate will do when the accuracy over ") + tried_on() +
                       " samples reaches the threshold after one of them; the same start and orders at every rate");
        set_threshold();
        resume();
        for (std::uint64_t k = 0; k < request_.networks; ++k) search(k);
        if (progress_) progress_(1, 1);  // the line goes
    }

private:
    [[nodiscard]] mlp::Examples<double> const* validation() const {
        return data_.validation ? &*data_.validation : nullptr;
    }
    [[nodiscard]] char const* tried_on() const { return data_.validation ? "the validation" : "the training"; }

    void set_threshold() {
        request_.search.threshold = request_.threshold ? *request_.threshold : classifier_accuracy();
        answer_.add("threshold", {},
                    Value::approximate(request_.search.threshold, digits_of_a_rate,
                                       request_.threshold ? "as given" : "of the linear classifier"),
                    {}, of_one_search);
    }

    [[nodiscard]] double classifier_accuracy() {
        train::LinearClassifierOptions const options{.bias = request_.run.biases, .threads = session_.threads};
        auto const fit = train::linear_classifier(request_.run.objective, data_.training, validation(), options);
        answer_.assume(
            std::string("threshold: accuracy over ") + tried_on() + " samples of the linear classifier of least loss" +
            (fit.converged ? ", whose gradient has a norm of at most " + shown(options.tolerance) : std::string()));
        if (!fit.converged)
            answer_.warn("the linear classifier is not at its least loss: the gradient still has norm " +
                         shown(fit.gradient_norm) + "; `threshold` gives a threshold of your own");
        double const out = fit.validation_accuracy.value_or(fit.accuracy);
        if (out == 0)
            throw DomainError("`threshold`: the linear classifier gets no sample right; give a threshold", "threshold");
        return out;
    }

    [[nodiscard]] std::uint64_t fingerprint() const {
        train::Fingerprint out;
        auto const& run = request_.run;
        out.add(train::run_fingerprint<double>(*run.architecture, run.objective, data_.training,
                                               start_of(run, session_.seed), run.options, validation()));
        for (double const x : {request_.search.threshold, request_.search.highest}) out.add(x);
        for (int const n : {request_.search.halvings, request_.search.bisections}) out.add(std::to_string(n));
        return out.value();
    }

    void resume() {
        if (!request_.run.checkpoint) return;
        run_ = fingerprint();
        auto const text = checkpoint_text(*request_.run.checkpoint);
        if (!text) return;
        std::string const place = checkpoint_place(*request_.run.checkpoint);
        trials_ = train::parse_trials(*text, run_, place);
        std::size_t done = 0;
        for (auto const& of_network : trials_) done += of_network.size();
        answer_.warn("went on after " + std::to_string(done) + " trials that " + place + " holds");
    }

    void search(std::uint64_t k) {
        auto run = request_.run;
        run.options.seed = session_.seed + k;
        train::RateSearchHooks hooks;
        if (k < trials_.size()) hooks.done = trials_[k];
        trials_.resize(std::max<std::size_t>(trials_.size(), k + 1));
        hooks.on_trial = [&](train::RateTrial const& trial) {
            trials_[k].push_back(trial);
            if (run.checkpoint) write_file(*run.checkpoint, train::trials_text(trials_, run_), checkpoint_parameter);
        };
        hooks.on_row = [&](std::size_t trial, train::HistoryRow const& row) { show(k, trial, row.epoch); };
        add(run.options.seed, train::maximal_rate<double>(*run.architecture, run.objective, data_.training,
                                                          start_of(run, run.options.seed), run.options, request_.search,
                                                          validation(), hooks));
    }

    /// How much is left is a guess: three rates before the first that will do, all epochs of each.
    void show(std::uint64_t network, std::size_t trial, std::uint64_t epoch) {
        session_.stop_if_told();
        if (!progress_) return;
        std::uint64_t const epochs = request_.run.options.epochs;
        std::uint64_t const trials = 3 + static_cast<std::uint64_t>(request_.search.bisections);
        std::uint64_t const done = (network * trials + std::min<std::uint64_t>(trial, trials - 1)) * epochs + epoch;
        progress_(done, request_.networks * trials * epochs);
    }

    void add(std::uint64_t seed, train::MaximalRate const& found) {
        std::vector<std::string> const index = {std::to_string(seed)};
        std::string const highest = shown(request_.search.highest);
        switch (found.verdict) {
            case train::RateVerdict::found:
                answer_.add("max_initial_rate", index,
                            Value::approximate(found.rate, digits_of_a_rate,
                                               "reaches the threshold; " + shown(found.failed) + " does not"),
                            {}, of_one_search);
                return;
            case train::RateVerdict::at_least:
                answer_.add("max_initial_rate", index,
                            Value::approximate(found.rate, digits_of_a_rate,
                                               "at least: the highest rate reaches the threshold"),
                            {}, of_one_search);
                return;
            case train::RateVerdict::none:
                answer_.add("max_initial_rate", index,
                            Value::absent("no valid rate: none of " + std::to_string(found.trials.size()) + " from " +
                                          highest + " down to " + shown(found.failed) + " reaches the threshold"),
                            {}, of_one_search);
                return;
        }
    }

    Session const& session_;
    Answer& answer_;
    MaxRateRequest request_;
    TrainingData data_;
    std::vector<std::vector<train::RateTrial>> trials_;
    std::uint64_t run_ = 0;
    Progress progress_ = session_.progress_of({"trained", "of about", "epochs"});
};

}  // namespace

Command max_rate_command() {
    CommandOf<MaxRateRequest> out;
    out.text = {
        .name = "max-rate",
        .summary = "The largest rate at which a network begins to learn, by search",
        .positional = "`widths`",
        .positional_help = "d_0,..,d_n in numbers; d_0 counts the constant feature unless `biases` is given",
        .most_positionals = 1,
        .refusals = {{{"check", "layer", "set", "table", "shard", "keep"},
                      "{} means nothing here: a search has numbers, and one result for each network"}},
        .charted = "max_initial_rate",
        .needless = {"check"},
    };
    out.parameters = max_rate_parameters();
    out.complete = complete_max_rate_request;
    out.evaluate = [](MaxRateRequest const& request, Session const& session, Bindings const&, Answer& answer) {
        MaxRateCommand(request, session, answer).run();
    };
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
