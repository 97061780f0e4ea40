// SPDX-License-Identifier: MIT
#include "quantity/training/checkpoint.hpp"

#include <filesystem>
#include <isserlis/error.hpp>
#include <isserlis/report/write_file.hpp>

#include "question/graph_file.hpp"

namespace isserlis::quantity {

std::string checkpoint_place(std::string const& file) {
    return std::string(checkpoint_parameter) + " '" + printable(file) + "'";
}

std::optional<std::string> checkpoint_text(std::string const& file) {
    check_writable(file, checkpoint_parameter);
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return std::nullopt;
    return file_content(file, checkpoint_parameter);
}

}  // namespace isserlis::quantity
