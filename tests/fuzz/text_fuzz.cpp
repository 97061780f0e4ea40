// SPDX-License-Identifier: MIT
// Random texts where formulas, numbers, WIDTHS, data sets, parameters of networks and measured coordinates are read: a
// value that prints and reads back as itself, or one of our errors. An input is the letter of a reader, a colon and the
// text; | is the end of a line.
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
#include <isserlis/ring/parse.hpp>
#include <string>
#include <vector>

#include "input_file.hpp"
#include "mutations.hpp"
#include "question/measured_file.hpp"
#include "question/weights_file.hpp"

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

/// The file that is written of a network has its parameters again, to the last bit.
void read_network(std::string const& input, std::string const& text) {
    static fuzz::InputFile const file;
    auto const saved = quantity::read_saved_network(file.with(text), "weights");
    auto const parameters_of = [](quantity::SavedNetwork const& net) {
        return net.parameters(mlp::perceptron(net.widths(), net.unit, {}, net.biases));
    };
    auto const parameters = parameters_of(saved);
    auto const architecture = mlp::perceptron(saved.widths(), saved.unit, {}, saved.biases);
    std::string const printed = quantity::weights_text(architecture, saved.unit, parameters);
    auto const again = quantity::read_saved_network(file.with(printed), "weights");
    if (parameters_of(again) != parameters || again.widths() != saved.widths()) report(input, printed);
    static_cast<void>(quantity::read_weights_file(file.with(text), "weights"));  // which refuses more
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
                read_back(input, reader(text), reader);
                break;
            }
            case 'n': {
                auto const reader = [](std::string const& t) { return parse_surd(t, "text"); };
                read_back(input, reader(text), reader);
                break;
            }
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
