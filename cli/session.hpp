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

namespace isserlis::cli {

using Bindings = std::map<std::string, Rational>;

/// --table n=1..64
struct Sweep {
    std::string symbol;
    std::uint64_t first = 1;
    std::uint64_t last = 1;
};

/// The global options, read and checked.
struct Session {
    Arguments arguments;
    Answer::Options output;
    std::optional<std::string> layer;      ///< as typed; when a command runs, with values for its symbols
    std::optional<std::uint64_t> samples;  ///< --check
    std::uint64_t seed = 1;
    unsigned threads = 1;
    Bindings bindings;
    std::optional<Sweep> sweep;
    bool explain = false;
    std::optional<std::string> output_file;

    /// How sampling runs: threads, progress on a terminal, Ctrl-C.
    [[nodiscard]] monte_carlo::RunControl run_control() const;
};

/// The global options as help shows them.
[[nodiscard]] std::vector<OptionText> global_options();

/// Errors  ParseError and DomainError naming the option.
[[nodiscard]] Session read_session(Arguments arguments);

/// A command: what the user sees, and what fills the answer under given values of the symbols.
struct Command {
    CommandText text;
    std::function<void(Session const&, Bindings const&, Answer&)> evaluate;
    /// What is done with the whole answer before it is printed; none for most commands.
    std::function<void(Session const&, Answer&)> finish = {};
};

/// Evaluates (once, or for each value of a sweep), prints or writes the answer; the exit code.
[[nodiscard]] int run(Command const& command, Session const& session);

/// The query with its options, in one line, but for those left out.
[[nodiscard]] std::string title_with_options(Answer const& answer, std::set<std::string> const& left_out);

/// Writes to standard output. Errors  UnsupportedError when it is full or closed.
void print(std::string const& text);

/// A whole number within bounds. Errors  ParseError and DomainError naming the option.
[[nodiscard]] std::uint64_t parse_count(std::string const& text, std::string const& option, std::uint64_t least,
                                        std::uint64_t most);

}  // namespace isserlis::cli
