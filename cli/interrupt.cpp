// SPDX-License-Identifier: MIT
#include "interrupt.hpp"

#include <unistd.h>

#include <array>
#include <csignal>
#include <isserlis/error.hpp>
#include <isserlis/report/answer.hpp>
#include <string>

namespace isserlis::cli {
namespace {

constexpr int exit_code = 130;

/// Made beforehand: a signal handler may write and end, and hardly anything else.
std::array<char, 200> farewell{};
std::size_t length = 0;

void on_interrupt(int) {
    [[maybe_unused]] ssize_t const written = write(STDERR_FILENO, farewell.data(), length);
    _exit(exit_code);
}

}  // namespace

void end_on_interrupt(bool json) {
    struct sigaction action {};
    if (sigaction(SIGINT, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) return;
    std::string const what = "interrupted before the work was done";
    std::string text = json ? error_to_json(Interrupted().kind(), what, "") : "isserlis: " + what + "\n";
    // Over the line of progress, and over the ^C of the terminal.
    if (isatty(STDERR_FILENO) != 0) text.insert(0, "\r\033[K");
    length = text.copy(farewell.data(), farewell.size());
    action = {};
    action.sa_handler = on_interrupt;
    sigaction(SIGINT, &action, nullptr);
}

}  // namespace isserlis::cli
