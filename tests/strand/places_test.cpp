// SPDX-License-Identifier: MIT
#include <isserlis/strand/places.hpp>

#include <doctest/doctest.h>

#include <isserlis/error.hpp>

#include <functional>
#include <string>
#include <vector>

#include "graphs.hpp"

// Names of nodes and matrices: in a run of equal layers, which is cut where a query names one of them, and written out layer
// by layer, where nothing is cut.

namespace {

using namespace graphs;
using F = RationalFunction;
using Named = NamedNetwork<Rational, std::uint64_t>;

/// The same network, each copy of a stage a stage of its own.
Net unrolled(Net const& net) {
    Net out = net;
    out.stages.clear();
    for (auto const& stage : net.stages) {
        for (std::uint64_t copy = 0; copy < stage.count; ++copy) {
            out.stages.push_back(stage);
            out.stages.back().first = stage.first + copy;
            out.stages.back().count = 1;
        }
    }
    return out;
}

std::string message_of(std::function<void()> const& f) {
    try {
        f();
    } catch (Error const& e) {
        return e.what();
    }
    return "nothing is thrown";
}

std::string refused(std::string const& query, Net const& net) {
    std::vector<Rational> const ones(static_cast<std::size_t>(net.input_width.convert_to<int>()), Rational(1));
    return message_of([&] { (void)engine(query, net, at_input(ones)); });
}

bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

/// "0, 1, 2, .." to a number.
std::string numbers(int from, int to) {
    std::string out;
    for (int k = from; k <= to; ++k) out += (out.empty() ? "" : ", ") + std::to_string(k);
    return out;
}

/// A chain of so many layers of width 1.
Net chain_of(std::size_t layers) { return vanilla<Rational>(std::vector<Rational>(layers + 1, Rational(1))); }

}  // namespace

TEST_SUITE("strand/places") {
    TEST_CASE("a run of layers has the values of the layers written out, whatever a query names in it") {
        auto const run = repeated<Rational, std::uint64_t>(2, 3, 5, 3);
        REQUIRE(run.stages.size() == 3);
        auto const setting = at_input({1, 2});
        for (std::string const text :
             {"z[i;m]^2 where m in 2..3", "z[i;m]^2 where m in 3..4", "z[i;m]^2 where m in 1..3",
              "z[i;m]^2 where m in 4..6", "(z[i;m]^2)^2 where m in 3", "z[i;m]^2 z[j;n]^2 where m in 2..4, n in 3..5",
              "z{3}[i]^2 z[j]^2", "h{4}[i]^2 z{2}[j]^2", "norm2(W3) z[i]^2", "norm2(W5) norm2(J{3})",
              "tr(W4 W3 J{2} J{4}^T)", "norm2(Jh{4})", "h{0}[1]^2 z{2}[i]^2"}) {
            CAPTURE(text);
            CHECK(engine(text, run, setting) == engine(text, unrolled(run), setting));
        }
        auto const blocks = residual<Rational, std::uint64_t>(2, 4, 2, 2, 1);
        REQUIRE(blocks.stages.size() == 1);
        for (std::string const text : {"h{0}[1]^2 z[i]^2", "z{0}[i] z[i]", "z{2}[i] z[i]", "z{3}[1] z{1}[1]",
                                       "z[i;m]^2 where m in 2.1..3.2", "z[i;m]^2 where m in 3", "J{2}[i,j] J[i,j]"}) {
            CAPTURE(text);
            CHECK(engine(text, blocks, setting) == engine(text, unrolled(blocks), setting));
        }
        // x . z of residual blocks is x . x, and sum_ij J_ij J{2}_ij is |J{2}|^2 = 2 (1 + 1)^2, as each block doubles |v|^2.
        CHECK(engine("z{0}[i] z[i]", blocks, setting) == 5);
        CHECK(engine("J{2}[i,j] J[i,j]", blocks, setting) == 8);
    }

    TEST_CASE("a matrix leads from the node below to its own") {
        Named const chain(vanilla<Rational>({2, 3, 4, 2}));
        CHECK(chain.matrix("1").from == NodePlace{.stage = 0, .node = 0});
        CHECK(chain.matrix("2").from == NodePlace{.stage = 0, .node = 1});
        CHECK(chain.matrix("3").from == NodePlace{.stage = 1, .node = 1});
        CHECK(chain.matrix("2").to == NodePlace{.stage = 1, .node = 1});
        CHECK(chain.matrix("2").edge == EdgePlace{.stage = 1, .edge = 0});
        CHECK(chain.source({.stage = 1, .edge = 0}) == NodePlace{.stage = 0, .node = 1});
        Named const blocks(unrolled(residual<Rational, std::uint64_t>(2, 2, 2, 2, 1)));
        CHECK(blocks.matrix("2.1").from == NodePlace{.stage = 0, .node = 2});
        CHECK(blocks.matrix("2.2").from == NodePlace{.stage = 1, .node = 1});
        CHECK(blocks.matrix("2.2").to == NodePlace{.stage = 1, .node = 2});
        Named const dense(densely_connected(2, {3, 1}, 1));
        CHECK(dense.matrix("w2.0").from == NodePlace{.stage = 0, .node = 0});
        CHECK(dense.matrix("w2.1").from == NodePlace{.stage = 0, .node = 1});
    }

    TEST_CASE("places have the name and the width of their node") {
        Named const chain(vanilla<Rational>({2, 3, 4, 5}));
        CHECK(chain.name({.stage = 0, .node = 0}) == "0");
        CHECK(chain.name({.stage = 1, .node = 0}) == "1");
        CHECK(chain.name({.stage = 1, .node = 1}) == "2");
        CHECK(chain.width({.stage = 0, .node = 0}) == 2);
        CHECK(chain.width({.stage = 2, .node = 0}) == 4);
        CHECK(chain.width({.stage = 2, .node = 1}) == 5);
        CHECK(chain.output() == NodePlace{.stage = 2, .node = 1});
    }

    TEST_CASE("a block of several matrices has no matrix of its number alone") {
        auto const blocks = residual<Rational, std::uint64_t>(2, 2, 2, 2, 1);
        CHECK(contains(refused("norm2(W1)", blocks), "several matrices are called '1'; they are 1.1, 1.2, 2.1, 2.2"));
        CHECK(contains(refused("norm2(W3)", blocks), "no weights called '3'"));
    }

    TEST_CASE("a name that nothing has is no skip edge") {
        auto const blocks = residual<Rational, std::uint64_t>(2, 2, 2, 2, 1);
        CHECK(contains(refused("z[i;m]^2 where m in 7", blocks), "no weights called '7'"));
        CHECK(contains(refused("z[i;m]^2 where m in 1.3", blocks), "no weights called '1.3'"));
        CHECK(contains(refused("z[i;m]^2 where m in 2.skip", blocks), "'2.skip' is a skip edge"));
        CHECK(contains(refused("z[i;m]^2 where m in 7.skip", blocks), "no weights called '7.skip'"));
        auto const joined = concatenated(2, {1}, 1);
        CHECK(contains(refused("z[i;m]^2 where m in l2", joined), "no weights called 'l2'"));
        CHECK(contains(refused("z[i;m]^2 where m in r1", joined), "'r1' is a skip edge"));
    }

    // "0, 1, .., 9" are 28 characters and each further number is 4: 200 characters end with 52 from 0 on, and "1, .., 53".
    TEST_CASE("a list of names ends after some 200 characters, with dots where there are more") {
        auto const nodes = [](std::size_t layers) { return refused("z{999}[1]^2", chain_of(layers)); };
        CHECK(nodes(51).ends_with("its nodes are " + numbers(0, 51)));
        CHECK(nodes(52).ends_with("its nodes are " + numbers(0, 52)));
        CHECK(nodes(53).ends_with("its nodes are " + numbers(0, 52) + ", .."));
        CHECK(nodes(90).ends_with("its nodes are " + numbers(0, 52) + ", .."));
        auto const edges = [](std::size_t layers) { return refused("z[1;m]^2 where m in 999", chain_of(layers)); };
        CHECK(edges(52).ends_with("they are " + numbers(1, 52)));
        CHECK(edges(53).ends_with("they are " + numbers(1, 53)));
        CHECK(edges(54).ends_with("they are " + numbers(1, 53) + ", .."));
        CHECK(edges(90).ends_with("they are " + numbers(1, 53) + ", .."));
    }

    TEST_CASE("a run is listed by its first and its last layer") {
        auto const deep = repeated<F, Exponent>(F::symbol("p"), F::symbol("n"), Exponent::symbol("L"), F(1));
        ObservableSetting<F> setting;
        setting.inputs.squared_norm = F(1);
        auto const message = [&](std::string const& text) {
            return message_of([&] { (void)expectation(parse_query(text), deep, setting); });
        };
        CHECK(contains(message("z{1.9}[i]^2"), "its nodes are 0, 1, 2 .. L, L + 1"));
        CHECK(contains(message("z[i;m]^2 where m in 1.9"), "they are 1, 2 .. L, L + 1"));
        auto const blocks = residual<F, Exponent>(F::symbol("n"), Exponent::symbol("L"), 2, F(2), F(1));
        auto const list =
            message_of([&] { (void)expectation(parse_query("z[i;m]^2 where m in 1.9"), blocks, setting); });
        CHECK(contains(list, "they are 1.1, 1.2, 2.1 .. L - 1.1, 2.2 .. L - 1.2, L.1, L.2"));
    }

    // E |z_l|^2 = n 2/p |x|^2 at every layer of the run: weights of variance 2/fan-in, of which gates let half through.
    TEST_CASE("a letter that is no depth is a layer of the run, wherever it stands in the alphabet") {
        ObservableSetting<F> setting;
        setting.inputs.squared_norm = F(1);
        for (std::string const depth : {"L", "d"}) {
            auto const deep = repeated<F, Exponent>(F::symbol("p"), F::symbol("n"), Exponent::symbol(depth), F(1));
            for (std::string const layer : {"c", "l"}) {
                CAPTURE(depth);
                CAPTURE(layer);
                auto const mean = expectation(parse_query("z{" + layer + "}[i]^2"), deep, setting);
                CHECK(mean.formula() == F(2) * F::symbol("n") / F::symbol("p"));
            }
        }
    }
}
