// SPDX-License-Identifier: MIT
// What a user waits for who asks one small question: wall time and peak memory of the whole program.
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

constexpr int runs = 50;

struct Run {
    double seconds;
    long peak_kilobytes;
    bool succeeded;
};

/// fork and not posix_spawn: a child that borrows our memory until it calls exec would inherit our peak.
Run run(char const* program) {
    auto const start = std::chrono::steady_clock::now();
    pid_t const child = fork();
    if (child == 0) {
        int const sink = open("/dev/null", O_WRONLY);
        dup2(sink, STDOUT_FILENO);
        execl(program, program, "moments", "2,10:3,1", static_cast<char*>(nullptr));
        _exit(127);
    }
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    std::chrono::duration<double> const taken = std::chrono::steady_clock::now() - start;
    return {.seconds = taken.count(), .peak_kilobytes = usage.ru_maxrss, .succeeded = status == 0};
}

void start_up(benchmark::State& state) {
    char const* program = std::getenv("ISSERLIS");
    if (program == nullptr) {
        state.SkipWithError("set ISSERLIS to the program");
        return;
    }
    std::vector<double> seconds;
    long peak = 0;
    for (auto _ : state) {
        seconds.clear();
        for (int i = 0; i < runs; ++i) {
            Run const one = run(program);
            if (!one.succeeded) state.SkipWithError("the program failed");
            seconds.push_back(one.seconds);
            peak = std::max(peak, one.peak_kilobytes);
        }
        std::nth_element(seconds.begin(), seconds.begin() + runs / 2, seconds.end());
        state.SetIterationTime(seconds[runs / 2]);
    }
    state.SetLabel(std::to_string(peak));
}

}  // namespace

BENCHMARK(start_up)->Name("start-up/isserlis/moments 2,10:3,1")->Iterations(1)->UseManualTime();
