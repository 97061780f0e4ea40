// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace isserlis::quantity {

/// Which figure, and how it is made.
struct FigureChoice {
    std::string id;  ///< that of the recipe
    bool quick = false;
    std::string data;                       ///< idx:.. or cifar10:.., in place of drawn classes
    std::optional<std::uint64_t> hold_out;  ///< samples of `data` that are for validation
    std::string folder;                     ///< of the files that are written; empty for none
};

/// A file of the figure in its folder, such as that with the ending ".csv".
[[nodiscard]] inline std::string figure_file(FigureChoice const& choice, std::string const& ending) {
    return choice.folder + "/" + choice.id + ending;
}

/// That of the parts of it that are done, as long as it is not.
[[nodiscard]] inline std::string unfinished_file(FigureChoice const& choice) {
    return figure_file(choice, ".unfinished");
}

}  // namespace isserlis::quantity
