// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace isserlis::fuzz {

/// How inputs are stored, and what mutations are made of.
struct Corpus {
    std::size_t lines_each = 1;  ///< lines of a file that are one input
    std::size_t fixed = 0;       ///< characters at the start of an input that are left alone
    std::string alphabet;
};

inline std::vector<std::string> read_corpus(char const* folder, Corpus const& corpus) {
    std::vector<std::filesystem::path> files(std::filesystem::directory_iterator(folder), {});
    std::sort(files.begin(), files.end());
    std::vector<std::string> out;
    for (auto const& file : files) {
        std::ifstream in(file);
        std::string input;
        std::size_t lines = 0;
        for (std::string line; std::getline(in, line);) {
            input += (lines == 0 ? "" : "\n") + line;
            if (++lines < corpus.lines_each) continue;
            if (input.size() > corpus.fixed) out.push_back(input);
            input.clear();
            lines = 0;
        }
    }
    return out;
}

inline std::string mutated(std::vector<std::string> const& inputs, Corpus const& corpus, std::mt19937_64& random) {
    auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    auto place_in = [&](std::string const& text) { return corpus.fixed + below(text.size() - corpus.fixed); };
    std::string out = inputs[below(inputs.size())];
    for (std::size_t k = 1 + below(4); k-- > 0 && out.size() > corpus.fixed;) {
        std::size_t const at = place_in(out);
        switch (below(4)) {
            case 0: out.erase(at, 1 + below(4)); break;
            case 1: out[at] = corpus.alphabet[below(corpus.alphabet.size())]; break;
            case 2: out.insert(at, 1, corpus.alphabet[below(corpus.alphabet.size())]); break;
            default: {
                std::string const& other = inputs[below(inputs.size())];
                std::size_t const from = place_in(other);
                out.insert(at, other.substr(from, below(12)));
            }
        }
    }
    return out;
}

/// The whole of a driver: fuzz_NAME CORPUS_DIR [RUNS] [SEED]. `ask` aborts where an answer is wrong, `found_nothing`
/// is said at the end.
template <class Ask>
int run(int argc, char** argv, Corpus const& corpus, Ask const& ask, std::string_view found_nothing) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: %s CORPUS_DIR [RUNS] [SEED]\n", argv[0]);
        return 2;
    }
    auto const inputs = read_corpus(argv[1], corpus);
    if (inputs.empty()) {
        std::fprintf(stderr, "%s: no corpus\n", argv[1]);
        return 2;
    }
    for (auto const& input : inputs) ask(input);
    std::mt19937_64 random(argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1);
    long const runs = argc > 2 ? std::strtol(argv[2], nullptr, 10) : 2000;
    for (long i = 0; i < runs; ++i) {
        std::string const input = mutated(inputs, corpus, random);
        if (std::getenv("ISSERLIS_FUZZ_TRACE") != nullptr) std::fprintf(stderr, "%s\n--\n", input.c_str());
        ask(input);
    }
    std::printf("%zu inputs of the corpus and %ld mutations: %.*s\n", inputs.size(), runs,
                static_cast<int>(found_nothing.size()), found_nothing.data());
    return 0;
}

}  // namespace isserlis::fuzz
