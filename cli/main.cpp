// SPDX-License-Identifier: MIT
#include <pthread.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "farewell.hpp"
#include "interrupt.hpp"
#include "memory.hpp"
#include "run.hpp"
#include "watch.hpp"

namespace {

using namespace isserlis;

/// Runs the work where it has the usual 8 MB of stack, in which all that may be nested fits, whatever `ulimit -s` says.
int with_usual_stack(std::function<int()> const& work) {
    constexpr rlim_t usual = 8U << 20U;
    rlimit here{};
    if (getrlimit(RLIMIT_STACK, &here) != 0 || here.rlim_cur >= usual) return work();
    struct Task {
        std::function<int()> const& work;
        int code;
    } task{.work = work, .code = cli::over_a_limit};
    pthread_attr_t attributes{};
    pthread_attr_init(&attributes);
    pthread_t thread{};
    auto const run = [](void* of) -> void* {
        auto& it = *static_cast<Task*>(of);
        it.code = it.work();
        return nullptr;
    };
    bool const started =
        pthread_attr_setstacksize(&attributes, usual) == 0 && pthread_create(&thread, &attributes, run, &task) == 0;
    pthread_attr_destroy(&attributes);
    if (!started) return work();
    pthread_join(thread, nullptr);
    return task.code;
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::string> const words(argv + 1, argv + argc);
    bool const json = cli::asks_for_json(words);
    cli::end_on_interrupt(json);
    cli::end_without_memory(json);
    std::signal(SIGXFSZ, SIG_IGN);  // a write beyond `ulimit -f` says what it is
    cli::announce_long_work(json);
    return with_usual_stack([&] { return cli::run(words, stdout, stderr); });
}
