// SPDX-License-Identifier: MIT
#include "checkpoint.hpp"

#include <filesystem>
#include <isserlis/error.hpp>
#include <isserlis/report/write_file.hpp>

#include "graph_file.hpp"

namespace isserlis::cli {

std::string checkpoint_place(std::string const& file) {
    return std::string(checkpoint_option) + " '" + printable(file) + "'";
}

std::optional<std::string> checkpoint_text(std::string const& file) {
    check_writable(file, checkpoint_option);
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return std::nullopt;
    return file_content(file, checkpoint_option);
}

}  // namespace isserlis::cli
