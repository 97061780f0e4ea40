// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/run.hpp>
#include <isserlis/report/answer.hpp>
#include <isserlis/ring/rational.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "sweep.hpp"

namespace isserlis::cli {

/// The global options, read and checked.
struct Session {
    Arguments arguments;
    Answer::Options output;
    std::optional<std::string> layer;      ///< as typed; when a command runs, with values for its symbols
    std::optional<std::uint64_t> samples;  ///< --check
    std::uint64_t seed = 1;
    unsigned threads = 1;
    Bindings bindings;
    std::vector<Sweep> sweeps;  ///< --table
    bool explain = false;
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

/// Errors  ParseError and DomainError naming the option.
[[nodiscard]] Session read_session(Arguments arguments, std::vector<TypedWord> typed = {});

/// A command: what the user sees, and what fills the answer under given values of the symbols.
struct Command {
    CommandText text;
    std::function<void(Session const&, Bindings const&, Answer&)> evaluate;
    /// What is done with the whole answer before it is printed; none for most commands.
    std::function<void(Session const&, Answer&)> finish = {};
    /// Its results, those of other commands, have their ranges already.
    bool has_ranges = false;
};

/// One answer, under given values of the symbols.
void evaluate_at(Bindings const& bindings, Command const& command, Session const& session, Answer& answer);

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
