// SPDX-License-Identifier: MIT
// What a user waits for who asks one small question: wall time and peak memory of the whole program. And who asks for
// long formulas.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

struct Run {
    double seconds;
    long peak_kilobytes;
    bool succeeded;
};

/// fork and not posix_spawn: a child that borrows our memory until it calls exec would inherit our peak.
Run run(char const* program, char const* command, char const* widths) {
    auto const start = std::chrono::steady_clock::now();
    pid_t const child = fork();
    if (child == 0) {
        int const sink = open("/dev/null", O_WRONLY);
        dup2(sink, STDOUT_FILENO);
        execl(program, program, command, widths, static_cast<char*>(nullptr));
        _exit(127);
    }
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    std::chrono::duration<double> const taken = std::chrono::steady_clock::now() - start;
    return {.seconds = taken.count(), .peak_kilobytes = usage.ru_maxrss, .succeeded = status == 0};
}

/// The median of so many.
void ask(benchmark::State& state, char const* command, char const* widths, std::size_t runs) {
    char const* program = std::getenv("ISSERLIS");
    if (program == nullptr) {
        state.SkipWithError("set ISSERLIS to the program");
        return;
    }
    std::vector<double> seconds;
    long peak = 0;
    for (auto _ : state) {
        seconds.clear();
        for (std::size_t i = 0; i < runs; ++i) {
            Run const one = run(program, command, widths);
            if (!one.succeeded) state.SkipWithError("the program failed");
            seconds.push_back(one.seconds);
            peak = std::max(peak, one.peak_kilobytes);
        }
        std::nth_element(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(runs / 2), seconds.end());
        state.SetIterationTime(seconds[runs / 2]);
    }
    state.SetLabel(std::to_string(peak));
}

}  // namespace

BENCHMARK_CAPTURE(ask, small, "moments", "2,10:3,1", 50)
    ->Name("start-up/isserlis/moments 2,10:3,1")
    ->Iterations(1)
    ->UseManualTime();
BENCHMARK_CAPTURE(ask, long_formulas, "mup", "n,n:100,1", 5)
    ->Name("T6 muP/isserlis/n,n:100,1")
    ->Iterations(1)
    ->UseManualTime();
