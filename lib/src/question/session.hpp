// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/recorded_runs.hpp>
#include <isserlis/monte_carlo/run.hpp>
#include <isserlis/question/question.hpp>
#include <isserlis/question/surroundings.hpp>
#include <isserlis/report/answer.hpp>
#include <isserlis/report/value.hpp>
#include <isserlis/ring/rational.hpp>
#include <isserlis/ring/surd.hpp>
#include <isserlis/verify/sample_choice.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "question/sweep.hpp"

namespace isserlis::quantity {

/// What `emit_test` asks for.
struct EmittedTest {
    std::string language;  ///< empty for no test
    std::optional<std::uint64_t> samples;
    std::optional<std::string> tolerance;
    explicit operator bool() const { return !language.empty(); }
};

/// The common parameters, and those that many commands have, read and checked.
struct Session {
    Question question;  ///< as given, for the readers of requests
    Answer::Options output;
    std::function<Progress(ProgressWords)> progress;
    std::optional<std::string> layer;           ///< as given; when a command runs, with values for its symbols
    std::optional<std::uint64_t> samples;       ///< `check`
    std::optional<SampleGoal> goal;             ///< `time` and `until`, which choose that number
    std::optional<monte_carlo::Shard> shard;    ///< `shard`: only this part of the samples
    std::optional<std::string> kept;            ///< `keep`: a file of what is sampled so far
    monte_carlo::SharedWork* shared = nullptr;  ///< who else works on the sampling
    bool whatever_it_takes = false;             ///< `yes`
    std::uint64_t seed = 1;
    unsigned threads = 1;
    Bindings bindings;
    std::vector<std::string> tables;  ///< `table`, as given
    std::vector<Sweep> sweeps;        ///< its values
    bool explain = false;
    std::atomic<bool> const* stop = nullptr;
    bool printed = false;  ///< `printed`: also what the sources misprint
    EmittedTest test;
    std::optional<std::string> chart_file;  ///< `plot`
    std::string charted;                    ///< `plot_of`; empty for what the command draws
    std::optional<std::string> limit;       ///< `limit`: a kind, a symbol, or depth/width
    std::optional<std::string> series;      ///< `series`: the symbol in whose inverse is expanded
    std::size_t series_order = 2;
    std::optional<std::string>
        solve;                    ///< the symbol, width or depth that is looked for, or a word of the command's own
    std::string solved_quantity;  ///< `of`
    std::optional<Surd> target;
    std::vector<TypedWord> typed;  ///< the command line

    /// What long work reports to; nothing where nobody listens.
    [[nodiscard]] Progress progress_of(ProgressWords words) const {
        return progress ? progress(std::move(words)) : Progress();
    }
    /// Errors  Interrupted once the work has been told to stop.
    void stop_if_told() const;
    /// How sampling runs: threads, progress, what stops it.
    [[nodiscard]] monte_carlo::RunControl run_control() const;
    /// Who asks, for questions that are part of the answer: the same words, LaTeX and stop; no progress of their own.
    [[nodiscard]] Surroundings surroundings() const;
    /// What every index begins with: the values of the swept symbols, as text.
    [[nodiscard]] std::vector<std::string> sweep_prefix(Bindings const& at) const;
};

/// `printed`, of commands that have quantities as the sources misprint them.
[[nodiscard]] Parameter printed_parameter();

/// `emit_test`, `emit_samples` and `emit_tolerance`; `refusals` of a command's own.
[[nodiscard]] std::vector<Parameter> emit_parameters(std::vector<Refusal> const& refusals = {});

/// `plot` and `plot_of` of a command that draws this quantity if nothing else is asked.
[[nodiscard]] std::vector<Parameter> chart_parameters(std::string const& charted);

/// `limit`, `series` and `series_order` of a command whose formulas can be expanded.
[[nodiscard]] std::vector<Parameter> expansion_parameters();

/// `solve`, `of` and `target`; `own` words of a command that `solve` may be too.
[[nodiscard]] std::vector<Parameter> solution_parameters(std::vector<std::string> const& own = {});

/// Errors  ParseError and DomainError naming the parameter.
[[nodiscard]] Session read_session(Question question, Surroundings const& surroundings);

}  // namespace isserlis::quantity
