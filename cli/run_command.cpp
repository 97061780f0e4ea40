// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <isserlis/error.hpp>
#include <isserlis/report/quantities.hpp>
#include <isserlis/report/write_file.hpp>
#include <set>

#include "edges.hpp"
#include "help.hpp"
#include "sample_goal.hpp"
#include "session.hpp"
#include "terminal_text.hpp"
#include "watch.hpp"

namespace isserlis::cli {
namespace {

/// A command that has been evaluated, and what is left to do with its answer.
struct Answered {
    Task task;
    std::optional<Answer> answer;
};

void explain(Quantity const& q, Answer& answer) {
    answer.explain(std::string(q.name) + "\n  formula: " + q.formula + "\n  source:  " + q.source +
                   "\n  assumes: " + q.assumptions);
}

/// The quantities of the results, each once; of a table of another form all that the command has.
void explain(Answer& answer) {
    std::set<std::string> seen;
    for (auto const& r : answer.results()) {
        if (!seen.insert(r.name).second) continue;
        if (auto const* q = find_quantity(answer.command(), r.name)) explain(*q, answer);
    }
    if (!seen.empty() || !answer.table()) return;
    for (auto const& q : quantities()) {
        if (q.command == answer.command()) explain(q, answer);
    }
}

/// The values of --set, by which every other sentence is read.
void state_values(Bindings const& bindings, Answer& answer) {
    std::string out;
    for (auto const& [symbol, value] : bindings) out += (out.empty() ? "" : ", ") + symbol + " = " + to_string(value);
    if (!out.empty()) answer.assume(out);
}

/// Evaluates once, or for each value of --table.
Answered answered(Command const& command, Session const& session) {
    if (session.output_file) check_writable(*session.output_file, "--output");
    Answered out{.task = command.read(session), .answer = {}};
    Task const& task = out.task;
    check_together(command.text, global_options(), session.arguments);
    Answer::Options output = session.output;
    output.checking = output.checking || task.checks;
    Answer& answer = out.answer.emplace(session.arguments.command, output);
    // The same answer on the terminal and in a file.
    answer.set_title(command_line(session.typed, {"--output", "--timeout", "--yes"}));
    state_values(session.bindings, answer);
    auto const& positionals = session.arguments.positionals;
    // Something else may stand before WIDTHS: an observable, or a form's name.
    bool const only_query = command.text.positional == "EXPR";
    bool const has_query =
        (only_query || command.text.positional.find(' ') != std::string::npos) && !positionals.empty();
    if (has_query)
        answer.add_input(command.text.positional.starts_with("EXPR") ? "query" : "form", positionals.front());
    std::string widths;
    for (std::size_t i = has_query ? 1 : 0; i < positionals.size(); ++i)
        widths += (widths.empty() ? "" : " ") + positionals[i];
    // coord-check has --widths beside WIDTHS, whose name is then that of its placeholder.
    if (!widths.empty())
        answer.add_input(session.arguments.options.count("--widths") != 0 ? "WIDTHS" : "widths", widths);
    for (auto const& [name, values] : session.arguments.options) {
        if (name == "--timeout" || name == "--yes") continue;  // what is done is the same without them
        std::string joined;
        char const* const separator = name == "--table" ? " " : ",";  // a list of values has commas of its own
        for (auto const& v : values) joined += (joined.empty() ? "" : separator) + v;
        std::string key = name.substr(2);
        for (auto& c : key) c = c == '-' ? '_' : c;
        answer.add_input(key, joined);
    }
    std::vector<std::string> swept;
    for (auto const& s : session.sweeps) swept.push_back(s.symbol);
    answer.set_sweeps(swept);
    for_each_value(session.sweeps, session.bindings,
                   [&](Bindings const& bindings, std::vector<std::string> const& values) {
                       answer.set_index_prefix(values);
                       evaluate_with_ranges(command, task, session, bindings, values, answer);
                   });
    return out;
}

/// Prints or writes the answer; the exit code.
int printed(Answered& answered, Session const& session) {
    Answer& answer = *answered.answer;
    if (answered.task.finish) answered.task.finish(session, answer);
    if (session.explain && answer.document())
        throw ParseError("--explain has no effect here: the answer is a program; leave it out", "--explain");
    if (session.explain) explain(answer);
    std::string const text = render(answer);
    stop_watching();
    if (session.output_file) {
        write_file(*session.output_file, text, "--output");
    } else {
        bool const shown = isatty(STDOUT_FILENO) != 0 && session.output.format == Format::text && !answer.document();
        print(shown ? for_terminal(text, terminal_width(), std::getenv("NO_COLOR") == nullptr) : text);
    }
    return answer.any_disagreement() ? 1 : 0;
}

/// Runs with more and more samples until they are enough.
int run_until(SampleGoal const& goal, Command const& command, Session const& session) {
    std::string const option = goal.seconds ? "--time" : "--until";
    check_together(command.text, global_options(), session.arguments);
    constexpr std::uint64_t enough_to_be_seen = 10'000;
    SampleChoice choice(goal);
    for (;;) {
        Session const here = with_samples(session, choice.samples());
        auto const began = std::chrono::steady_clock::now();
        Answered once = answered(command, here);
        double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        auto const error = worst_error(*once.answer);
        // Where tails are heavy, few networks are set beside nothing.
        if (!error && choice.samples() > enough_to_be_seen)
            throw ParseError(option + ": no mean other than 0 is sampled here; leave it out", option);
        if (choice.is_last(seconds, error.value_or(HUGE_VAL))) return printed(once, here);
    }
}

}  // namespace

void print(std::string const& text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
        throw UnsupportedError("standard output cannot be written", "");
    }
}

int run(Command const& command, Session const& session) {
    if (session.goal) return run_until(*session.goal, command, session);
    Answered once = answered(command, session);
    return printed(once, session);
}

}  // namespace isserlis::cli
