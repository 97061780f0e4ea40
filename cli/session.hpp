// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/run.hpp>
#include <isserlis/report/answer.hpp>
#include <isserlis/ring/rational.hpp>
#include <isserlis/verify/sample_choice.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "option_set.hpp"
#include "sweep.hpp"

namespace isserlis::cli {

/// What --emit-test asks for.
struct EmittedTest {
    std::string language;  ///< empty for no test
    std::optional<std::uint64_t> samples;
    std::optional<std::string> tolerance;
    explicit operator bool() const { return !language.empty(); }
};

/// The global options, and those that many commands have, read and checked.
struct Session {
    Arguments arguments;  ///< as typed, for the readers of requests
    Answer::Options output;
    std::optional<std::string> layer;      ///< as typed; when a command runs, with values for its symbols
    std::optional<std::uint64_t> samples;  ///< --check
    std::optional<SampleGoal> goal;        ///< --time and --until, which choose that number
    bool whatever_it_takes = false;        ///< --yes
    std::uint64_t seed = 1;
    unsigned threads = 1;
    Bindings bindings;
    std::vector<std::string> tables;  ///< --table, as typed
    std::vector<Sweep> sweeps;        ///< its values
    bool explain = false;
    bool printed = false;  ///< --printed: also what the sources misprint
    EmittedTest test;
    std::optional<std::string> output_file;
    std::vector<TypedWord> typed;  ///< the command line

    /// How sampling runs: threads, progress on a terminal.
    [[nodiscard]] monte_carlo::RunControl run_control() const;
    /// What every index begins with: the values of the swept symbols, as text.
    [[nodiscard]] std::vector<std::string> sweep_prefix(Bindings const& at) const;
};

/// The global options as help shows them.
[[nodiscard]] std::vector<OptionText> global_options();

/// --printed, of commands that have quantities as the sources misprint them.
[[nodiscard]] OptionText printed_option();

/// --emit-test, --emit-samples and --emit-tolerance; `refusals` of a command's own.
[[nodiscard]] std::vector<OptionText> emit_options(std::vector<Refusal> const& refusals = {});

/// Errors  ParseError and DomainError naming the option.
[[nodiscard]] Session read_session(Arguments arguments, std::vector<TypedWord> typed = {});

/// A command whose options and files have been read.
struct Task {
    /// Fills the answer under given values of the symbols.
    std::function<void(Session const&, Bindings const&, Answer&)> evaluate;
    /// What is done with the whole answer before it is printed; none for most commands.
    std::function<void(Session const&, Answer&)> finish = {};
    bool checks = false;  ///< there are measured means, whether or not --check is given
};

/// A command: what the user sees, and what reads its options, once.
struct Command {
    CommandText text;
    std::function<Task(Session const&)> read;
    /// Its results, those of other commands, have their ranges already.
    bool has_ranges = false;
};

/// A command whose options fill a request.
template <class Request>
struct CommandOf {
    CommandText text;  ///< with the options that are the session's
    OptionSet<Request> options = {};
    /// Checks and completes what was typed: WIDTHS, files, what depends on several options.
    void (*complete)(Request&, Session const&) = nullptr;
    void (*evaluate)(Request const&, Session const&, Bindings const&, Answer&) = nullptr;
    void (*finish)(Request const&, Session const&, Answer&) = nullptr;
    bool has_ranges = false;
};

template <class Request>
[[nodiscard]] Command bound(CommandOf<Request> parts) {
    Command out{.text = parts.text, .read = {}, .has_ranges = parts.has_ranges};
    auto own = parts.options.texts();
    out.text.options.insert(out.text.options.begin(), own.begin(), own.end());
    out.read = [parts = std::move(parts)](Session const& session) {
        auto request = std::make_shared<Request>();
        parts.options.read(session.arguments, *request);
        if (parts.complete != nullptr) parts.complete(*request, session);
        Task task;
        task.evaluate = [request, evaluate = parts.evaluate](Session const& here, Bindings const& bindings,
                                                             Answer& answer) {
            evaluate(*request, here, bindings, answer);
        };
        if (parts.finish != nullptr) {
            task.finish = [request, finish = parts.finish](Session const& here, Answer& answer) {
                finish(*request, here, answer);
            };
        }
        if constexpr (requires { request->measured; }) task.checks = request->measured.has_value();
        return task;
    };
    return out;
}

/// One answer, under given values of the symbols.
void evaluate_at(Bindings const& bindings, Task const& task, Session const& session, Answer& answer);

/// Evaluates (once, or for each value of --table), prints or writes the answer; the exit code.
[[nodiscard]] int run(Command const& command, Session const& session);

/// Writes to standard output. Errors  UnsupportedError when it is full or closed.
void print(std::string const& text);

/// A whole number within bounds. Errors  ParseError and DomainError naming the option.
[[nodiscard]] std::uint64_t parse_count(std::string const& text, std::string const& option, std::uint64_t least,
                                        std::uint64_t most);

/// Refuses a symbol in --layer of a network whose layers are numbers, 1 .. last. Errors  ParseError.
void require_layer_number(std::string const& text, std::string const& last);

}  // namespace isserlis::cli
