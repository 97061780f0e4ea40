// SPDX-License-Identifier: MIT
#pragma once
#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace isserlis::test {

/// A time limit, times the patience of the build: sanitizers take their time.
constexpr double patiently(double seconds) { return ISSERLIS_TEST_PATIENCE * seconds; }

/// The decorator of a test that bounds the program's memory: AddressSanitizer's shadow alone is beyond any bound.
inline doctest::skip bounds_memory() {
#ifdef __SANITIZE_ADDRESS__
    return doctest::skip(true);
#else
    return doctest::skip(false);
#endif
}

/// What one run of the program did.
struct Run {
    int code = -1;           ///< exit code; -1 when it did not exit by itself
    int signal = 0;          ///< the signal that ended it, 0 for none
    bool timed_out = false;  ///< killed by us
    double cpu_seconds = 0;
    double peak_memory = 0;  ///< in bytes, at least that of the test itself
    std::string out;
    std::string err;         ///< without the line that says that work goes on
    bool announced = false;  ///< there was that line
    std::string pace;        ///< the line that says how much is left
};

struct RunOptions {
    double seconds = 10;               ///< time limit, times the build's patience; the program is killed after it
    std::string standard_output = {};  ///< a file to open in place of the pipe
    std::string directory = {};        ///< working directory of the program
    double interrupt_after = -1;       ///< seconds from its start to one SIGINT; negative for never
    bool ignores_interrupts = false;   ///< started with SIGINT ignored, as by nohup
    rlim_t memory = RLIM_INFINITY;     ///< ulimit -v, in bytes
    rlim_t stack = RLIM_INFINITY;      ///< ulimit -s, in bytes
};

namespace detail {

inline void read_until_closed(pid_t child, std::array<int, 2> ends, double seconds, Run& run) {
    auto const deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    std::array<std::string*, 2> const into{&run.out, &run.err};
    std::array<pollfd, 2> polls{{{ends[0], POLLIN, 0}, {ends[1], POLLIN, 0}}};
    std::array<char, 65536> buffer{};
    while (polls[0].fd >= 0 || polls[1].fd >= 0) {
        auto const left = deadline - std::chrono::steady_clock::now();
        auto const milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(left).count();
        if (milliseconds <= 0) {
            run.timed_out = true;
            kill(child, SIGKILL);
            return;
        }
        if (poll(polls.data(), polls.size(), static_cast<int>(milliseconds)) < 0) continue;
        for (std::size_t i = 0; i < polls.size(); ++i) {
            if (polls[i].fd < 0 || polls[i].revents == 0) continue;
            ssize_t const size = read(polls[i].fd, buffer.data(), buffer.size());
            if (size > 0) {
                into[i]->append(buffer.data(), static_cast<std::size_t>(size));
            } else {
                polls[i].fd = -1;
            }
        }
    }
}

inline void limit(__rlimit_resource_t what, rlim_t most) {
    if (most == RLIM_INFINITY) return;
    rlimit const both{.rlim_cur = most, .rlim_max = most};
    setrlimit(what, &both);
}

/// Takes out the lines that say that work goes on: how long something takes is the machine's affair.
inline void take_announcements(Run& run) {
    std::string const begin = "isserlis: still working; ";
    for (auto at = run.err.find(begin); at != std::string::npos; at = run.err.find(begin, at)) {
        auto const end = run.err.find('\n', at);
        if (end == std::string::npos) return;
        auto const line = run.err.substr(at, end + 1 - at);
        run.announced = run.announced || line == begin + "Ctrl-C ends it, --timeout S after S seconds\n";
        if (line.find(" left\n") != std::string::npos) run.pace = line;
        run.err.erase(at, line.size());
    }
}

/// Waits until the program minds SIGINT, which a loaded machine may not have started yet, or has ended.
inline void await_program(pid_t child) {
    using namespace std::chrono_literals;
    std::string const name = std::filesystem::path(ISSERLIS_CLI_PATH).filename();
    auto const deadline = std::chrono::steady_clock::now() + 5s;
    while (std::chrono::steady_clock::now() < deadline) {
        std::ifstream status("/proc/" + std::to_string(child) + "/status");
        bool is_loaded = false;
        for (std::string key, value; status >> key && std::getline(status >> std::ws, value);) {
            if (key == "Name:") is_loaded = value == name;
            if (key == "State:" && value.front() == 'Z') return;
            bool const is_minded = key == "SigIgn:" || key == "SigCgt:";
            if (is_loaded && is_minded && ((std::stoull(value, nullptr, 16) >> (SIGINT - 1U)) & 1U) != 0) return;
        }
        usleep(1000);
    }
}

}  // namespace detail

/// Runs the program without a shell in between, reads both its streams, and kills it after the time limit.
inline Run run_program(std::vector<std::string> const& words, RunOptions const& options = {}) {
    std::array<int, 2> out{};
    std::array<int, 2> err{};
    if (pipe2(out.data(), O_CLOEXEC) != 0 || pipe2(err.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
    std::string path = ISSERLIS_CLI_PATH;
    std::vector<std::string> copy = words;
    std::vector<char*> argv{path.data()};
    for (auto& word : copy) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_t const child = fork();
    if (child < 0) throw std::runtime_error("fork");
    if (child == 0) {
        int const target =
            options.standard_output.empty() ? out[1] : open(options.standard_output.c_str(), O_WRONLY | O_CLOEXEC);
        int const nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
        dup2(nothing, STDIN_FILENO);
        dup2(target, STDOUT_FILENO);
        dup2(err[1], STDERR_FILENO);
        std::signal(SIGINT, options.ignores_interrupts ? SIG_IGN : SIG_DFL);
        detail::limit(RLIMIT_AS, options.memory);
        detail::limit(RLIMIT_STACK, options.stack);
        if (!options.directory.empty() && chdir(options.directory.c_str()) != 0) _exit(126);
        execv(path.c_str(), argv.data());
        _exit(127);
    }
    close(out[1]);
    close(err[1]);
    Run run;
    if (options.interrupt_after >= 0) {
        detail::await_program(child);
        usleep(static_cast<useconds_t>(1e6 * options.interrupt_after));
        kill(child, SIGINT);
    }
    detail::read_until_closed(child, {out[0], err[0]}, patiently(options.seconds), run);
    detail::take_announcements(run);
    close(out[0]);
    close(err[0]);
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    auto const seconds = [](timeval const& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    run.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    run.peak_memory = 1024 * static_cast<double>(usage.ru_maxrss);
    if (WIFEXITED(status)) run.code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) run.signal = WTERMSIG(status);
    return run;
}

/// The words of a command line that needs no quoting.
inline std::vector<std::string> words(std::string const& line) {
    std::vector<std::string> out;
    std::string word;
    for (char const c : line + " ") {
        if (c != ' ') {
            word += c;
        } else if (!word.empty()) {
            out.push_back(word);
            word.clear();
        }
    }
    return out;
}

/// For messages: the arguments as a reader can see them.
inline std::string shown(std::vector<std::string> const& words) {
    std::string out = "isserlis";
    for (auto const& word : words) {
        out += " '";
        for (char const c : word.substr(0, 80)) {
            auto const byte = static_cast<unsigned char>(c);
            if (byte >= 0x20 && byte < 0x7f) {
                out += c;
            } else {
                out += "<" + std::to_string(byte) + ">";
            }
        }
        out += word.size() > 80 ? "..'" : "'";
    }
    return out;
}

/// A directory of its own that goes away with it.
class TemporaryDirectory {
public:
    TemporaryDirectory() {
        std::string name = (std::filesystem::temp_directory_path() / "isserlis_test_XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
        path_ = name;
    }
    TemporaryDirectory(TemporaryDirectory const&) = delete;
    TemporaryDirectory& operator=(TemporaryDirectory const&) = delete;
    ~TemporaryDirectory() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] std::string operator/(std::string const& file) const { return (path_ / file).string(); }
    [[nodiscard]] std::filesystem::path const& path() const { return path_; }
    [[nodiscard]] std::size_t size() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
    }

private:
    std::filesystem::path path_;
};

inline void write_file(std::string const& file, std::string const& content) {
    std::ofstream(file, std::ios::binary) << content;
}

/// Files in a directory of their own: `files("name", text)` writes one and is its path.
struct Files {
    TemporaryDirectory folder;
    std::string operator()(std::string const& name, std::string const& text) const {
        write_file(folder / name, text);
        return folder / name;
    }
};

inline std::string read_file(std::string const& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace isserlis::test
