// SPDX-License-Identifier: MIT
// What `claim` refuses is what the command of its left side refuses, and what it leaves out it says.
#include <doctest/doctest.h>

#include <string>

#include "json_answer.hpp"
#include "program.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

namespace {

/// The sentence that says what was found.
std::string verdict(std::string const& line, int code = 0) {
    auto const run = run_program(words("claim " + line));
    CAPTURE(line);
    CAPTURE(run.err);
    CHECK(run.code == code);
    auto const first = run.out.find("\n1. ");
    auto const begin = first == std::string::npos ? first : run.out.find("\n  ", first);
    if (begin == std::string::npos) return run.out;
    return run.out.substr(begin + 3, run.out.find("\n\n", begin) - begin - 3);
}

bool has(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_SUITE("cli/claim") {
    TEST_CASE("a question that means nothing in symbols is refused, though it means something at some widths") {
        refuses("expect z^2 1,n,m", "'z' needs a neuron");
        refuses("claim z^2=2*m 1,n,m", "'z' needs a neuron");
        refuses("claim squared_norm_mean[1]=2*n/m n,m --network resnet:1", "which have equal widths; here are n and m");
        refuses("claim squared_norm_mean[1]=2 n,n:2,1 --network resnet:1", "which have equal widths; here are n and 1");
        // With a value for m there is one output.
        CHECK(verdict("z^2=2*m 1,n,m --set m=1") == "holds as a formula, and at 5 networks");
        // A command of widths in numbers serves all networks that are tried.
        CHECK(verdict("change_mean[1,n]=0 2,n,1", 1).rfind("wrong at n=1: -0.39", 0) == 0);
        CHECK(verdict("change_covariance[1,2]=0 2:L --network resnet:1", 1).rfind("wrong at L=2: -1, not 0", 0) == 0);
    }

    // E |h_l|^2 = |x|^2 under He's variances.
    TEST_CASE("networks that are left out are said, but for those that the range of the formula leaves out") {
        auto const left_out = verdict("squared_norm_mean[L-1]=1 n,n:L");
        CHECK(has(left_out, "holds at 13 networks; refused at 4 networks, such as L=1, n=1: norm: no result"));
        CHECK(verdict("squared_norm_mean[L-1]=1 n,n:L --set L=3") == "holds as a formula, and at 5 networks");
        // From 11 layers on the tenth is hidden: networks are tried where the formula begins.
        CHECK(verdict("squared_norm_mean[10]=1 n,n:L") == "holds as a formula for whole L >= 11, and at 17 networks");
    }

    TEST_CASE("where the formula that is claimed has no value it is said") {
        CHECK(verdict("z^2=2+1/(n-1)-1/(n-1) 1,n,1") ==
              "holds as a formula, and at 4 networks; the formula claimed has no value at n=1: division of 1 by 0");
        refuses("claim z^2=2+0^(n-8) 1,n,1", "the formula has no value at 5 networks, such as n=1: division of 1 by 0");
    }

    TEST_CASE("the number of blocks is no symbol, the width of a branch is one") {
        std::string const line = "2,3:3,1 --network resnet:1 --projections";
        // Two blocks, whose variances 1/blocks and multipliers 1/sqrt(blocks) are these.
        auto const mean = [&](std::string const& more) { return ask("ntk " + line + more).exact("ntk_mean"); };
        CHECK(has(verdict("ntk_mean=" + mean(" --multiplier 1/sqrt(2)") + " " + line + " --multiplier 1/sqrt(blocks)"),
                  "holds"));
        CHECK(has(verdict("ntk_mean=" + mean(" --alpha 1/2") + " " + line + " --alpha 1/blocks"), "holds"));
        refuses("claim ntk_mean=blocks " + line + " --alpha 1/blocks", "the formula has 'blocks'");
        // Each of L - 1 blocks doubles |y|^2, whatever the width of its branch.
        CHECK(verdict("squared_norm_mean[L-1]=2^(L-1) n:L --network resnet:2 --branch-widths k") ==
              "holds as a formula for whole L >= 2, and at 19 networks");
        // E z^2 = 2/n E|h|^2 + b, E|h|^2 = n (1 + b/2) of biases of variance b.
        CHECK(has(verdict("z^2=2*b+2 1,n,1 --bias-variance b"), "holds as a formula"));
    }

    // |y|^2 doubles with each of L - 1 blocks; |x|^2 = d is |y^0|^2 = n, and E z^2 the mean of y_i^2. By the output matrix
    // n 2^(L-1), by the input one d 2^(L-1), by those of a block n 2^(L-3) and n 2^(L-2).
    TEST_CASE("depths that are no network of the family are left to its range") {
        std::string const projected = "d,n:L,1 --network resnet:2 --projections --input-squared-norm d";
        CHECK(has(verdict("ntk_mean=2^L*(3*L*n+4*d+n)/8 " + projected),
                  "holds as a formula for whole d >= 1, n >= 1, L >= 2, and at"));
        CHECK(has(verdict("ntk_mean=1 " + projected, 1), "wrong at L=2, d=1, n=1: 11/2, not 1"));
        CHECK(has(verdict("squared_norm_mean[L-1]=2^(L-1) n:L --network resnet:2"),
                  "holds as a formula for whole L >= 2, and at 13 networks"));
    }

    TEST_CASE("the output of a residual network has one name, at depths in numbers and in symbols") {
        std::string const network = " 4,4,4:L,1 --network resnet:2 --projections";
        CHECK(ask("norm" + network).exact("squared_norm_mean", {"out"}) == "2^L/4");
        CHECK(verdict("squared_norm_mean[out]=2^L/4" + network) ==
              "holds as a formula for whole L >= 1, and at 5 networks");
    }

    TEST_CASE("a layer of many is asked for by itself") {
        CHECK(verdict("squared_norm_mean[99999]=1 1,1:100000,1") == "holds at 1 network");
        refuses("claim output_mean=1 4,4:1000000,1", "has too many layers here for a claim", 3);
    }

    TEST_CASE("refusals send nobody to an option that claim has not") {
        refuses("claim value=1 2,3,1", "value is what isserlis expect calls the mean of any observable");
        refuses("claim leading_term=1 2,3,1", "leading_term is of isserlis expect, which has more than widths", 3);
        refuses("claim z^2=2 1,n,1 --order 3", "--order means nothing to 'z^2', which isserlis expect computes");
        refuses("claim z^2=2 1,n,1 --series-order 3", "'--series-order' is not an option of claim");
        for (std::string const option : {"--seed 3", "--threads 1", "--yes", "--check 3"})
            refuses("claim z^2=2 1,n,1 " + option, "means nothing to claim, which compares exact numbers");
        refuses("claim transfer_rate[change]=1 2,n,1", "which compares two networks; claims are about one", 3);
        refuses("claim loss[1]=1 2,3,1 --part P", "--part means nothing to 'loss[1]', which isserlis loss-curve");
        refuses("claim loss[1]=1 2,3,1 --data cos", "--gradient is missing");
        CHECK(!has(run_program(words("claim --help")).out, "--series-order"));
        CHECK(verdict("squared_norm_moment[1,3]=1 2,3,1 --order 3", 1) != "");
    }

    TEST_CASE("what is no equation is refused as that") {
        for (std::string const claim : {"<=", "z^2<=2", "z^2>=2", "z^2!=2", "z^2==2"})
            refuses("claim " + claim + " 1,n,1", "claim: '" + claim + "' is not one equation, MEAN = FORMULA");
        refuses("claim z^2= 1,n,1", "claim: 'z^2=' has nothing behind its =");
        refuses("claim =2 1,n,1", "claim: '=2' has nothing before its =");
        refuses("claim --pre 1,2", "CLAIM: '1,2' is neither an equation, MEAN = FORMULA, nor a file");
    }

    TEST_CASE("a formula that is another one fails by formulas, where networks agree") {
        std::vector<std::string> const line{"claim", "squared_norm_mean[2] = 4/n0 + (n-1)*(n-2)*(n-3)*(n-4)*(n-5)",
                                            "n0,n,2", "--format", "json"};
        Run const run = run_program(line);
        CHECK(run.code == 1);
        auto const json = Json::parse(run.out);
        for (auto const& row : json["results"]) {
            CHECK(row["index"] == Json{1});
            if (row["name"] == "actual") CHECK(row["exact"] == "4/n0");
            if (row["name"] == "claimed") CHECK(row["bound"] == "fails");
        }
    }
}
