// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace isserlis::quantity {

/// What one step does to a node, as observables that are sums over its neurons: Delta z = -K (f - y), K the kernel between the
/// node and the outputs f with the rates in it.
struct NodeQueries {
    /// `z` is the node as observables call it: z{3}, or z for the output.
    explicit NodeQueries(std::string const& z) {
        std::string const change = z + "[i;m] D[m] loss";
        square = z + "[i]^2";
        fourth = z + "[i]^4";
        change_square = "(" + change + ")^2";
        a = "(" + z + "[i;m] z[j;m] z[j])^2";
        b = "(" + z + "[i;m] z[j;m] y[j])^2";
        covariance = "-" + z + "[i] " + change;
        updated_square = "(" + z + "[i] - " + change + ")^2";
    }
    std::string square, fourth;
    std::string change_square;  ///< a + b: terms odd in the targets are 0
    std::string a;              ///< of K f
    std::string b;              ///< of K y
    std::string covariance, updated_square;
};

}  // namespace isserlis::quantity
