// SPDX-License-Identifier: MIT
#include <isserlis/quantity/ask.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/question/command_line.hpp>
#include <isserlis/question/nearest_name.hpp>
#include <isserlis/report/quantities.hpp>
#include <mutex>
#include <set>

#include "quantity/chart.hpp"
#include "quantity/commands.hpp"
#include "quantity/expansion.hpp"
#include "quantity/sampled_together.hpp"
#include "quantity/solution.hpp"
#include "quantity/unchecked.hpp"
#include "question/check_together.hpp"
#include "question/sample_goal.hpp"
#include "question/spelling.hpp"
#include "range/edges.hpp"

namespace isserlis::quantity {
namespace {

Command command_named(std::string const& name) {
    std::vector<std::string> names;
    for (auto const& maker : command_makers) {
        if (maker.name == name) return maker.make();
        names.emplace_back(maker.name);
    }
    auto const near = nearest_name(name, names);
    throw ParseError("'" + printable(name) + "' is not a command" + (near ? "; did you mean '" + *near + "'?" : ""),
                     name);
}

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

/// What was asked: words, and parameters by the names of their options.
void add_inputs(CommandText const& text, Question const& question, Answer& answer) {
    bool const only_query = text.positional == "`query`";
    // Something else may stand before the widths: an observable, or a form's name.
    bool const has_query = (only_query || text.positional.find(' ') != std::string::npos) && !question.words.empty();
    if (has_query) {
        std::string const key = text.positional.starts_with("`query`") ? "query" : text.name;
        answer.add_input(key, question.words.front());
    }
    std::string widths;
    for (std::size_t i = has_query ? 1 : 0; i < question.words.size(); ++i)
        widths += (widths.empty() ? "" : " ") + question.words[i];
    auto const key_of = [](std::string const& parameter) {
        std::string out = option_name(parameter).substr(2);
        std::replace(out.begin(), out.end(), '-', '_');
        std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
        return out;
    };
    // Where an option has the name of the words, they have that of their placeholder.
    auto const taken = [&](auto const& given) { return key_of(given.first) == "widths"; };
    bool const is_taken = std::any_of(question.parameters.begin(), question.parameters.end(), taken);
    bool const is_parameter = text.positional.find('`') != std::string::npos;
    std::string const key = !is_parameter ? key_of(text.positional)
                            : is_taken    ? answer.options().spoken("`widths`")
                                          : "widths";
    if (!widths.empty()) answer.add_input(key, widths);
    for (auto const& [name, values] : question.parameters) {
        if (name == "yes") continue;  // what is done is the same without it
        std::string joined;
        char const* const separator = name == "table" ? " " : ",";  // a list of values has commas of its own
        for (auto const& v : values) joined += (joined.empty() ? "" : separator) + v;
        answer.add_input(key_of(name), joined);
    }
}

bool command_solves(Command const& command, std::string const& word) {
    return std::find(command.solves.begin(), command.solves.end(), word) != command.solves.end();
}

/// A command that has been evaluated, and what is left to do with its answer.
struct Answered {
    Task task;
    Answer answer;
};

/// Evaluates once, or for each value of `table`.
Answered answered(Command const& command, Session const& session) {
    Task task = command.read(session);
    check_together(command.text, session.question);
    Answer::Options output = session.output;
    output.checking = output.checking || task.checks;
    Answer answer(session.question.command, output);
    answer.set_title(command_line(session.typed, {"yes"}));
    // By the values of `set` every other sentence is read.
    if (!session.bindings.empty()) answer.assume(values_text(session.bindings));
    add_inputs(command.text, session.question, answer);
    std::vector<std::string> swept;
    for (auto const& s : session.sweeps) swept.push_back(s.symbol);
    answer.set_sweeps(swept);
    for_each_value(session.sweeps, session.bindings,
                   [&](Bindings const& bindings, std::vector<std::string> const& values) {
                       answer.set_index_prefix(values);
                       std::size_t const first = answer.results().size();
                       evaluate_with_ranges(command, task, session, bindings, values, answer);
                       if (session.solve && !command_solves(command, *session.solve))
                           solve(command, task, session, bindings, values, first, answer);
                   });
    return {.task = std::move(task), .answer = std::move(answer)};
}

/// The digits of a decimal, from the first one that is not 0.
std::ptrdiff_t digits_in(std::string const& decimal) {
    auto const end = std::find_if(decimal.begin(), decimal.end(), [](char c) { return c == 'e' || c == 'E'; });
    auto const first = std::find_if(decimal.begin(), end, [](char c) { return '1' <= c && c <= '9'; });
    return std::count_if(first, end, [](char c) { return c != '.'; });
}

/// Says so where more digits are asked for than are known.
void state_known_digits(Session const& session, Answer& answer) {
    if (session.question.parameters.count("digits") == 0 || answer.document()) return;
    std::ptrdiff_t most = 0;
    for (auto const& r : answer.results()) {
        if (!r.exact && !r.certified && r.decimal) most = std::max(most, digits_in(*r.decimal));
    }
    if (0 < most && most < session.output.digits)
        answer.warn("`digits`: what is neither exact nor certified has the digits that are known, fewer than " +
                    std::to_string(session.output.digits));
}

/// With charts and explanations.
Answer completed(Answered once, Command const& command, Session const& session) {
    Answer& answer = once.answer;
    session.stop_if_told();
    if (once.task.finish) once.task.finish(session, answer);
    auto const expands = [&](char const* name) {
        return std::find(command.expansions.begin(), command.expansions.end(), name) != command.expansions.end();
    };
    if ((session.limit && expands("limit")) || (session.series && expands("series"))) expand(session, answer);
    if (!command.text.charted.empty()) draw_chart(command.text, session, answer);
    if (session.explain && answer.document())
        throw ParseError("`explain` has no effect here: the answer is a program; leave it out", "explain");
    if (session.explain) explain(answer);
    state_known_digits(session, answer);
    return std::move(answer);
}

/// Are there sampled values, which have nothing beside them?
bool has_sampled_values(Answer const& answer) {
    return std::any_of(answer.results().begin(), answer.results().end(),
                       [](auto const& row) { return row.unchecked == is_sampled_itself; });
}

/// Asks with more and more samples until they are enough.
Answer until_enough(SampleGoal const& goal, Command const& command, Session const& session) {
    std::string const parameter = goal.seconds ? "time" : "until";
    check_together(command.text, session.question);
    constexpr std::uint64_t enough_to_be_seen = 10'000;
    SampleChoice choice(goal);
    for (;;) {
        Session const here = with_samples(session, choice.samples());
        auto const began = std::chrono::steady_clock::now();
        Answered once = answered(command, here);
        double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        auto const error = worst_error(once.answer);
        std::uint64_t const networks = choice.samples();
        bool const is_last = choice.is_last(seconds, error.value_or(HUGE_VAL));
        // Where tails are heavy, few networks are set beside nothing.
        bool const is_seen = networks > enough_to_be_seen;
        bool const by_itself = !error && has_sampled_values(once.answer);
        if (by_itself && !goal.seconds)
            throw UnsupportedError(
                "`until`: what is sampled here has no value beside it; say how many networks by `check`, or how long "
                "by `time`",
                "until");
        if (!error && !by_itself && (is_last || is_seen))
            throw ParseError(named(parameter) + ": no mean other than 0 is sampled here" +
                                 (is_seen ? "; " : " by " + std::to_string(networks) + " networks; allow more, or ") +
                                 "leave it out",
                             parameter);
        if (is_last) return completed(std::move(once), command, here);
    }
}

}  // namespace

std::vector<std::string> command_names() {
    std::vector<std::string> out;
    for (auto const& maker : command_makers) out.emplace_back(maker.name);
    return out;
}

CommandText const* find_command(std::string const& name) {
    // Each is made when it is asked for: all of them take longer than a small answer.
    static std::array<CommandText, command_makers.size()> texts;
    static std::array<std::once_flag, command_makers.size()> made;
    for (std::size_t i = 0; i < command_makers.size(); ++i) {
        if (command_makers[i].name != name) continue;
        std::call_once(made[i], [&] { texts[i] = command_makers[i].make().text; });
        return &texts[i];
    }
    return nullptr;
}

Answer ask(Question const& given, Surroundings const& surroundings) {
    Command const command = command_named(given.command);
    check_known(command.text, given);
    Question question = given;
    for (auto& [name, values] : question.parameters) {
        if (values.empty()) values.emplace_back();  // a flag
    }
    Session const session = read_session(question, surroundings);
    if (session.shard) {
        check_together(command.text, session.question);
        return part_of_sampling(session, [&](Session const& here) { return answered(command, here).answer; });
    }
    auto const answering = [&](Session const& here) {
        return here.goal ? until_enough(*here.goal, command, here) : completed(answered(command, here), command, here);
    };
    if (!session.kept && surroundings.ranks == nullptr) return answering(session);
    check_together(command.text, session.question);
    return sampled_in_ranks(session, surroundings.ranks, answering);
}

}  // namespace isserlis::quantity
