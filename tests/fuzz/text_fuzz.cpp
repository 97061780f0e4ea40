// SPDX-License-Identifier: MIT
// Random texts where formulas, numbers, WIDTHS and data sets are read: a value that prints and reads back as itself, or
// one of our errors. An input is a letter, a colon and the text; | is the end of a line.
//
// With a fuzzing engine (clang++ -fsanitize=fuzzer -DISSERLIS_FUZZING_ENGINE) this is its target; without one, the
// program mutates the corpus by itself: fuzz_text CORPUS_DIR [RUNS] [SEED].
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <isserlis/data/csv.hpp>
#include <isserlis/network/widths.hpp>
#include <isserlis/ring/parse.hpp>
#include <random>
#include <string>
#include <vector>

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
            default: break;
        }
    } catch (Error const&) {
        // A clear refusal is an answer.
    }
}

}  // namespace

#ifdef ISSERLIS_FUZZING_ENGINE

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    read(std::string(data, data + size));
    return 0;
}

#else

namespace {

std::string mutated(std::vector<std::string> const& corpus, std::mt19937_64& random) {
    static std::string const alphabet = "nmLx1yhg(),.:;|+-*/^ 0123456789e_sqrt\"\t\xc3\x01";
    auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    std::string out = corpus[below(corpus.size())];
    for (std::size_t k = 1 + below(4); k-- > 0 && out.size() > 2;) {
        std::size_t const at = 2 + below(out.size() - 2);
        switch (below(4)) {
            case 0: out.erase(at, 1 + below(4)); break;
            case 1: out[at] = alphabet[below(alphabet.size())]; break;
            case 2: out.insert(at, 1, alphabet[below(alphabet.size())]); break;
            default: {
                std::string const& other = corpus[below(corpus.size())];
                out.insert(at, other.substr(2 + below(other.size() - 2), below(12)));
            }
        }
    }
    return out;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: %s CORPUS_DIR [RUNS] [SEED]\n", argv[0]);
        return 2;
    }
    std::vector<std::filesystem::path> files(std::filesystem::directory_iterator(argv[1]), {});
    std::sort(files.begin(), files.end());
    std::vector<std::string> corpus;
    for (auto const& file : files) {
        std::ifstream in(file);
        for (std::string line; std::getline(in, line);) {
            if (line.size() > 2) corpus.push_back(line);
        }
    }
    if (corpus.empty()) {
        std::fprintf(stderr, "%s: no corpus\n", argv[1]);
        return 2;
    }
    for (auto const& input : corpus) read(input);
    std::mt19937_64 random(argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1);
    long const runs = argc > 2 ? std::strtol(argv[2], nullptr, 10) : 2000;
    for (long i = 0; i < runs; ++i) {
        std::string const input = mutated(corpus, random);
        if (std::getenv("ISSERLIS_FUZZ_TRACE") != nullptr) std::fprintf(stderr, "%s\n--\n", input.c_str());
        read(input);
    }
    std::printf("%zu inputs of the corpus and %ld mutations: no crash, nothing misread\n", corpus.size(), runs);
    return 0;
}

#endif
