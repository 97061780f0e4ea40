// SPDX-License-Identifier: MIT
#include "session.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <isserlis/error.hpp>
#include <isserlis/network/widths.hpp>
#include <isserlis/report/quantities.hpp>
#include <isserlis/report/write_file.hpp>
#include <isserlis/ring/decimal.hpp>
#include <isserlis/ring/parse.hpp>
#include <thread>

namespace isserlis::cli {
namespace {

std::atomic<bool> interrupted = false;

/// Ctrl-C stops sampling cleanly; the second one ends the process.
void on_interrupt(int) {
    interrupted = true;
    std::signal(SIGINT, SIG_DFL);
}

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

Sweep parse_sweep(std::string const& text) {
    auto const equal = text.find('=');
    auto const dots = text.find("..");
    if (equal == std::string::npos || dots == std::string::npos || dots < equal) {
        throw ParseError("--table: '" + printable(text) + "' is not NAME=FIRST..LAST, such as n=1..64", "--table");
    }
    Sweep out{.symbol = text.substr(0, equal)};
    check_symbol(out.symbol, "--table");
    out.first = parse_count(text.substr(equal + 1, dots - equal - 1), "--table", 1, max_layers);
    out.last = parse_count(text.substr(dots + 2), "--table", 1, max_layers);
    if (out.last < out.first) throw DomainError("--table: " + text + " ends before it begins", "--table");
    if (out.last - out.first >= 100'000) {
        throw UnsupportedError(
            "--table: " + text + " has " + std::to_string(out.last - out.first + 1) + " rows; 100000 are served",
            "--table");
    }
    return out;
}

void explain(Answer& answer) {
    std::set<std::string> seen;
    for (auto const& r : answer.results()) {
        if (!seen.insert(r.name).second) continue;
        if (auto const* q = find_quantity(r.name)) {
            answer.explain(std::string(q->name) + "\n  formula: " + q->formula + "\n  source:  " + q->source +
                           "\n  assumes: " + q->assumptions);
        }
    }
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

/// One answer, under given values of the symbols.
void evaluate_at(Bindings const& bindings, Command const& command, Session const& session, Answer& answer) {
    if (!session.layer || bindings.empty()) {
        command.evaluate(session, bindings, answer);
        return;
    }
    Session here = session;
    here.layer = layer_at(*session.layer, bindings);
    command.evaluate(here, bindings, answer);
}

}  // namespace

std::uint64_t parse_count(std::string const& text, std::string const& option, std::uint64_t least, std::uint64_t most) {
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
        {"--table", "NAME=A..B", "One answer for each whole value of a symbol; CSV unless --format is given"},
        {"--explain", "", "Say formula, source and assumptions of each quantity"},
        {"--output", "FILE", "Write to a file, whole or not at all; lifts the size limit"},
    };
}

Session read_session(Arguments arguments) {
    Session out;
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
    if (auto const t = arguments.value("--table")) {
        out.sweep = parse_sweep(*t);
        if (out.bindings.count(out.sweep->symbol) != 0) {
            throw ParseError("--table: '" + out.sweep->symbol + "' is given a value by --set already", "--table");
        }
        if (!arguments.has("--format")) out.output.format = Format::csv;
    }
    out.layer = arguments.value("--layer");
    out.explain = arguments.has("--explain");
    out.output_file = arguments.value("--output");
    out.output.unlimited = out.output_file || out.layer;
    bool const samples_unasked = arguments.command == "loss-curve";
    for (char const* option : {"--seed", "--threads"}) {
        if (arguments.has(option) && !out.samples && !samples_unasked)
            throw ParseError(std::string(option) + " means nothing without --check", option);
    }
    out.arguments = std::move(arguments);
    return out;
}

monte_carlo::RunControl Session::run_control() const {
    interrupted = false;
    std::signal(SIGINT, on_interrupt);
    monte_carlo::RunControl control;
    control.threads = threads;
    control.stop = &interrupted;
    if (isatty(STDERR_FILENO) != 0) {
        control.progress = [](std::uint64_t done, std::uint64_t total) {
            std::fprintf(stderr, "\rsampled %llu of %llu networks%s", static_cast<unsigned long long>(done),
                         static_cast<unsigned long long>(total), done == total ? "\r\033[K" : "");
            std::fflush(stderr);
        };
    }
    return control;
}

void print(std::string const& text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
        throw UnsupportedError("standard output cannot be written", "");
    }
}

std::string title_with_options(Answer const& answer, std::set<std::string> const& left_out) {
    std::string out = answer.title();
    for (auto const& [name, value] : answer.inputs()) {
        bool const told = name == "widths" || name == "query" || name == "form" || left_out.count(name) != 0;
        if (!told) out += ", " + name + (value.empty() ? "" : " " + value);
    }
    return out;
}

int run(Command const& command, Session const& session) {
    Answer answer(session.arguments.command, session.output);
    auto const& positionals = session.arguments.positionals;
    // Something else may stand before WIDTHS: an observable, or a form's name.
    bool const has_query = command.text.positional.find(' ') != std::string::npos && !positionals.empty();
    if (has_query)
        answer.add_input(command.text.positional.starts_with("EXPR") ? "query" : "form", positionals.front());
    std::string widths;
    for (std::size_t i = has_query ? 1 : 0; i < positionals.size(); ++i)
        widths += (widths.empty() ? "" : " ") + positionals[i];
    if (!widths.empty()) answer.add_input("widths", widths);
    for (auto const& [name, values] : session.arguments.options) {
        std::string joined;
        for (auto const& v : values) joined += (joined.empty() ? "" : ",") + v;
        std::string key = name.substr(2);
        for (auto& c : key) c = c == '-' ? '_' : c;
        if (key == "widths" && !widths.empty()) key = "width_list";  // beside those of WIDTHS
        answer.add_input(key, joined);
    }
    if (session.sweep) {
        Bindings bindings = session.bindings;
        answer.set_sweep(session.sweep->symbol);
        for (std::uint64_t value = session.sweep->first; value <= session.sweep->last; ++value) {
            bindings[session.sweep->symbol] = Rational(Integer(value));
            answer.set_index_prefix({std::to_string(value)});
            evaluate_at(bindings, command, session, answer);
        }
    } else {
        evaluate_at(session.bindings, command, session, answer);
    }
    if (command.finish) command.finish(session, answer);
    if (session.explain && answer.document())
        throw ParseError("--explain has no effect here: the answer is a file of another form; leave it out",
                         "--explain");
    if (session.explain) explain(answer);
    std::string const text = render(answer);
    if (session.output_file) {
        write_file(*session.output_file, text, "--output");
    } else {
        print(text);
    }
    return answer.any_disagreement() ? 1 : 0;
}

}  // namespace isserlis::cli
