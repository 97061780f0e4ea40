// SPDX-License-Identifier: MIT
#include <isserlis/report/quantities.hpp>

namespace isserlis {
namespace {

/// k counts what a command has several of.
std::string counted_by(std::string_view command) {
    if (command == "jacobian") return "layer";
    return command == "loss-curve" || command == "scaling-factor" ? "network" : "power";
}

std::string index_name(std::string const& part, std::string_view command) {
    if (part == "l" || part == "q") return "layer";
    if (part == "p") return "order";
    return part == "k" ? counted_by(command) : part;
}

}  // namespace

std::vector<std::string> index_names(Quantity const& quantity) {
    std::vector<std::string> out;
    std::string part;
    for (char const c : std::string(quantity.index) + ",") {
        if (c != ',') {
            part += c;
            continue;
        }
        if (!part.empty()) out.push_back(index_name(part, quantity.command));
        part.clear();
    }
    // Of a residual branch, whose blocks are the layers.
    bool const of_matrix =
        out == std::vector<std::string>{"layer"} || out == std::vector<std::string>{"share", "layer"};
    if (of_matrix && std::string_view(quantity.command) == "jacobian") out.emplace_back("matrix");
    return out;
}

}  // namespace isserlis
