// SPDX-License-Identifier: MIT
#include "session.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <isserlis/error.hpp>
#include <isserlis/network/widths.hpp>
#include <isserlis/report/quantities.hpp>
#include <isserlis/report/write_file.hpp>
#include <isserlis/ring/decimal.hpp>
#include <isserlis/ring/parse.hpp>
#include <thread>

#include "edges.hpp"
#include "parameters.hpp"
#include "progress.hpp"
#include "watch.hpp"

namespace isserlis::cli {
namespace {

Format parse_format(std::string const& text) {
    if (text == "text") return Format::text;
    if (text == "json") return Format::json;
    if (text == "latex") return Format::latex;
    if (text == "csv") return Format::csv;
    if (text == "cpp") return Format::cpp;
    throw ParseError("--format: '" + printable(text) + "' is not a format; choose text, json, latex, csv or cpp",
                     "--format");
}

void add_bindings(std::string const& text, Bindings& into) {
    std::size_t start = 0;
    while (start <= text.size()) {
        std::size_t const comma = std::min(text.find(',', start), text.size());
        std::string const item = text.substr(start, comma - start);
        auto const equal = item.find('=');
        if (equal == std::string::npos) {
            throw ParseError("--set: '" + printable(item) + "' is not NAME=VALUE, such as n=100 or eta=1/3", "--set");
        }
        std::string const symbol = item.substr(0, equal);
        check_symbol(symbol, "--set");
        Surd value;
        try {
            value = parse_surd(item.substr(equal + 1), "--set");
        } catch (UnsupportedError const&) {
            throw;
        } catch (Error const& e) {
            throw DomainError("--set " + symbol + ": " + e.what(), "--set");
        }
        if (!value.is_rational()) {
            throw DomainError(
                "--set " + symbol + " = " + printable(to_string(value)) + "; a rational number is required", "--set");
        }
        if (!into.emplace(symbol, value.to_rational()).second)
            throw ParseError("--set: '" + symbol + "' is set twice", "--set");
        start = comma + 1;
    }
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

/// The values of --set, by which every other sentence is read.
void state_values(Bindings const& bindings, Answer& answer) {
    std::string out;
    for (auto const& [symbol, value] : bindings) out += (out.empty() ? "" : ", ") + symbol + " = " + to_string(value);
    if (!out.empty()) answer.assume(out);
}

/// --layer under these values: "L+1" is "4" at L = 3, and entries without these symbols stay as typed.
std::string layer_at(std::string const& text, Bindings const& bindings) {
    std::string out;
    for (std::size_t start = 0; start <= text.size();) {
        std::size_t const comma = std::min(text.find(',', start), text.size());
        std::string entry = text.substr(start, comma - start);
        auto const formula = Expression::parse(entry, "--layer");
        auto const symbols = formula.symbols();
        if (std::any_of(symbols.begin(), symbols.end(), [&](auto const& s) { return bindings.count(s) != 0; })) {
            try {
                entry = to_string(evaluate<RationalFunction>(formula, [&](std::string const& name) {
                    auto const at = bindings.find(name);
                    return at == bindings.end() ? RationalFunction::symbol(name) : RationalFunction(at->second);
                }));
            } catch (Error const& e) {
                throw DomainError("--layer " + printable(text) + ": " + e.what(), "--layer");
            }
        }
        out += (start == 0 ? "" : ",") + entry;
        start = comma + 1;
    }
    return out;
}

}  // namespace

void evaluate_at(Bindings const& bindings, Command const& command, Session const& session, Answer& answer) {
    if (!session.layer || bindings.empty()) {
        command.evaluate(session, bindings, answer);
        return;
    }
    Session here = session;
    here.layer = layer_at(*session.layer, bindings);
    command.evaluate(here, bindings, answer);
}

void require_layer_number(std::string const& text, std::string const& last) {
    auto const symbols = Expression::parse(text, "--layer").symbols();
    if (symbols.empty()) return;
    throw ParseError("--layer " + printable(text) + ": layers are numbers here, 1 .. " + last +
                         ", and there is no symbol '" + *symbols.begin() +
                         "'; give a number, or WIDTHS a symbolic depth such as n:L",
                     "--layer");
}

std::uint64_t parse_count(std::string const& text, std::string const& option, std::uint64_t least, std::uint64_t most) {
    if (option == "--layer") require_layer_number(text, std::to_string(most));
    Integer const value = parse_integer(text, option);
    if (value < least || value > most) {
        throw DomainError(option + " = " + printable(text) + "; a whole number from " + std::to_string(least) + " to " +
                              std::to_string(most) + " is required",
                          option);
    }
    return static_cast<std::uint64_t>(value);
}

std::vector<OptionText> global_options() {
    return {
        {"--format", "text|json|latex|csv|cpp",
         "How the answer is printed (default text); cpp makes functions of doubles"},
        {"--digits", "N", "Significant digits of decimals, correctly rounded (default 17)"},
        {"--layer", "K", "Only this index"},
        {"--check", "N", "Sample N real networks and set them beside the exact values"},
        {"--seed", "S", "Seed of the sampling (default 1); the answer does not depend on --threads"},
        {"--threads", "T", "Threads of the sampling (default: all cores)"},
        {"--set", "NAME=VALUE,..", "Give symbols values, such as n=100,eta=1/3"},
        {"--table", "NAME=VALUES,..",
         "One answer for each value of a symbol: n=1..64, n=16,32,64, n=10..100..10, n=16..1024..x2; repeat it for a "
         "second symbol; CSV unless --format is given"},
        {"--explain", "", "Say formula, source and assumptions of each quantity"},
        {"--output", "FILE", "Write to a file, whole or not at all; lifts the size limit"},
        {"--timeout", "S", "End after S seconds with exit code 3, and nothing written"},
    };
}

OptionText printed_option() {
    return {"--printed", "", "Add what the sources print in place of the values here, in rows called .._printed"};
}

Session read_session(Arguments arguments, std::vector<TypedWord> typed) {
    Session out;
    out.output.spoken = in_options;
    if (auto const t = arguments.value("--format")) out.output.format = parse_format(*t);
    if (auto const t = arguments.value("--digits"))
        out.output.digits = static_cast<int>(parse_count(*t, "--digits", 1, max_digits));
    if (auto const t = arguments.value("--check")) {
        out.samples = parse_count(*t, "--check", 2, 1'000'000'000'000);
        out.output.checking = true;
    }
    if (arguments.has("--measured")) out.output.checking = true;
    if (auto const t = arguments.value("--seed")) out.seed = parse_count(*t, "--seed", 0, ~0ULL);
    out.threads = std::max(1U, std::thread::hardware_concurrency());
    if (auto const t = arguments.value("--threads"))
        out.threads = static_cast<unsigned>(parse_count(*t, "--threads", 1, 4096));
    if (arguments.has("--set")) {
        for (auto const& text : arguments.options.at("--set")) add_bindings(text, out.bindings);
    }
    if (arguments.has("--table")) {
        out.sweeps = read_sweeps(arguments.options.at("--table"));
        for (auto const& s : out.sweeps) {
            if (out.bindings.count(s.symbol) != 0)
                throw ParseError("--table: '" + s.symbol + "' is given a value by --set already", "--table");
        }
        if (!arguments.has("--format")) out.output.format = Format::csv;
    }
    out.layer = arguments.value("--layer");
    out.explain = arguments.has("--explain");
    out.output_file = arguments.value("--output");
    out.output.unlimited = out.output_file || out.layer;
    bool samples_unasked = false;
    for (char const* draws : {"loss-curve", "train", "max-rate", "sharpness"})
        samples_unasked = samples_unasked || arguments.command == draws;
    for (char const* option : {"--seed", "--threads"}) {
        if (arguments.has(option) && !out.samples && !samples_unasked)
            throw ParseError(std::string(option) + " means nothing without --check", option);
    }
    out.arguments = std::move(arguments);
    out.typed = std::move(typed);
    return out;
}

monte_carlo::RunControl Session::run_control() const {
    monte_carlo::RunControl control;
    control.threads = threads;
    if (isatty(STDERR_FILENO) != 0) control.progress = progress_line();
    return control;
}

std::vector<std::string> Session::sweep_prefix(Bindings const& at) const {
    std::vector<std::string> out;
    for (auto const& s : sweeps) out.push_back(to_string(at.at(s.symbol)));
    return out;
}

void print(std::string const& text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
        throw UnsupportedError("standard output cannot be written", "");
    }
}

int run(Command const& command, Session const& session) {
    if (session.output_file) check_writable(*session.output_file, "--output");
    Answer answer(session.arguments.command, session.output);
    // The same answer on the terminal and in a file.
    answer.set_title(command_line(session.typed, {"--output", "--timeout"}));
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
    if (!widths.empty()) answer.add_input(session.arguments.has("--widths") ? "WIDTHS" : "widths", widths);
    for (auto const& [name, values] : session.arguments.options) {
        if (name == "--timeout") continue;  // what is done in time is the same without it
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
                       evaluate_with_ranges(command, session, bindings, values, answer);
                   });
    if (command.finish) command.finish(session, answer);
    if (session.explain && answer.document())
        throw ParseError("--explain has no effect here: the answer is a program; leave it out", "--explain");
    if (session.explain) explain(answer);
    std::string const text = render(answer);
    stop_watching();
    if (session.output_file) {
        write_file(*session.output_file, text, "--output");
    } else {
        print(text);
    }
    return answer.any_disagreement() ? 1 : 0;
}

}  // namespace isserlis::cli
