// SPDX-License-Identifier: MIT
#include "session.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <isserlis/error.hpp>
#include <isserlis/network/widths.hpp>
#include <isserlis/ring/decimal.hpp>
#include <isserlis/ring/parse.hpp>
#include <thread>

#include "parameters.hpp"
#include "progress.hpp"
#include "readers.hpp"
#include "sample_goal.hpp"

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

constexpr double most_seconds = 600;  ///< of one run of samples, unless --yes is given

SampleGoal& goal_of(Session& session) { return session.goal ? *session.goal : session.goal.emplace(); }

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
    auto const set_time = [](Session& into, std::string const& text) { goal_of(into).seconds = read_seconds(text); };
    auto const set_until = [](Session& into, std::string const& text) {
        goal_of(into).relative_error = read_share(text, "--until");
    };
    OptionSet<Session> out;
    out.add("--format", "text|json|latex|csv|cpp", "How the answer is printed; cpp makes functions of doubles",
            set_format, More{.usual = "text", .choices = format.choices, .letter = 'f'});
    out.add("--digits", "N", "Significant digits of decimals, correctly rounded", set_digits,
            More{.usual = "17", .letter = 'd'});
    out.add("--layer", "K", "Only this index", &Session::layer, as_text(), More{.letter = 'l'});
    out.add("--check", "N", "Sample N real networks and set them beside the exact values", &Session::samples,
            count(2, 1'000'000'000'000), More{.letter = 'c'});
    out.add("--time", "T", "Sample as many networks as fit this time, such as 60s, 5m or 2h", set_time);
    out.add("--until", "P%", "Sample until every standard error is below this share of its mean", set_until);
    out.add("--yes", "Sample even what takes above some minutes", &Session::whatever_it_takes,
            More{.needs = {"--check", "--time", "--until"}});
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
    if (out.samples && out.goal)
        throw ParseError("--check says how many networks, --time and --until choose it; give one of them", "--check");
    out.output.checking = out.samples.has_value() || out.goal.has_value();
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
    control.whatever_it_takes = whatever_it_takes;
    if (!whatever_it_takes) control.most_seconds = most_seconds;
    if (isatty(STDERR_FILENO) != 0) control.progress = progress_line();
    return control;
}

std::vector<std::string> Session::sweep_prefix(Bindings const& at) const {
    std::vector<std::string> out;
    for (auto const& s : sweeps) out.push_back(to_string(at.at(s.symbol)));
    return out;
}

}  // namespace isserlis::cli
