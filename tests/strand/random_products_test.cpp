// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <isserlis/error.hpp>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "../ring/property.hpp"
#include "graphs.hpp"
#include "oracle.hpp"

// Products of outputs of any nodes with random letters and labels on random graphs, against brute force.

namespace {

using namespace graphs;
using isserlis::testing::holds;
using oracle::d;
using oracle::Model;
using oracle::WeightPolynomial;

/// A product of outputs of nodes: letters and labels by number.
struct Product {
    struct Output {
        std::size_t node = 0;
        bool activated = false;
        int letter = -1;        ///< or, when negative,
        std::size_t fixed = 0;  ///< the neuron, from 0
        std::vector<int> labels;
    };
    std::vector<Output> outputs;
    std::vector<std::string> places;  ///< an edge for each label, or empty
    std::string text;
};

Product random_product(Model const& model, auto const& pick, int fewest, int most) {
    Product out;
    int const strands = pick(fewest, most);
    int const letters = pick(1, 2);
    for (int s = 0; s < strands; ++s) {
        Product::Output o;
        bool const inside = pick(0, 3) == 0;
        o.node = inside ? static_cast<std::size_t>(pick(0, static_cast<int>(model.output()))) : model.output();
        o.activated = pick(0, 1) == 1;
        o.fixed = static_cast<std::size_t>(pick(0, static_cast<int>(model.width(o.node)) - 1));
        if (pick(0, 3) != 0) o.letter = pick(0, letters - 1);
        out.outputs.push_back(o);
    }
    // A letter needs a partner, and neurons of layers of one width.
    for (int letter = 0; letter < letters; ++letter) {
        std::set<std::size_t> widths;
        int times = 0;
        for (auto const& o : out.outputs) {
            if (o.letter != letter) continue;
            ++times;
            widths.insert(model.width(o.node));
        }
        if (times > 1 && widths.size() == 1) continue;
        for (auto& o : out.outputs) {
            if (o.letter == letter) o.letter = -1;
        }
    }
    int const labels = pick(0, 2);
    for (int l = 0; l < labels; ++l) {
        std::vector<Product::Output*> carriers;
        for (auto& o : out.outputs) {
            if (o.node > 0 && pick(0, 1) == 1) carriers.push_back(&o);
        }
        if (carriers.size() < 2) continue;
        auto const number = static_cast<int>(out.places.size());
        for (auto* o : carriers) o->labels.push_back(number);
        auto const& weights = model.weights();
        out.places.push_back(pick(0, 3) == 0
                                 ? weights[static_cast<std::size_t>(pick(0, static_cast<int>(weights.size()) - 1))].edge
                                 : "");
    }
    for (auto const& o : out.outputs) {
        out.text += o.activated ? "h{" : "z{";
        out.text += model.name(o.node) + "}[";
        out.text += o.letter < 0 ? std::to_string(o.fixed + 1) : std::string(1, static_cast<char>('i' + o.letter));
        for (std::size_t l = 0; l < o.labels.size(); ++l)
            out.text += (l == 0 ? ";" : ",") + std::string(1, static_cast<char>('m' + o.labels[l]));
        out.text += "] ";
    }
    std::string restrictions;
    for (std::size_t l = 0; l < out.places.size(); ++l) {
        if (out.places[l].empty()) continue;
        restrictions += (restrictions.empty() ? "where " : ", ") + std::string(1, static_cast<char>('m' + l)) + " in " +
                        out.places[l];
    }
    out.text += restrictions;
    return out;
}

/// The product summed over all its letters and labels.
WeightPolynomial written_out(Model const& model, Product const& product) {
    WeightPolynomial total;
    std::size_t const labels = product.places.size();
    std::vector<std::size_t> letters(2, 0);
    std::function<void(std::size_t, std::vector<WeightPolynomial> const&, int)> sum_labels =
        [&](std::size_t l, std::vector<WeightPolynomial> const& outputs, int factor) {
            if (l == labels) {
                WeightPolynomial term(factor);
                for (auto const& p : outputs) term = term * p;
                total += term;
                return;
            }
            for (auto const& w : model.weights()) {
                if (!product.places[l].empty() && product.places[l] != w.edge) continue;
                auto next = outputs;
                bool zero = false;
                for (std::size_t s = 0; s < next.size() && !zero; ++s) {
                    auto const& mine = product.outputs[s].labels;
                    if (std::find(mine.begin(), mine.end(), static_cast<int>(l)) == mine.end()) continue;
                    next[s] = d(next[s], w);
                    zero = next[s].is_zero();
                }
                if (!zero) sum_labels(l + 1, next, factor * w.label_factor);
            }
        };
    std::function<void(int)> sum_letters = [&](int letter) {
        if (letter == 2) {
            std::vector<WeightPolynomial> outputs;
            for (auto const& o : product.outputs) {
                std::size_t const i = o.letter < 0 ? o.fixed : letters[static_cast<std::size_t>(o.letter)];
                outputs.push_back(o.activated ? model.h(o.node, i) : model.z(o.node, i));
            }
            sum_labels(0, outputs, 1);
            return;
        }
        std::size_t width = 1;
        for (auto const& o : product.outputs) {
            if (o.letter == letter) width = model.width(o.node);
        }
        for (std::size_t i = 0; i < width; ++i) {
            letters[static_cast<std::size_t>(letter)] = i;
            sum_letters(letter + 1);
        }
    };
    sum_letters(0);
    return total;
}

std::string describe(Net const& net) {
    std::string out = "in(" + to_string(net.input_width) + ")";
    auto const& stage = net.stages.front();
    for (std::size_t v = 0; v < stage.nodes.size(); ++v) {
        auto const& node = stage.nodes[v];
        out += "  " + node.name + "(" + to_string(node.width) +
               (node.gate ? ", gate " + to_string(node.gate->negative) : "") +
               (node.bias ? ", bias " + to_string(node.bias->variance) + " " + name(node.bias->law.kind) : "") +
               (node.kind == GraphNode<Rational>::Kind::concatenation ? ", concatenation" : "") + "):";
        for (auto const& edge : stage.edges) {
            if (edge.to != v + 1) continue;
            out += " " + (edge.from == 0 ? std::string("in") : stage.nodes[edge.from - 1].name) +
                   (edge.kind == GraphEdge<Rational>::Kind::skip
                        ? " skip"
                        : " " + edge.name + " c=" + to_string(edge.variance) + " " + name(edge.law.kind) + " factor " +
                              to_string(edge.label_factor)) +
                   ";";
        }
    }
    return out;
}

bool coin() { return *rc::gen::inRange(0, 2) == 1; }

/// How many random products were answered.
struct Tally {
    int served = 0;
    int nonzero = 0;

    void check(int runs) const {
        CHECK(3 * served > runs);
        CHECK(4 * nonzero > runs);
    }
};

void random_case(RandomShape const& shape, int fewest, int most, Tally& tally) {
    auto const pick = [](int a, int b) { return *rc::gen::inRange(a, b + 1); };
    auto const net = random_graph(pick, shape);
    std::vector<int> x;
    for (int k = 0; Rational(k) < net.input_width; ++k) x.push_back(pick(0, 1) == 0 ? 1 : -2);
    Model const model(net, {x});
    auto const product = random_product(model, pick, fewest, most);
    RC_LOG(describe(net) + "\n" + product.text);
    WeightPolynomial const by_hand = written_out(model, product);
    std::vector<Rational> const coordinates(x.begin(), x.end());
    Rational value;
    try {
        value = engine(product.text, net, at_input(coordinates));
    } catch (UnsupportedError const& e) {
        RC_ASSERT(std::string(e.what()).find("node ") != std::string::npos);
        return;
    }
    RC_ASSERT(!model.needs_absolute_moments(by_hand));
    Rational const expected = model.mean(by_hand);
    RC_ASSERT(value == expected);
    ++tally.served;
    tally.nonzero += expected.is_zero() ? 0 : 1;
}

}  // namespace

TEST_SUITE("strand/random_products") {
    TEST_CASE("random products on random graphs are refused, or as brute force finds them") {
        Tally tally;
        holds([&] { random_case({.most_nodes = 4, .most_width = 2, .laws = coin()}, 1, 4, tally); }, 4000);
        tally.check(4000);
    }

    TEST_CASE("random products with random biases are refused, or as brute force finds them") {
        Tally tally;
        holds([&] { random_case({.most_nodes = 3, .most_width = 2, .laws = coin(), .biases = true}, 1, 4, tally); },
              2000);
        tally.check(2000);
    }

    TEST_CASE("random products of many outputs are refused, or as brute force finds them") {
        Tally tally;
        holds([&] { random_case({.most_nodes = 2, .most_width = 3, .laws = coin()}, 5, 6, tally); }, 400);
        tally.check(400);
        Tally linear;
        holds([&] { random_case({.most_nodes = 3, .most_width = 2, .gates = false, .laws = coin()}, 4, 6, linear); },
              300);
        linear.check(300);
    }
}
