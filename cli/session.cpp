// SPDX-License-Identifier: MIT
#include "session.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <isserlis/error.hpp>
#include <isserlis/network/widths.hpp>
#include <isserlis/report/quantities.hpp>
#include <isserlis/report/write_file.hpp>
#include <isserlis/ring/decimal.hpp>
#include <isserlis/ring/parse.hpp>
#include <thread>

#include "edges.hpp"
#include "help.hpp"
#include "parameters.hpp"
#include "progress.hpp"
#include "readers.hpp"
#include "terminal_text.hpp"
#include "watch.hpp"

namespace isserlis::cli {
namespace {

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

void evaluate_at(Bindings const& bindings, Task const& task, Session const& session, Answer& answer) {
    if (!session.layer || bindings.empty()) {
        task.evaluate(session, bindings, answer);
        return;
    }
    Session here = session;
    here.layer = layer_at(*session.layer, bindings);
    task.evaluate(here, bindings, answer);
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

namespace {

OptionSet<Session> session_options() {
    auto const format = choice<Format>("a format", {{"text", Format::text},
                                                    {"json", Format::json},
                                                    {"latex", Format::latex},
                                                    {"csv", Format::csv},
                                                    {"cpp", Format::cpp}});
    auto const set_format = [format](Session& into, std::string const& text) {
        into.output.format = format.read(text, "--format");
    };
    auto const set_digits = [](Session& into, std::string const& text) {
        into.output.digits = static_cast<int>(parse_count(text, "--digits", 1, max_digits));
    };
    auto const set_threads = [](Session& into, std::string const& text) {
        into.threads = static_cast<unsigned>(parse_count(text, "--threads", 1, 4096));
    };
    OptionSet<Session> out;
    out.add("--format", "text|json|latex|csv|cpp", "How the answer is printed; cpp makes functions of doubles",
            set_format, More{.usual = "text", .choices = format.choices, .letter = 'f'});
    out.add("--digits", "N", "Significant digits of decimals, correctly rounded", set_digits,
            More{.usual = "17", .letter = 'd'});
    out.add("--layer", "K", "Only this index", &Session::layer, as_text(), More{.letter = 'l'});
    out.add("--check", "N", "Sample N real networks and set them beside the exact values", &Session::samples,
            count(2, 1'000'000'000'000), More{.letter = 'c'});
    out.add("--seed", "S", "Seed of the sampling; the answer does not depend on --threads", &Session::seed,
            count(0, ~0ULL), More{.usual = "1", .letter = 'S', .needs = {"--check"}});
    out.add("--threads", "T", "Threads of the sampling", set_threads,
            More{.usual = "all cores", .letter = 'j', .needs = {"--check"}});
    out.add(
        "--set", "NAME=VALUE,..", "Give symbols values, such as n=100,eta=1/3",
        [](Session& into, std::string const& text) { add_bindings(text, into.bindings); }, More{.letter = 's'});
    out.add(
        "--table", "NAME=VALUES,..",
        "One answer for each value of a symbol: n=1..64, n=16,32,64, n=10..100..10, n=16..1024..x2; repeat it for "
        "a second symbol; CSV unless --format is given",
        [](Session& into, std::string const& text) { into.tables.push_back(text); }, More{.letter = 't'});
    out.add("--explain", "Say formula, source and assumptions of each quantity", &Session::explain,
            More{.letter = 'e'});
    out.add("--output", "FILE", "Write to a file, whole or not at all; lifts the size limit", &Session::output_file,
            as_text(), More{.letter = 'o'});
    out.add("--timeout", "S", "End after S seconds with exit code 3, and nothing written",
            [](Session&, std::string const&) {});  // which runs from before anything else is read
    return out;
}

/// What only some commands offer.
OptionSet<Session> shared_options() {
    auto const emit = emit_options();
    OptionSet<Session> out = {
        {printed_option(), [](Session& into, std::string const&) { into.printed = true; }},
        {emit[0],
         [](Session& into, std::string const& text) {
             into.test.language = word_of("a language", {"pytorch", "jax", "cpp"}).read(text, "--emit-test");
         }},
        {emit[1],
         [](Session& into, std::string const& text) {
             into.test.samples = parse_count(text, "--emit-samples", 2, 1'000'000'000);
         }},
        {emit[2], [](Session& into, std::string const& text) { into.test.tolerance = text; }}};
    return out;
}

}  // namespace

std::vector<OptionText> global_options() { return session_options().texts(); }

OptionText printed_option() {
    return {.name = "--printed",
            .help = "Add what the sources print in place of the values here, in rows called .._printed"};
}

std::vector<OptionText> emit_options(std::vector<Refusal> const& refusals) {
    OptionText test{.name = "--emit-test",
                    .value = "pytorch|jax|cpp",
                    .help = "A test file with this network, its exact values and tolerances instead",
                    .choices = {"pytorch", "jax", "cpp"},
                    .refusals = {{{"--format", "--check", "--table", "--digits", "--explain", "--functionals"},
                                  "{}: --emit-test prints a program; leave it out"}}};
    test.refusals.insert(test.refusals.end(), refusals.begin(), refusals.end());
    return {test,
            {.name = "--emit-samples",
             .value = "N",
             .help = "Networks that the test draws",
             .usual = "1000",
             .needs = {"--emit-test"},
             .refusals = {{{"--emit-tolerance"},
                           "--emit-tolerance chooses the number of networks; leave --emit-samples out"}}},
            {.name = "--emit-tolerance",
             .value = "P%",
             .help = "As many networks as bring its tolerances below this share of the values",
             .needs = {"--emit-test"}}};
}

Session read_session(Arguments arguments, std::vector<TypedWord> typed) {
    Session out;
    out.output.spoken = in_options;
    out.threads = std::max(1U, std::thread::hardware_concurrency());
    session_options().read(arguments, out);
    shared_options().read(arguments, out);
    out.output.checking = out.samples.has_value();
    out.sweeps = read_sweeps(out.tables);
    for (auto const& s : out.sweeps) {
        if (out.bindings.count(s.symbol) != 0)
            throw ParseError("--table: '" + s.symbol + "' is given a value by --set already", "--table");
    }
    if (!out.sweeps.empty() && arguments.options.count("--format") == 0) out.output.format = Format::csv;
    out.output.unlimited = out.output_file || out.layer;
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
    Task const task = command.read(session);
    check_together(command.text, global_options(), session.arguments);
    Answer::Options output = session.output;
    output.checking = output.checking || task.checks;
    Answer answer(session.arguments.command, output);
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
    if (!widths.empty())
        answer.add_input(session.arguments.options.count("--widths") != 0 ? "WIDTHS" : "widths", widths);
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
                       evaluate_with_ranges(command, task, session, bindings, values, answer);
                   });
    if (task.finish) task.finish(session, answer);
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

}  // namespace isserlis::cli
