// SPDX-License-Identifier: MIT
#include <isserlis/strand/symmetry.hpp>

#include <doctest/doctest.h>

#include <isserlis/strand/query_terms.hpp>

#include <string>
#include <utility>
#include <vector>

#include "graphs.hpp"

namespace {

using namespace isserlis;

/// Of one term in a network 2,2,2, with inputs a and b.
Bundle bundle_of(std::string const& text) {
    CAPTURE(text);
    auto const net = graphs::vanilla<Surd>({Surd(2), Surd(2), Surd(2)});
    ObservableSetting<Surd> setting;
    setting.inputs.names = {"a", "b"};
    auto const terms = query_terms(parse_query(text), net, setting);
    REQUIRE(terms.size() == 1);
    return terms.front().bundle;
}

/// Are two bundles one by another name, and each its own?
bool are_alike(std::string const& a, std::string const& b) {
    auto const x = bundle_of(a);
    auto const y = bundle_of(b);
    CHECK(isomorphic(x, x));
    CHECK(isomorphic(x, y) == isomorphic(y, x));
    return isomorphic(x, y);
}

}  // namespace

TEST_SUITE("strand/symmetry") {
    TEST_CASE("how many relabellings keep a bundle, by hand") {
        std::vector<std::pair<std::string, double>> const cases = {
            {"z[i]^2", 2},
            {"z[i]^4", 24},
            {"z[1]^2 z[2]^2", 4},
            // Pairs trade places, and the two of a pair: 2^k k!.
            {"(z[i]^2)^2", 8},
            {"(z[i]^2)^3", 48},
            {"z[i]^2 h[j]^2", 4},
            {"z[i]^2 z{1}[j]^2", 4},
            {"z[i]@a^2 z[j]@b^2", 4},
            {"(z[i]@a z[i]@b)^2", 2},
            // Rings of entries: a strand's two ends are of different kinds.
            {"norm2(J)", 2},
            {"tr(J)", 1},
            {"tr(J^4)", 4},
            {"tr((J J^T)^2)", 4},
            {"tr(J)^2", 2},
            {"tr(J)^2 tr(J^2)", 4},
            {"norm2(W1) norm2(W2)", 4},
            {"norm2(W1)^2", 8},
            {"J[1,i]^2 J[2,i]^2", 4},
            {"J[1,1]^2 J[1,2]^2", 4},
            {"J[i,a] z[i] J[j,a] z[j]", 2},
            {"norm2(J) norm2(Jh{1})", 4},
            // Labels move with the strands that carry them.
            {"(z[i;m]^2)^2", 8},
            {"(z[i;m] z[j;m])^2", 4},
            {"(z[i;m] z[i;n])^2", 4},
            {"z[i;m]^2 z[j]^2", 4},
            {"z[i;m,n]^2 z[j]^2", 4},
            {"z[i;m,n] z[i;m] z[j;n] z[j]", 1},
            {"z[i;m,n] z[j;m] z[k;n] z[i] z[j] z[k]", 2},
            {"z[i;m]^2 z[j;n]^2 where m in 1", 4},
            {"z[i;m]^2 z[j;n]^2 where m in 1, n in 2", 4},
            {"z[i;m] z[i;n] z[j;m] z[j;n] where m in 1", 2},
            // Constants stay at their letters.
            {"w[i] z[i] w[j] z[j]", 2},
            {"w[i] z[i] v[j] z[j]", 1},
            {"w[i] z[i] z[j]^2 z[1]", 2},
            {"P[i,j] z[i] z[j]", 2},
            {"P[i,j] z[i] z[j] P[k,l] z[k] z[l]", 8},
            {"P[i,j] z[i] z[j] P[k,k] z[l]^2", 4},
            {"P[i,j] P[j,k] P[k,l] z[i] z[j] z[k] z[l]", 2},
        };
        for (auto const& [text, count] : cases) {
            CAPTURE(text);
            CHECK(symmetry_count(bundle_of(text)) == count);
        }
    }

    TEST_CASE("labels on the same strands trade places where no strand moves") {
        CHECK(symmetry_generators(bundle_of("z[i;m,n]^2")).size() == 2);
        CHECK(symmetry_generators(bundle_of("z[i;m,n,o]^2")).size() == 3);
        CHECK(symmetry_generators(bundle_of("z[i;m,n]^2 where m in 1")).size() == 1);
        CHECK(symmetry_generators(bundle_of("z[i;m]^2")).size() == 1);
        auto const swap = symmetry_generators(bundle_of("z[i;m,n]^2")).back();
        CHECK(swap.strands == std::vector<unsigned>{0, 1});
        CHECK(swap.labels == std::vector<unsigned>{1, 0});
    }

    TEST_CASE("bundles that another order of factors writes are alike") {
        for (auto const& [a, b] : std::vector<std::pair<std::string, std::string>>{
                 {"z[i]^2 h{1}[j]^2", "h{1}[k]^2 z[i]^2"},
                 {"z[i;m] z[i;n] z[j;m] z[j;n]", "z[j;n] z[i;m] z[i;n] z[j;m]"},
                 {"z[i;m]^2 z[j;n]^2 where m in 1", "z[i;n]^2 z[j;m]^2 where m in 1"},
                 {"w[i] z[i] v[j] z[j]", "v[i] z[i] w[j] z[j]"},
                 {"P[i,j] z[i] z[j]", "P[j,i] z[i] z[j]"},
                 {"J[i,a] J[j,a] z[i] z[j]", "z[i] J[j,a] z[j] J[i,a]"},
                 {"tr(J J^T J J^T)", "tr(J^T J J^T J)"},
                 {"P[i,j] z[i] z[j] P[k,l] z[k] z[l]", "P[i,j] z[i] z[k] P[k,l] z[j] z[l]"},
                 {"w[i]^2", "w[j]^2"},
             }) {
            CAPTURE(a);
            CAPTURE(b);
            CHECK(are_alike(a, b));
        }
    }

    TEST_CASE("bundles that differ in one thing are not alike") {
        for (auto const& [a, b] : std::vector<std::pair<std::string, std::string>>{
                 {"z[i]^2", "z[i]^4"},
                 {"z[i]^2", "h[i]^2"},
                 {"z[i]^2", "z{1}[i]^2"},
                 {"z[i]^2", "z[1]^2"},
                 {"z[1]^2", "z[2]^2"},
                 {"z[i]@a^2", "z[i]@b^2"},
                 {"z[i]^2", "norm2(J)"},
                 {"norm2(W2)", "norm2(J)"},
                 {"norm2(W1)", "norm2(W2)"},
                 {"J[1,i]^2", "J[i,1]^2"},
                 {"J[i,1]^2", "J[i,2]^2"},
                 {"tr(J)^2", "tr(J^2)"},
                 {"tr(J^2)", "norm2(J)"},
                 {"tr(J J^T) tr(J J^T)", "tr(J J^T J J^T)"},
                 {"J[i,a] J[i,b] J[j,a] J[j,b]", "J[i,a] J[i,a] J[j,b] J[j,b]"},
                 {"(z[i]^2)^2", "z[i]^4"},
                 {"z[i;m]^2", "z[i]^2"},
                 {"(z[i;m]^2)^2", "(z[i;m] z[j;m])^2"},
                 {"(z[i;m]^2)^2", "z[i;m]^4"},
                 {"z[i;m,n]^2", "z[i;m]^2"},
                 {"z[i;m,n] z[i;m] z[j;n] z[j]", "z[i;m,n]^2 z[j]^2"},
                 {"z[i;m]^2 where m in 1", "z[i;m]^2"},
                 {"z[i;m]^2 z[j;n]^2 where m in 1", "z[i;m] z[i;n] z[j;m] z[j;n] where m in 1"},
                 {"w[i] z[i]", "v[i] z[i]"},
                 {"w[i]^2", "w[i] v[i]"},
                 {"w[1]", "w[2]"},
                 {"w[1] z[1]^2", "w[2] z[1]^2"},
                 {"w[i]^2 z[j]^2", "w[i] z[i] w[j] z[j]"},
                 {"w[i] v[i] z[j]^2", "w[i] z[i] v[j] z[j]"},
                 {"P[i,j] z[i] z[j]", "P[i,i] z[j]^2"},
                 {"P[i,j] P[k,l] z[i] z[j] z[k] z[l] w[i] w[l]", "P[i,j] P[k,l] z[i] z[j] z[k] z[l] w[i] w[j]"},
             }) {
            CAPTURE(a);
            CAPTURE(b);
            CHECK(!are_alike(a, b));
        }
    }

    TEST_CASE("ends that nothing else is tied to wait for the input") {
        using Late = std::vector<bool>;
        CHECK(ends_at_input(bundle_of("norm2(J)")) == Late{true, true});
        CHECK(ends_at_input(bundle_of("tr(J)")) == Late{false});
        CHECK(ends_at_input(bundle_of("J[i,k] W1[i,k]")) == Late{false, false});
        CHECK(ends_at_input(bundle_of("z[k] J[i,k] z[i]")) == Late{false, false, false});
        CHECK(ends_at_input(bundle_of("norm2(W1)")) == Late{false, false});
        CHECK(ends_at_input(bundle_of("w[i] w[j] J[1,i] J[1,j]")) == Late{false, false});
        auto const without = without_ends_at_input(bundle_of("norm2(J) tr(J)"));
        REQUIRE(without.strands.size() == 3);
        CHECK(!without.strands[0].end_letter);
        CHECK(!without.strands[1].end_letter);
        CHECK(without.strands[2].end_letter);
    }
}
