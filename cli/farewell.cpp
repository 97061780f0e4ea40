// SPDX-License-Identifier: MIT
#include "farewell.hpp"

#include <unistd.h>

#include <isserlis/report/answer.hpp>

namespace isserlis::cli {

void Farewell::prepare(bool json, std::string const& kind, std::string const& what, std::string const& argument) {
    std::string text = json ? error_to_json(kind, what, argument) : "isserlis: " + what + "\n";
    // Over the line of progress, and over the ^C of the terminal.
    if (isatty(STDERR_FILENO) != 0) text.insert(0, "\r\033[K");
    length_ = text.copy(text_.data(), text_.size());
}

void Farewell::say(int exit_code) const noexcept {
    [[maybe_unused]] ssize_t const written = write(STDERR_FILENO, text_.data(), length_);
    _exit(exit_code);
}

}  // namespace isserlis::cli
