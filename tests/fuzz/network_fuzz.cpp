// SPDX-License-Identifier: MIT
// Random network files: whatever stands in one, `isserlis expect` answers with numbers and formulas, or with one of our
// errors. Files are mutated as JSON and as text.
//
// With a fuzzing engine (the preset fuzz) this is its target; without one, the program mutates the files of a folder by
// itself: fuzz_network CORPUS_DIR [RUNS] [SEED].
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <isserlis/error.hpp>
#include <isserlis/quantity/ask.hpp>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "input_file.hpp"

namespace {

using namespace isserlis;
using Json = nlohmann::json;

std::vector<std::string> const queries = {"z[i]^2",          "z[i;m]^2", "(D[m,n] loss)^2",
                                          "(z[i]^2)^2",      "z[i;m]^4", "z[i;m]^2 where m in head",
                                          "z.a[i]^2 z[j]^2", "h.a[i]^2"};

/// Does the file have an answer, rather than an error?
bool ask(std::string const& content, std::string const& query) {
    static fuzz::InputFile const file;
    try {
        Answer const answer =
            quantity::ask({.command = "expect", .words = {query}, .parameters = {{"network", {file.with(content)}}}});
        std::string const text = render(answer);
        if (answer.results().empty() || text.find("nan") != std::string::npos ||
            text.find("inf") != std::string::npos) {
            std::fprintf(stderr, "%s\n%s\n%s\n", query.c_str(), content.c_str(), text.c_str());
            std::abort();
        }
        return true;
    } catch (Error const&) {
        return false;  // a clear refusal is an answer
    } catch (std::exception const& e) {
        std::fprintf(stderr, "%s\n%s\n%s\n", query.c_str(), content.c_str(), e.what());
        std::abort();
    }
}

class Mutator {
public:
    explicit Mutator(std::uint64_t seed) : random_(seed) {}

    std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

    std::string mutated(std::string const& text) {
        if (below(10) == 0) {
            std::string out = text;
            out[below(out.size())] = static_cast<char>(32 + below(95));
            return out;
        }
        Json json = Json::parse(text);
        for (std::size_t k = below(3) == 0 ? 2 : 1; k-- > 0;) mutate(json);
        return json.dump();
    }

private:
    void mutate(Json& json) {
        if (!json.is_structured() || json.empty()) {
            json = leaf();
            return;
        }
        std::size_t const at = below(json.size());
        auto child = std::next(json.begin(), static_cast<std::ptrdiff_t>(at));
        switch (below(8)) {
            case 0: json.erase(child); break;
            case 1:
                if (json.is_array())
                    json.push_back(Json(*child));
                else
                    json[keys[below(keys.size())]] = leaf();
                break;
            case 2:
                if (json.is_array()) std::swap(json[at], json[below(json.size())]);
                break;
            default: mutate(*child);
        }
    }

    Json leaf() {
        static std::vector<Json> const leaves = {0,
                                                 1,
                                                 2,
                                                 5,
                                                 -1,
                                                 1.5,
                                                 true,
                                                 false,
                                                 nullptr,
                                                 "n",
                                                 "1/2",
                                                 "x",
                                                 "a",
                                                 "b",
                                                 "y",
                                                 "relu",
                                                 "linear",
                                                 "leaky:2",
                                                 "leaky:n",
                                                 "uniform",
                                                 "rademacher",
                                                 "m + 1",
                                                 "2^1000",
                                                 "sqrt(2)",
                                                 "1/0",
                                                 "n/n",
                                                 "",
                                                 "head",
                                                 Json::array(),
                                                 Json::object(),
                                                 "concatenation"};
        return leaves[below(leaves.size())];
    }

    static constexpr std::array keys = {"name", "width", "kind",     "activation", "from",         "to",
                                        "skip", "law",   "variance", "kurtosis",   "label_factor", "other"};
    std::mt19937_64 random_;
};

}  // namespace

#ifdef ISSERLIS_FUZZING_ENGINE

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

/// Half of the time as JSON, where the text is JSON.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
    if (seed % 2 == 0 || !Json::accept(data, data + size)) return LLVMFuzzerMutate(data, size, most);
    std::string const text = Mutator(seed).mutated(std::string(data, data + size));
    if (text.size() > most) return LLVMFuzzerMutate(data, size, most);
    std::copy(text.begin(), text.end(), data);
    return text.size();
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    ask(std::string(data, data + size), queries[size % queries.size()]);
    return 0;
}

#else

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: %s CORPUS_DIR [RUNS] [SEED]\n", argv[0]);
        return 2;
    }
    std::vector<std::filesystem::path> files(std::filesystem::directory_iterator(argv[1]), {});
    std::sort(files.begin(), files.end());
    if (files.empty()) {
        std::fprintf(stderr, "%s: no corpus\n", argv[1]);
        return 2;
    }
    std::vector<std::string> corpus;
    for (auto const& f : files) {
        std::ifstream in(f);
        corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
        if (!ask(corpus.back(), "z[i]^2")) {
            std::fprintf(stderr, "%s: refused\n", f.c_str());
            return 1;
        }
    }
    Mutator mutator(argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1);
    long const runs = argc > 2 ? std::strtol(argv[2], nullptr, 10) : 1000;
    long answered = 0;
    for (long i = 0; i < runs; ++i) {
        std::string const content = mutator.mutated(corpus[mutator.below(corpus.size())]);
        answered += ask(content, queries[mutator.below(queries.size())]) ? 1 : 0;
    }
    std::printf("%zu files of the corpus and %ld mutations, %ld with an answer: no crash\n", corpus.size(), runs,
                answered);
    return 0;
}

#endif
