// SPDX-License-Identifier: MIT
#include "interrupt.hpp"

#include <csignal>
#include <isserlis/error.hpp>

#include "farewell.hpp"

namespace isserlis::cli {
namespace {

constexpr int interrupted = 130;

Farewell interrupt_farewell;

void on_interrupt(int) { interrupt_farewell.say(interrupted); }

}  // namespace

void end_on_interrupt(bool json) {
    struct sigaction action {};
    if (sigaction(SIGINT, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) return;
    interrupt_farewell.prepare(json, Interrupted().kind(), "interrupted before the work was done", "");
    action = {};
    action.sa_handler = on_interrupt;
    sigaction(SIGINT, &action, nullptr);
}

}  // namespace isserlis::cli
