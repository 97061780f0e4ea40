// SPDX-License-Identifier: MIT
// Random texts where formulas, numbers, WIDTHS, EXPR, traces, data sets, networks, their parameters, measured coordinates
// and forms are read: a value that prints and reads back as itself, or one of our errors. An input is the letter of a
// reader, a colon and the text; | is the end of a line.
//
// With a fuzzing engine (the preset fuzz) this is its target, of one reader at a time; without one, the program mutates
// the corpus by itself: fuzz_text CORPUS_DIR [RUNS] [SEED].
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <isserlis/data/csv.hpp>
#include <isserlis/mlp/architecture.hpp>
#include <isserlis/network/widths.hpp>
#include <isserlis/observable/statistic.hpp>
#include <isserlis/observable/trace_expression.hpp>
#include <isserlis/ring/parse.hpp>
#include <string>
#include <vector>

#include "input_file.hpp"
#include "mutations.hpp"
#include "question/form_file.hpp"
#include "question/graph_file.hpp"
#include "question/measured_file.hpp"
#include "question/weights_file.hpp"
#include "question/with_file.hpp"

namespace {

using namespace isserlis;

constexpr std::size_t longest_read_back = 2000;

[[noreturn]] void report(std::string const& input, std::string const& printed) {
    std::fprintf(stderr, "%s\n: printed as %s, and not read back\n", input.c_str(), printed.c_str());
    std::abort();
}

/// What a mutation makes of a few digits may have millions of them.
bool is_short(Rational const& x) {
    return mpz_sizeinbase(mpq_numref(x.backend().data()), 10) + mpz_sizeinbase(mpq_denref(x.backend().data()), 10) <
           longest_read_back;
}

template <class Value>
void read_back(std::string const& input, Value const& value, auto const& read) {
    for (auto const& t : value.terms()) {
        if (!is_short(t.coefficient)) return;
    }
    std::string const printed = to_string(value);
    if (printed.size() < longest_read_back && !(read(printed) == value)) report(input, printed);
}

/// Only what is computed at once is worth its time where inputs are counted in millions; without ISSERLIS_FUZZ_SHORT the
/// limits of the product are met too.
bool is_quick([[maybe_unused]] std::string const& text, [[maybe_unused]] Expression const& e) {
#ifdef ISSERLIS_FUZZ_SHORT
    constexpr std::size_t longest_text = 48;
    constexpr std::size_t most_digits = 24;
    constexpr int largest_exponent = 6;
    if (text.size() > longest_text) return false;
    auto const digits = [](Integer const& x) { return mpz_sizeinbase(x.backend().data(), 10); };
    if (e.kind() == Expression::Kind::number)
        return digits(numerator_of(e.number())) + digits(denominator_of(e.number())) < most_digits;
    if (e.kind() == Expression::Kind::power) {
        Expression const* exponent = &e.operands()[1];
        if (exponent->kind() == Expression::Kind::negate) exponent = exponent->operands().data();
        if (exponent->kind() != Expression::Kind::symbol &&
            (exponent->kind() != Expression::Kind::number || exponent->number() > largest_exponent))
            return false;
    }
    return std::all_of(e.operands().begin(), e.operands().end(), [&](auto const& of) { return is_quick(text, of); });
#else
    return true;
#endif
}

template <class Reader>
void read_arithmetic(std::string const& input, std::string const& text, Reader const& reader) {
    if (is_quick(text, Expression::parse(text, "text"))) read_back(input, reader(text), reader);
}

/// What is printed of an expression is read back as the same.
template <class Reader>
void read_expression(std::string const& input, std::string const& text, Reader const& reader) {
    std::string const printed = to_string(reader(text));
    if (to_string(reader(printed)) != printed) report(input, printed);
}

/// The file that is written of a network has its parameters again, to the last bit.
void read_network(std::string const& input, std::string const& text) {
    auto const saved = quantity::read_saved_network("text:" + text, "weights");
    auto const parameters_of = [](quantity::SavedNetwork const& net) {
        return net.parameters(mlp::perceptron(net.widths(), net.unit, {}, net.biases));
    };
    auto const parameters = parameters_of(saved);
    auto const architecture = mlp::perceptron(saved.widths(), saved.unit, {}, saved.biases);
    std::string const printed = quantity::weights_text(architecture, saved.unit, parameters);
    auto const again = quantity::read_saved_network("text:" + printed, "weights");
    if (parameters_of(again) != parameters || again.widths() != saved.widths()) report(input, printed);
    static_cast<void>(quantity::read_weights_file("text:" + text, "weights"));  // which refuses more
}

void read_graph(std::string const& input, std::string const& text) {
    auto const graph = quantity::read_graph_file("text:" + text);
    if (graph.nodes.size() < 2) report(input, "a network without layers");
    for (auto const& edge : graph.edges) {
        if (edge.from >= edge.to || edge.to >= graph.nodes.size()) report(input, "an edge to nowhere");
    }
}

void read_measured(std::string const& input, std::string const& text) {
    static fuzz::InputFile const file;
    for (auto const& row : quantity::read_measured_file(file.with(text))) {
        if (row.layer == 0 || row.width == 0 || row.samples == 0 || !std::isfinite(row.value) ||
            !(row.std_error.value_or(1) > 0))
            report(input, "line " + std::to_string(row.line));
    }
}

void read(std::string const& input) {
    if (input.size() < 2) return;
    std::string text = input.substr(2);
    try {
        switch (input.front()) {
            case 'f': {
                auto const reader = [](std::string const& t) { return parse_rational_function(t, "text"); };
                read_arithmetic(input, text, reader);
                break;
            }
            case 'n': {
                auto const reader = [](std::string const& t) { return parse_surd(t, "text"); };
                read_arithmetic(input, text, reader);
                break;
            }
            case 'e': read_expression(input, text, [](std::string const& t) { return parse_statistic(t); }); break;
            case 't':
                read_expression(input, text, [](std::string const& t) { return parse_trace_expression(t); });
                break;
            case 'g': read_graph(input, text); break;
            case 'q': static_cast<void>(quantity::read_form_file("text:" + text)); break;
            case 'i': static_cast<void>(quantity::read_with_file("text:" + text)); break;
            case 'w':
                if (parse_widths(text).empty()) report(input, "no width");
                break;
            case 'd': {
                std::replace(text.begin(), text.end(), '|', '\n');
                DataSet const data = parse_data_csv(text, "text");
                for (auto const& row : data.inputs) {
                    if (row.size() != data.input_width()) report(input, "a ragged data set");
                }
                break;
            }
            case 'p': read_network(input, text); break;
            case 'm':
                std::replace(text.begin(), text.end(), '|', '\n');
                read_measured(input, text);
                break;
            default: break;
        }
    } catch (Error const&) {
        // A clear refusal is an answer.
    }
}

}  // namespace

#ifdef ISSERLIS_FUZZING_ENGINE

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    read(std::string{ISSERLIS_FUZZED_READER, ':'} + std::string(data, data + size));
    return 0;
}

#else

int main(int argc, char** argv) {
    isserlis::fuzz::Corpus const corpus{
        .lines_each = 1, .fixed = 2, .alphabet = "nmLx1yhg(),.:;|+-*/^ 0123456789e_sqrt\"\t\xc3\x01[]{}"};
    return isserlis::fuzz::run(
        argc, argv, corpus, [](std::string const& input) { read(input); }, "no crash, nothing misread");
}

#endif
