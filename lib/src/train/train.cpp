// SPDX-License-Identifier: MIT
#include <isserlis/train/train.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/random/below.hpp>
#include <isserlis/random/stream.hpp>
#include <isserlis/train/update.hpp>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>

namespace isserlis::train {
namespace {

using Index = Eigen::Index;

template <class T>
void require_examples(mlp::Architecture const& architecture, mlp::Objective objective, mlp::Examples<T> const& examples,
                      char const* which) {
    auto const& [inputs, targets] = examples;
    if (inputs.rows() != static_cast<Index>(architecture.inputs()) ||
        targets.rows() != static_cast<Index>(architecture.outputs()) || inputs.cols() != targets.cols() ||
        inputs.cols() == 0)
        throw DomainError(std::string("train: the ") + which + " examples are " + std::to_string(inputs.rows()) +
                              " x " + std::to_string(inputs.cols()) + " inputs with " + std::to_string(targets.rows()) +
                              " x " + std::to_string(targets.cols()) + " targets, a column a sample; the network has " +
                              std::to_string(architecture.inputs()) + " inputs and " +
                              std::to_string(architecture.outputs()) + " outputs, and needs 1 sample or more",
                          which);
    for (Index k = 0; k < inputs.cols(); ++k)
        if (!inputs.col(k).allFinite())
            throw DomainError(
                std::string("train: an input of ") + which + " sample " + std::to_string(k + 1) + " is not finite",
                which);
    mlp::require_targets(objective, targets);
}

template <class T>
class Run {
public:
    Run(mlp::Architecture const& architecture, mlp::Objective objective, mlp::Examples<T> const& training,
        TrainingState<T> state, TrainingOptions const& options, mlp::Examples<T> const* validation,
        TrainingHooks<T> const& hooks)
        : architecture_(architecture),
          training_(training),
          validation_(validation),
          options_(options),
          hooks_(hooks),
          update_(architecture, options),
          loss_(architecture, objective, options.threads),
          gradient_(architecture.parameters()) {
        require_examples(architecture, objective, training, "training");
        if (validation != nullptr) require_examples(architecture, objective, *validation, "validation");
        require_start(state.parameters);
        require_units();
        require_batches();
        if (options.accuracy && !mlp::has_classes(objective))
            throw DomainError(
                std::string("train: a stop by accuracy (`stop_accuracy`) needs classes, and the objective ") +
                    mlp::name(objective) + " has none",
                "accuracy");
        out_.parameters = std::move(state.parameters);
        if (!state.history.empty()) {
            recall(std::move(state));
            return;
        }
        out_.moments.mean.assign(architecture.normed_neurons(), T(0));
        out_.moments.deviation.assign(architecture.normed_neurons(), T(1));
    }

    Trained<T> run() {
        bool const resumed = !out_.history.empty();
        std::uint64_t const first = resumed ? out_.history.back().epoch : 0;
        double rate = resumed ? out_.history.back().learning_rate : scheduled_rate(options_, 0, 0);
        bool finite = true;
        for (std::uint64_t epoch = first;; ++epoch) {
            bool const has_row = resumed && epoch == first;
            if (!finite || has_row || epoch % options_.history_every == 0 || epoch == options_.epochs) {
                if (!has_row) {
                    finite = add_row(epoch, rate) && finite;
                    if (!finite) return finish(Stop::diverged);
                    if (hooks_.on_state)
                        hooks_.on_state({out_.parameters, out_.moments, update_.memory(), out_.history});
                }
                if (auto const stop = reached(out_.history.back())) return finish(*stop);
            }
            if (epoch >= options_.epochs) return finish(Stop::epochs);
            finite = pass_epoch(epoch, rate);
        }
    }

private:
    void require_start(std::vector<T> const& start) const {
        if (start.size() != architecture_.parameters())
            throw DomainError("train: " + std::to_string(start.size()) + " start values for " +
                                  std::to_string(architecture_.parameters()) + " parameters",
                              "start");
        for (std::size_t i = 0; i < start.size(); ++i)
            if (!std::isfinite(start[i]))
                throw DomainError("train: start value " + std::to_string(i + 1) + " is not finite", "start");
    }

    void require_units() const {
        for (std::size_t v = 0; v < architecture_.traits().size(); ++v)
            if (architecture_.traits()[v].unit.kind == mlp::UnitKind::step)
                throw UnsupportedError("train: node " + printable(architecture_.wiring().nodes()[v].name) +
                                           " has step units, which have no derivative to train by",
                                       "architecture");
    }

    void recall(TrainingState<T> state) {
        std::size_t const normed = architecture_.normed_neurons();
        if (state.moments.mean.size() != normed || state.moments.deviation.size() != normed)
            throw DomainError("train: the state's moments are those of another network", "state");
        update_.recall(std::move(state.memory));
        out_.moments = std::move(state.moments);
        out_.history = std::move(state.history);
        for (auto row = out_.history.begin(); row + 1 < out_.history.end(); ++row) static_cast<void>(reached(*row));
    }

    void require_batches() const {
        if (!architecture_.has_batch_norm()) return;
        std::size_t const rest = samples() % batch_size();
        if (batch_size() == 1 || rest == 1)
            throw DomainError("train: " + std::to_string(samples()) + " samples in batches of " +
                                  std::to_string(batch_size()) +
                                  " leave a batch of 1 sample, which has no deviation for batch norm; take another "
                                  "batch_size",
                              "batch_size");
    }

    [[nodiscard]] std::size_t samples() const { return static_cast<std::size_t>(training_.inputs.cols()); }
    [[nodiscard]] std::size_t batch_size() const {
        return options_.batch_size == 0 ? samples() : std::min(options_.batch_size, samples());
    }

    /// Steps through all batches; false after divergence.
    bool pass_epoch(std::uint64_t epoch, double& rate) {
        if (batch_size() == samples()) return step(training_, rate = scheduled_rate(options_, epoch, update_.steps()));
        auto const order = sample_order(samples(), options_.seed, epoch);
        for (std::size_t first = 0; first < order.size(); first += batch_size()) {
            std::size_t const count = std::min(batch_size(), order.size() - first);
            auto const columns = std::span(order).subspan(first, count);
            batch_.inputs.resize(training_.inputs.rows(), static_cast<Index>(count));
            batch_.targets.resize(training_.targets.rows(), static_cast<Index>(count));
            for (std::size_t k = 0; k < count; ++k) {
                batch_.inputs.col(static_cast<Index>(k)) = training_.inputs.col(static_cast<Index>(columns[k]));
                batch_.targets.col(static_cast<Index>(k)) = training_.targets.col(static_cast<Index>(columns[k]));
            }
            rate = scheduled_rate(options_, epoch, update_.steps());
            if (!step(batch_, rate)) return false;
        }
        return true;
    }

    bool step(mlp::Examples<T> const& batch, double rate) {
        mlp::PassForm<T> form;
        Stream masks(options_.seed, update_.steps(), StreamUse::masks);
        if (architecture_.has_dropout())
            form.dropout = [&](std::size_t node, std::span<T> kept) {
                double const keep = architecture_.traits()[node].keep;
                for (T& k : kept) k = masks.uniform() < keep ? T(1) : T(0);
            };
        auto const& parameters = out_.parameters;
        double const loss = loss_.gradient(parameters, batch, gradient_, form).loss;
        mlp::Moments<T> const& seen = loss_.batch_moments();
        double const penalty = add_penalty<T>(architecture_, options_.l1, options_.l2, parameters, gradient_);
        if (!std::isfinite(loss + penalty) || !std::isfinite(norm<T>(gradient_))) return diverge();
        for (std::size_t i = 0; i < architecture_.normed_neurons(); ++i) {
            smooth(out_.moments.mean[i], seen.mean[i]);
            smooth(out_.moments.deviation[i], seen.deviation[i]);
        }
        clip<T>(options_.clipping, options_.clip, gradient_);
        update_.step(out_.parameters, gradient_, rate);
        return true;
    }

    void smooth(T& mean, T value) const {
        auto const share = static_cast<T>(options_.moment_smoothing);
        mean = share * mean + (1 - share) * value;
    }

    bool diverge() {
        if (!out_.diverged_at) out_.diverged_at = update_.steps();
        return false;
    }

    /// Measures and keeps a row; false where it is not finite.
    bool add_row(std::uint64_t epoch, double rate) {
        mlp::PassForm<T> const form{.moments = &out_.moments, .dropout = {}};
        auto const share = [](std::optional<std::size_t> right, Index count) -> std::optional<double> {
            if (!right) return std::nullopt;
            return static_cast<double>(*right) / static_cast<double>(count);
        };
        auto const value = options_.row_gradients ? loss_.gradient(out_.parameters, training_, gradient_, form)
                                                  : loss_.value(out_.parameters, training_, form);
        HistoryRow row{.epoch = epoch, .steps = update_.steps(), .loss = value.loss, .learning_rate = rate};
        row.accuracy = share(value.right, training_.inputs.cols());
        row.penalty = add_penalty<T>(architecture_, options_.l1, options_.l2, out_.parameters,
                                     options_.row_gradients ? std::span<T>(gradient_) : std::span<T>());
        if (options_.row_gradients) row.gradient_norm = norm<T>(gradient_);
        if (validation_ != nullptr) {
            auto const other = loss_.value(out_.parameters, *validation_, form);
            row.validation_loss = other.loss;
            row.validation_accuracy = share(other.right, validation_->inputs.cols());
        }
        out_.history.push_back(row);
        if (hooks_.on_row) hooks_.on_row(row);
        return std::isfinite(row.loss + row.penalty + row.gradient_norm.value_or(0)) || diverge();
    }

    [[nodiscard]] std::optional<Stop> reached(HistoryRow const& row) {
        if (options_.accuracy && *row.accuracy >= *options_.accuracy) return Stop::accuracy;
        if (double const loss = row.validation_loss.value_or(row.loss); loss < lowest_) {
            lowest_ = loss;
            lowest_epoch_ = row.epoch;
        }
        if (options_.patience && row.epoch - lowest_epoch_ >= *options_.patience) return Stop::patience;
        if (hooks_.enough && row.epoch > 0 && hooks_.enough(row)) return Stop::enough;
        return std::nullopt;
    }

    Trained<T> finish(Stop stop) {
        out_.stop = stop;
        return std::move(out_);
    }

    mlp::Architecture const& architecture_;
    mlp::Examples<T> const& training_;
    mlp::Examples<T> const* validation_;
    TrainingOptions options_;
    TrainingHooks<T> const& hooks_;
    Update<T> update_;
    mlp::DataLoss<T> loss_;
    std::vector<T> gradient_;
    mlp::Examples<T> batch_;
    Trained<T> out_;
    double lowest_ = std::numeric_limits<double>::infinity();
    std::uint64_t lowest_epoch_ = 0;
};

}  // namespace

char const* name(Stop stop) {
    switch (stop) {
        case Stop::epochs: return "epochs";
        case Stop::accuracy: return "accuracy";
        case Stop::patience: return "patience";
        case Stop::enough: return "enough";
        case Stop::diverged: return "diverged";
    }
    return "";
}

std::vector<std::size_t> sample_order(std::size_t samples, std::uint64_t seed, std::uint64_t epoch) {
    std::vector<std::size_t> out(samples);
    std::iota(out.begin(), out.end(), std::size_t{0});
    Stream stream(seed, epoch, StreamUse::batches);
    for (std::size_t left = samples; left > 1; --left) std::swap(out[left - 1], out[below(stream, left)]);
    return out;
}

template <class T>
Trained<T> train(mlp::Architecture const& architecture, mlp::Objective objective, mlp::Examples<T> const& training,
                 std::vector<T> start, TrainingOptions const& options, mlp::Examples<T> const* validation,
                 std::function<void(HistoryRow const&)> const& on_row) {
    TrainingHooks<T> const hooks{.on_row = on_row};
    return train_on<T>(architecture, objective, training, {.parameters = std::move(start)}, options, validation, hooks);
}

template <class T>
Trained<T> train_on(mlp::Architecture const& architecture, mlp::Objective objective, mlp::Examples<T> const& training,
                    TrainingState<T> state, TrainingOptions const& options, mlp::Examples<T> const* validation,
                    TrainingHooks<T> const& hooks) {
    return Run<T>(architecture, objective, training, std::move(state), options, validation, hooks).run();
}

template Trained<float> train(mlp::Architecture const&, mlp::Objective, mlp::Examples<float> const&, std::vector<float>,
                              TrainingOptions const&, mlp::Examples<float> const*,
                              std::function<void(HistoryRow const&)> const&);
template Trained<double> train(mlp::Architecture const&, mlp::Objective, mlp::Examples<double> const&,
                               std::vector<double>, TrainingOptions const&, mlp::Examples<double> const*,
                               std::function<void(HistoryRow const&)> const&);
template Trained<float> train_on(mlp::Architecture const&, mlp::Objective, mlp::Examples<float> const&,
                                 TrainingState<float>, TrainingOptions const&, mlp::Examples<float> const*,
                                 TrainingHooks<float> const&);
template Trained<double> train_on(mlp::Architecture const&, mlp::Objective, mlp::Examples<double> const&,
                                  TrainingState<double>, TrainingOptions const&, mlp::Examples<double> const*,
                                  TrainingHooks<double> const&);

}  // namespace isserlis::train
