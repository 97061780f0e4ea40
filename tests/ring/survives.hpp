// SPDX-License-Identifier: MIT
#pragma once
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <exception>

namespace isserlis::testing {

/// True when `action` returns true within `seconds` of its own process: neither a crash nor an endless loop of the code
/// under test takes the other tests down.
template <class Action>
[[nodiscard]] bool survives(Action&& action, unsigned seconds = 5) {
    pid_t const child = fork();
    if (child == 0) {
        for (int const fatal : {SIGSEGV, SIGABRT, SIGFPE, SIGILL})
            std::signal(fatal, SIG_DFL);  // doctest reports these
        alarm(seconds);
        bool good = false;
        try {
            good = action();
        } catch (std::exception const&) {
            good = false;
        }
        _exit(good ? 0 : 1);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace isserlis::testing
