// SPDX-License-Identifier: MIT
#include "watch.hpp"

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <ctime>
#include <isserlis/error.hpp>
#include <isserlis/report/duration.hpp>
#include <optional>
#include <string_view>

#include "farewell.hpp"

namespace isserlis::cli {
namespace {

constexpr double seconds_of_silence = 2;

enum class Alarm : int { announcement, timeout };

Farewell timeout_farewell;
volatile std::sig_atomic_t announcing = 0;
std::optional<std::chrono::steady_clock::time_point> silent_until;
std::optional<timer_t> announcement_timer;
std::optional<timer_t> timeout_timer;

void on_alarm(int, siginfo_t* about, void*) {
    if (about->si_code != SI_TIMER) return;
    if (about->si_value.sival_int == static_cast<int>(Alarm::timeout)) timeout_farewell.say(over_a_limit);
    constexpr std::string_view line = "isserlis: still working; Ctrl-C ends it, --timeout S after S seconds\n";
    if (announcing == 0) return;
    announcing = 0;
    [[maybe_unused]] ssize_t const written = write(STDERR_FILENO, line.data(), line.size());
}

/// A timer that goes off once; none where the system has none to give.
std::optional<timer_t> start(Alarm which, double seconds) {
    struct sigaction action {};
    action.sa_sigaction = on_alarm;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(SIGALRM, &action, nullptr);
    sigset_t heard;
    sigemptyset(&heard);
    sigaddset(&heard, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &heard, nullptr);
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGALRM;
    event.sigev_value.sival_int = static_cast<int>(which);
    timer_t timer{};
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return std::nullopt;
    itimerspec when{};
    double const whole = std::floor(seconds);
    when.it_value.tv_sec = static_cast<time_t>(whole);
    // A time of 0 would stop the timer.
    when.it_value.tv_nsec = static_cast<long>((seconds - whole) * 1e9) + (whole == 0 && seconds < 1e-9 ? 1 : 0);
    if (timer_settime(timer, 0, &when, nullptr) != 0) return std::nullopt;
    return timer;
}

void stop(std::optional<timer_t>& timer) {
    if (timer) timer_delete(*timer);
    timer.reset();
}

}  // namespace

void announce_long_work(bool json) {
    if (json && isatty(STDERR_FILENO) == 0) return;
    announcing = 1;
    silent_until =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(static_cast<int>(1000 * seconds_of_silence));
    announcement_timer = start(Alarm::announcement, seconds_of_silence);
}

bool announces_now() { return silent_until && std::chrono::steady_clock::now() >= *silent_until; }

void leave_unannounced() {
    announcing = 0;
    silent_until.reset();
}

void end_after(std::string const& seconds, bool json) {
    double const time = read_duration(seconds, "--timeout");
    timeout_farewell.prepare(json, UnsupportedError("").kind(),
                             "not done within --timeout " + printable(seconds) +
                                 "; allow more, or ask for less, such as fewer layers, digits or "
                                 "sampled networks",
                             "--timeout");
    timeout_timer = start(Alarm::timeout, time);
    if (!timeout_timer) throw UnsupportedError("--timeout: this system has no timer to give", "--timeout");
}

void stop_watching() {
    leave_unannounced();
    stop(announcement_timer);
    stop(timeout_timer);
}

}  // namespace isserlis::cli
