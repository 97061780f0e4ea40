// SPDX-License-Identifier: MIT
// Means of kernels and Jacobians of networks of Haar-orthogonal matrices, beside the closed forms of Gaussian weights.
#include <doctest/doctest.h>

#include <isserlis/quantity/ask.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

using namespace isserlis;
using quantity::ask;
using quantity::Question;

namespace {

std::optional<std::string> mean_of(std::string const& command, std::string const& row,
                                   std::vector<std::string> const& index, std::string const& widths,
                                   std::map<std::string, std::vector<std::string>> parameters) {
    return ask({command, {widths}, parameters}).at(row, index).exact;
}

}  // namespace

TEST_SUITE("quantity/orthogonal_means") {
    // tr(J J^T) of the layers above is averaged from the top: E W^T W = v n I of the last matrix leaves a sum over rows of
    // the next one; a row and its sign are a fair coin for the gate above it, and the row's square does not see the sign.
    // So E tr(J J^T) needs the variances alone, for any lengths below: Gaussian weights, which have closed forms
    // (docs/formulas/ntk_moments.md), and orthogonal matrices of the same variance have equal means.
    TEST_CASE("need the variance alone") {
        for (std::string const activation : {"relu", "leaky:1/3", "linear"}) {
            for (std::string const widths : {"3,4,5,2", "2,5,3,3,4", "4,4,4,1"}) {
                CAPTURE(activation);
                CAPTURE(widths);
                std::map<std::string, std::vector<std::string>> const gaussian{{"activation", {activation}}};
                auto orthogonal = gaussian;
                orthogonal["law"] = {"orthogonal"};
                CHECK(mean_of("ntk", "ntk_mean", {}, widths, orthogonal) ==
                      mean_of("ntk", "ntk_mean", {}, widths, gaussian));
                CHECK(mean_of("ntk", "ntk_trace_mean", {}, widths, orthogonal) ==
                      mean_of("ntk", "ntk_trace_mean", {}, widths, gaussian));
                for (std::string const layer : {"1", "2", "3"}) {
                    CHECK(mean_of("jacobian", "jacobian_mean", {layer}, widths, orthogonal) ==
                          mean_of("jacobian", "jacobian_mean", {layer}, widths, gaussian));
                }
            }
        }
    }
}
