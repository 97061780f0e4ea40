// SPDX-License-Identifier: MIT
// Random observables on random chains: whatever is asked, the answer is a finite number or one of our errors.
//
// With a fuzzing engine (the preset fuzz) this is its target; without one, the program mutates the corpus by itself: fuzz_query CORPUS_DIR [RUNS] [SEED].
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <isserlis/network/widths.hpp>
#include <isserlis/network/zoo.hpp>
#include <isserlis/ring/members.hpp>
#include <isserlis/strand/expectation.hpp>
#include <isserlis/strand/statistic_value.hpp>
#include <string>
#include <vector>

#include "mutations.hpp"

namespace {

using namespace isserlis;

constexpr std::size_t most_layers = 4;
constexpr std::size_t longest_input = 200;

/// ReLU layers of variance 2/fan-in; a residual or dense network for a first letter r or d.
Graph<Rational, std::uint64_t> graph_of(std::string text) {
    char const wiring = text.empty() ? ' ' : text.front();
    if (wiring == 'r' || wiring == 'd') text.erase(0, 1);
    std::vector<Rational> widths;
    for (auto const& item : parse_widths(text)) {
        if (item.width.is_symbol || item.count.is_symbol || widths.size() > most_layers)
            throw DomainError("numbers, and few of them");
        widths.push_back(parse_rational(item.width.text, "WIDTHS"));
    }
    if (widths.size() < 2) throw DomainError("a network has two widths at least");
    Activation<Rational> const relu{.kind = ActivationKind::relu, .slope = 0};
    auto const variance = [](Rational const& fan_in) { return Rational(2 / fan_in); };
    if (wiring == 'r') {
        Rational const n = widths.front();
        std::vector<BranchMatrix<Rational>> const branch = {{.width = n, .variance = variance(n)},
                                                            {.width = n, .variance = variance(n)}};
        return residual_graph<Rational, std::uint64_t>(n, relu, {{branch, widths.size() - 1}});
    }
    if (wiring == 'd') {
        std::vector<BranchMatrix<Rational>> layers;
        for (std::size_t l = 1; l < widths.size(); ++l)
            layers.push_back({.width = widths[l], .variance = variance(widths[l - 1])});
        return dense_graph<Rational, std::uint64_t>(widths.front(), relu, false, layers);
    }
    FullyConnected<Rational, std::uint64_t> net;
    net.activation = relu;
    for (std::size_t l = 1; l < widths.size(); ++l) {
        net.layers.push_back(
            {.fan_in = widths[l - 1], .fan_out = widths[l], .count = 1, .variance = variance(widths[l - 1])});
    }
    return chain_graph(net);
}

/// What takes a second takes half a minute under sanitizers.
RecursionOptions const affordable{.most_steps = 1e6};

Rational value_of(StatisticQuery const& query, Graph<Rational, std::uint64_t> const& graph,
                  ObservableSetting<Rational> const& setting) {
    auto const parameter = [&](std::string const& name) { return setting.parameters.at(name); };
    auto const mean = [&](Query const& q) { return expectation(q, graph, setting, affordable); };
    return StatisticValue<Rational>(query, parameter, mean)();
}

/// First line an EXPR, second line a network.
void ask(std::string const& input) {
    if (input.size() > longest_input) return;
    std::size_t const end = std::min(input.find('\n'), input.size());
    try {
        StatisticQuery const query = parse_statistic(input.substr(0, end));
        // What is printed is read back as the same query.
        if (to_string(parse_statistic(to_string(query))) != to_string(query)) {
            std::fprintf(stderr, "not read back: %s\n", input.c_str());
            std::abort();
        }
        auto const graph = graph_of(end < input.size() ? input.substr(end + 1) : "2,3,1");
        ObservableSetting<Rational> setting;
        setting.inputs.squared_norm = Rational(2);
        setting.target_fourth = Rational(3);
        for (auto const& name : parameters_of(query.statistic)) setting.parameters.emplace(name, Rational(2));
        auto const to_double = [](Rational const& x) { return x.convert_to<double>(); };
        auto const* observable = query.single_mean();
        if (observable == nullptr) {
            // In doubles a variance may cancel to nothing; exactly it is a number, and not below 0.
            bool const variance = query.statistic.kind == Statistic::Kind::variance;
            if (value_of(query, graph, setting) < 0 && variance) {
                std::fprintf(stderr, "%s: a negative variance\n", input.c_str());
                std::abort();
            }
            return;
        }
        Query const single = query.restricted(*observable);
        auto const exact = expectation(single, graph, setting, affordable);
        double const rounded =
            expectation(single, converted<double>(graph, to_double), converted<double>(setting, to_double), affordable);
        double const value = exact.convert_to<double>();
        bool const finite = std::isfinite(rounded) || !std::isfinite(value);
        if (!finite || std::fabs(rounded - value) > 1e-6 * (1 + std::fabs(value))) {
            std::fprintf(stderr, "%s: exact %.17g, in doubles %.17g\n", input.c_str(), value, rounded);
            std::abort();
        }
    } catch (Error const&) {
        // A clear refusal is an answer.
    }
}

}  // namespace

#ifdef ISSERLIS_FUZZING_ENGINE

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    ask(std::string(data, data + size));
    return 0;
}

#else

int main(int argc, char** argv) {
    isserlis::fuzz::Corpus const corpus{
        .lines_each = 2, .fixed = 0, .alphabet = "zhyDim nj[];,^()*+-/@{}0123 where in loss 2.EVarCov"};
    return isserlis::fuzz::run(argc, argv, corpus, ask, "no crash, no wrong number");
}

#endif
