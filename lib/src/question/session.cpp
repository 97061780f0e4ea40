// SPDX-License-Identifier: MIT
#include "question/session.hpp"

#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/network/widths.hpp>
#include <isserlis/report/duration.hpp>
#include <isserlis/ring/decimal.hpp>
#include <isserlis/ring/parse.hpp>
#include <thread>

#include "question/parameter_set.hpp"
#include "question/part_file.hpp"
#include "question/readers.hpp"
#include "question/sample_goal.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

void add_bindings(std::string const& text, Bindings& into) {
    std::size_t start = 0;
    while (start <= text.size()) {
        std::size_t const comma = std::min(text.find(',', start), text.size());
        std::string const item = text.substr(start, comma - start);
        auto const equal = item.find('=');
        if (equal == std::string::npos) {
            throw ParseError("`set`: '" + printable(item) + "' is not NAME=VALUE, such as n=100 or eta=1/3", "set");
        }
        std::string const symbol = item.substr(0, equal);
        check_symbol(symbol, "set");
        Surd value;
        try {
            value = parse_surd(item.substr(equal + 1), "set");
        } catch (UnsupportedError const&) {
            throw;
        } catch (Error const& e) {
            throw DomainError("`set` " + symbol + ": " + told(e), "set");
        }
        if (!value.is_rational()) {
            throw DomainError(
                "`set` " + symbol + " = " + printable(to_string(value)) + "; a rational number is required", "set");
        }
        if (!into.emplace(symbol, value.to_rational()).second)
            throw ParseError("`set`: '" + symbol + "' is set twice", "set");
        start = comma + 1;
    }
}

constexpr double most_seconds = 600;  ///< of one run of samples, unless `yes` is given

SampleGoal& goal_of(Session& session) { return session.goal ? *session.goal : session.goal.emplace(); }

ParameterSet<Session> common_rows() {
    auto const format = choice<Format>("a format", {{"text", Format::text},
                                                    {"json", Format::json},
                                                    {"latex", Format::latex},
                                                    {"csv", Format::csv},
                                                    {"cpp", Format::cpp}});
    auto const set_format = [format](Session& into, std::string const& text) {
        into.output.format = format.read(text, "format");
    };
    auto const set_digits = [](Session& into, std::string const& text) {
        into.output.digits = static_cast<int>(parse_count(text, "digits", 1, max_digits));
    };
    auto const set_threads = [](Session& into, std::string const& text) {
        into.threads = static_cast<unsigned>(parse_count(text, "threads", 1, 4096));
    };
    auto const set_shard = [](Session& into, std::string const& text) { into.shard = read_shard(text); };
    auto const set_time = [](Session& into, std::string const& text) {
        goal_of(into).seconds = read_duration(text, "time");
    };
    auto const set_until = [](Session& into, std::string const& text) {
        goal_of(into).relative_error = share_of(text, "until");
    };
    ParameterSet<Session> out;
    out.add({"format", "text|json|latex|csv|cpp", "How the answer is printed; cpp makes functions of doubles",
             set_format, More{.usual = "text", .choices = format.choices, .letter = 'f'}});
    out.add({"digits", "N", "Significant digits of decimals, correctly rounded", set_digits,
             More{.usual = "17", .letter = 'd'}});
    out.add({"layer", "K", "Only this index", &Session::layer, as_text(), More{.letter = 'l'}});
    out.add({"check", "N", "Sample N real networks and set them beside the exact values", &Session::samples,
             count(2, 1'000'000'000'000), More{.letter = 'c'}});
    out.add({"time", "T", "Sample as many networks as fit this time, such as 60s, 5m or 2h", set_time});
    out.add({"until", "P%", "Sample until every standard error is below this share of its mean", set_until});
    out.add({"yes", "Sample even what takes above some minutes", &Session::whatever_it_takes,
             More{.needs = {"check", "time", "until"}}});
    out.add({"seed", "S", "Seed of the sampling; the answer does not depend on `threads`", &Session::seed,
             count(0, ~0ULL), More{.usual = "1", .letter = 'S', .needs = {"check"}}});
    out.add({"threads", "T", "Threads of the sampling", set_threads,
             More{.usual = "all cores", .letter = 'j', .needs = {"check"}}});
    out.add({"shard", "K/N", "Only part K of N of the sampling, written down for isserlis merge", set_shard,
             More{.needs = {"check"},
                  .refusals = {{{"time", "until", "emit_test"},
                                "{}: `shard` takes a number of samples that is known before, `check` N"},
                               {{"plot"}, "{}: one part of the samples is no picture; leave it out"}}}});
    out.add({"keep", "FILE", "Keep what is sampled so far here; a run that was killed goes on from it", &Session::kept,
             as_text(),
             More{.needs = {"check"},
                  .refusals = {{{"time", "until", "emit_test", "shard"},
                                "{}: `keep` keeps all of a number of samples that is known before, `check` N"}}}});
    out.add({"set", "NAME=VALUE,..", "Give symbols values, such as n=100,eta=1/3",
             [](Session& into, std::string const& text) { add_bindings(text, into.bindings); }, More{.letter = 's'}});
    out.add({"table", "NAME=VALUES,..",
             "One answer for each value of a symbol: n=1..64, n=16,32,64, n=10..100..10, n=16..1024..x2; repeat it for "
             "a second symbol; CSV unless `format` is given",
             [](Session& into, std::string const& text) { into.tables.push_back(text); }, More{.letter = 't'}});
    out.add(
        {"explain", "Say formula, source and assumptions of each quantity", &Session::explain, More{.letter = 'e'}});
    return out;
}

/// What only some commands offer.
ParameterSet<Session> shared_rows() {
    auto const emit = emit_parameters();
    auto const charts = chart_parameters("");
    auto const expansions = expansion_parameters();
    auto const solution = solution_parameters();
    auto const set_series_order = [](Session& into, std::string const& text) {
        into.series_order = parse_count(text, "series_order", 0, 50);
    };
    ParameterSet<Session> out = {
        {printed_parameter(), [](Session& into, std::string const&) { into.printed = true; }},
        {emit[0],
         [](Session& into, std::string const& text) {
             into.test.language = word_of("a language", {"pytorch", "jax", "cpp"}).read(text, "emit_test");
         }},
        {emit[1],
         [](Session& into, std::string const& text) {
             into.test.samples = parse_count(text, "emit_samples", 2, 1'000'000'000);
         }},
        {emit[2], [](Session& into, std::string const& text) { into.test.tolerance = text; }},
        {charts[0], [](Session& into, std::string const& text) { into.chart_file = picture().read(text, "plot"); }},
        {charts[1], [](Session& into, std::string const& text) { into.charted = text; }},
        {expansions[0], [](Session& into, std::string const& text) { into.limit = text; }},
        {expansions[1],
         [](Session& into, std::string const& text) { into.series = inverse_symbol().read(text, "series"); }},
        {expansions[2], set_series_order},
        {solution[0], [](Session& into, std::string const& text) { into.solve = text; }},
        {solution[1], [](Session& into, std::string const& text) { into.solved_quantity = text; }},
        {solution[2], [](Session& into, std::string const& text) { into.target = parse_surd(text, "target"); }}};
    return out;
}

}  // namespace

std::vector<Parameter> const& common_parameters() {
    static std::vector<Parameter> const all = common_rows().texts();
    return all;
}

Parameter printed_parameter() {
    return {.name = "printed",
            .help = "Add what the sources print in place of the values here, in rows called .._printed"};
}

std::vector<Parameter> emit_parameters(std::vector<Refusal> const& refusals) {
    Parameter test{.name = "emit_test",
                   .value = "pytorch|jax|cpp",
                   .help = "A test file with this network, its exact values and tolerances instead",
                   .choices = {"pytorch", "jax", "cpp"},
                   .refusals = {{{"format", "check", "table", "digits", "explain", "functionals", "plot", "printed"},
                                 "{}: `emit_test` prints a program; leave it out"}}};
    test.refusals.insert(test.refusals.end(), refusals.begin(), refusals.end());
    return {test,
            {.name = "emit_samples",
             .value = "N",
             .help = "Networks that the test draws",
             .usual = "1000",
             .needs = {"emit_test"},
             .refusals = {{{"emit_tolerance"},
                           "`emit_tolerance` chooses the number of networks; leave `emit_samples` out"}}},
            {.name = "emit_tolerance",
             .value = "P%",
             .help = "As many networks as bring its tolerances below this share of the values",
             .needs = {"emit_test"}}};
}

std::vector<Parameter> chart_parameters(std::string const& charted) {
    return {
        {.name = "plot",
         .value = "FILE",
         .help = "Draw a quantity by gnuplot, over its index or the first symbol of `table`: .svg, .png or .pdf"},
        {.name = "plot_of", .value = "QUANTITY,..", .help = "What `plot` draws", .usual = charted, .needs = {"plot"}}};
}

std::vector<Parameter> expansion_parameters() {
    Refusal const of_numbers{{"check", "plot", "emit_test"},
                             "{}: it takes numbers, an expansion has symbols; leave it out"};
    return {
        {.name = "limit",
         .value = "wide|deep|double-scaling|SYMBOL|DEPTH/WIDTH",
         .help = "Every formula as the width, the depth, or both with depth/width = b go to infinity; a symbol says "
                 "which one, L/n which two",
         .refusals = {{{"series"}, "`limit` and {} are two expansions; give one of them"}, of_numbers}},
        {.name = "series",
         .value = "1/SYMBOL",
         .help = "Every formula expanded in 1/SYMBOL, the other symbols fixed",
         .refusals = {{{"limit"}, "`series` and {} are two expansions; give one of them"}, of_numbers}},
        {.name = "series_order",
         .value = "K",
         .help = "Orders beyond the leading one",
         .usual = "2",
         .needs = {"series"}}};
}

std::vector<Parameter> solution_parameters(std::vector<std::string> const& own) {
    std::string words = "width|depth|SYMBOL";
    for (auto const& word : own) words = word + "|" + words;
    return {
        {.name = "solve",
         .value = words,
         .help = "The least width, the greatest depth, or the number that a symbol stands for, with which a quantity "
                 "meets a target",
         .refusals = {{{"limit", "series"}, "{} has no meaning with `solve`"},
                      {{"check", "plot", "emit_test"}, "{}: a solution is no mean; ask for the network that has it"}}},
        {.name = "of",
         .value = "QUANTITY[,INDEX]",
         .help = "The quantity that `solve` brings to `target`",
         .needs = {"solve"}},
        {.name = "target",
         .value = "T",
         .help = "The value that it is to have; for a width or a depth, the most that it may have",
         .needs = {"solve"}}};
}

Session read_session(Question question, Surroundings const& surroundings) {
    Session out;
    out.output.spoken = surroundings.spoken;
    out.output.latex = surroundings.latex;
    out.progress = surroundings.progress;
    out.stop = surroundings.stop;
    out.shared = surroundings.shared;
    out.threads = surroundings.threads != 0 ? surroundings.threads : std::max(1U, std::thread::hardware_concurrency());
    common_rows().read(question, out);
    shared_rows().read(question, out);
    if (out.samples && out.goal)
        throw ParseError("`check` says how many networks, `time` and `until` choose it; give one of them", "check");
    out.output.checking = out.samples.has_value() || out.goal.has_value();
    if (out.solve && out.solved_quantity.empty())
        throw ParseError("`of` is missing: which quantity is it that `solve` brings to a target?", "of");
    if (out.solve && !out.target)
        throw ParseError("`target` is missing: the value that " + printable(out.solved_quantity) + " is to have",
                         "target");
    out.sweeps = read_sweeps(out.tables);
    for (auto const& s : out.sweeps) {
        if (out.bindings.count(s.symbol) != 0)
            throw ParseError("`table`: '" + s.symbol + "' is given a value by `set` already", "table");
    }
    if (!out.sweeps.empty() && question.parameters.count("format") == 0) out.output.format = Format::csv;
    out.output.unlimited = surroundings.unlimited || out.layer;
    out.typed = surroundings.typed.empty() ? words_for(question) : surroundings.typed;
    out.question = std::move(question);
    return out;
}

void Session::stop_if_told() const {
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) throw Interrupted();
}

Surroundings Session::surroundings() const {
    Surroundings out;
    out.spoken = output.spoken;
    out.unlimited = output.unlimited;
    out.latex = output.latex || output.format == Format::latex;
    out.stop = stop;
    return out;
}

monte_carlo::RunControl Session::run_control() const {
    monte_carlo::RunControl control;
    control.threads = threads;
    control.whatever_it_takes = whatever_it_takes;
    if (!whatever_it_takes) control.most_seconds = most_seconds;
    control.progress = progress_of({});
    control.stop = stop;
    control.shared = shared;
    return control;
}

std::vector<std::string> Session::sweep_prefix(Bindings const& at) const {
    std::vector<std::string> out;
    for (auto const& s : sweeps) out.push_back(to_string(at.at(s.symbol)));
    return out;
}

}  // namespace isserlis::quantity
