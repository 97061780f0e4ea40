// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <isserlis/error.hpp>
#include <isserlis/report/write_file.hpp>

namespace isserlis {
namespace {

/// Signals that ask this thread to end wait until this goes away: a part of a file must not be left behind.
class HeldSignals {
public:
    HeldSignals() {
        sigset_t held;
        sigemptyset(&held);
        for (int const signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&held, signal);
        pthread_sigmask(SIG_BLOCK, &held, &before_);
    }
    HeldSignals(HeldSignals const&) = delete;
    HeldSignals& operator=(HeldSignals const&) = delete;
    ~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

private:
    sigset_t before_{};
};

}  // namespace

void write_file(std::string const& file, std::string const& content, std::string const& option) {
    namespace fs = std::filesystem;
    std::string const refusal = option + ": '" + printable(file) + "' cannot be written";
    std::error_code error;
    fs::path target = file;
    if (fs::is_symlink(target, error)) {
        target = fs::canonical(target, error);
        if (error) throw DomainError(refusal, option);
    }
    if (fs::exists(target, error) && !fs::is_regular_file(target, error)) {
        // A device or a pipe has no half-written state to hide, and must not be replaced by a file.
        std::ofstream out(target, std::ios::binary);
        out << content;
        out.close();
        if (!out) throw DomainError(refusal, option);
        return;
    }
    // Written beside the target and renamed: nobody ever sees half of it.
    HeldSignals const held;
    fs::path temporary = target;
    temporary += ".part" + std::to_string(getpid());
    std::ofstream out(temporary, std::ios::binary);
    out << content;
    out.close();
    if (out) fs::rename(temporary, target, error);
    if (!out || error) {
        fs::remove(temporary, error);
        throw DomainError(refusal, option);
    }
}

}  // namespace isserlis
