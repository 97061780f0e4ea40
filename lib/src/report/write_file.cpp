// SPDX-License-Identifier: MIT
#include <isserlis/report/write_file.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <isserlis/error.hpp>
#include <thread>

namespace isserlis {
namespace {

namespace fs = std::filesystem;

/// A refusal with the system's reason.
class Refusal {
public:
    Refusal(std::string const& file, std::string const& option)
        : text_(option + ": '" + printable(file) + "' cannot be written"), option_(option) {}

    [[noreturn]] void operator()(int reason = errno) const { (*this)(std::strerror(reason)); }
    [[noreturn]] void operator()(char const* reason) const { throw DomainError(text_ + ": " + reason, option_); }

private:
    std::string text_;
    std::string option_;
};

/// Signals that ask this thread to end wait until this goes away: a part of a file must not be left behind.
class HeldSignals {
public:
    HeldSignals() {
        sigset_t held;
        sigemptyset(&held);
        for (int const signal : {SIGINT, SIGTERM, SIGHUP, SIGALRM}) sigaddset(&held, signal);
        pthread_sigmask(SIG_BLOCK, &held, &before_);
    }
    HeldSignals(HeldSignals const&) = delete;
    HeldSignals& operator=(HeldSignals const&) = delete;
    ~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

private:
    sigset_t before_{};
};

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor const&) = delete;
    Descriptor& operator=(Descriptor const&) = delete;
    ~Descriptor() {
        if (number_ >= 0) close(number_);
    }
    [[nodiscard]] int number() const { return number_; }
    [[nodiscard]] bool is_open() const { return number_ >= 0; }

private:
    int number_;
};

bool write_all(int descriptor, std::string const& content) {
    for (std::size_t at = 0; at < content.size();) {
        ssize_t const written = ::write(descriptor, content.data() + at, content.size() - at);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        at += static_cast<std::size_t>(written);
    }
    return true;
}

/// The name of a part up to its six random letters: that of the target, as far as a name may be long.
std::string part_begin(fs::path const& target) {
    std::string const suffix = ".part-";
    std::string const name = target.filename().string();
    return name.substr(0, NAME_MAX - suffix.size() - 6) + suffix;
}

fs::path folder_of(fs::path const& target) { return target.has_parent_path() ? target.parent_path() : fs::path("."); }

/// Parts that killed runs left beside the target: whose writer lives, is locked.
void remove_stale_parts(fs::path const& target) {
    std::string const begin = part_begin(target);
    std::error_code error;
    for (fs::directory_iterator at(folder_of(target), error), end; !error && at != end; at.increment(error)) {
        std::string const name = at->path().filename().string();
        if (!name.starts_with(begin) || name.size() != begin.size() + 6) continue;
        Descriptor const part(open(at->path().c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
        if (part.is_open() && flock(part.number(), LOCK_EX | LOCK_NB) == 0) unlink(at->path().c_str());
    }
}

/// A part of one's own, locked; another writer may take it for a left-over before it is.
int own_part(std::string& name, std::string const& pattern) {
    for (;;) {
        name = pattern;
        int const out = mkostemp(name.data(), O_CLOEXEC);
        if (out < 0 || flock(out, LOCK_EX) != 0) return out;
        struct stat status {};
        if (fstat(out, &status) != 0 || status.st_nlink > 0) return out;
        close(out);
    }
}

/// A device or a pipe, for writing. A pipe that nobody reads would be waited for without end: it is given a second.
int open_special(std::string const& file, Refusal const& refuse) {
    constexpr int most_tries = 20;
    for (int tries = 1;; ++tries) {
        int const out = open(file.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        if (out >= 0) {
            fcntl(out, F_SETFL, fcntl(out, F_GETFL) & ~O_NONBLOCK);
            return out;
        }
        if (errno != ENXIO) return out;
        if (tries == most_tries) refuse("nobody reads this pipe");
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
}

/// The file itself, behind symbolic links, be it there or not.
fs::path behind_links(std::string const& file, Refusal const& refuse) {
    constexpr int most_links = 40;
    std::error_code error;
    fs::path out = file;
    for (int links = 0; fs::is_symlink(out, error); ++links) {
        fs::path const next = fs::read_symlink(out, error);
        if (error) refuse(error.value());
        if (links == most_links) refuse(ELOOP);
        out = out.parent_path() / next;
    }
    return out;
}

}  // namespace

void check_writable(std::string const& file, std::string const& option) {
    Refusal const refuse(file, option);
    struct stat status {};
    if (stat(file.c_str(), &status) == 0) {
        if (S_ISDIR(status.st_mode)) refuse(EISDIR);
        if (access(file.c_str(), W_OK) != 0) refuse();
        if (!S_ISREG(status.st_mode)) return;
    } else if (errno != ENOENT) {
        refuse();
    }
    fs::path const folder = folder_of(behind_links(file, refuse));
    if (stat(folder.c_str(), &status) != 0 || access(folder.c_str(), W_OK | X_OK) != 0) refuse();
}

void write_file(std::string const& file, std::string const& content, std::string const& option) {
    Refusal const refuse(file, option);
    check_writable(file, option);
    struct stat status {};
    bool const exists = stat(file.c_str(), &status) == 0;
    if (exists && !S_ISREG(status.st_mode)) {
        // A device or a pipe has no half-written state to hide, and must not be replaced by a file.
        Descriptor const out(open_special(file, refuse));
        if (!out.is_open() || !write_all(out.number(), content)) refuse();
        return;
    }
    // Written beside the target and renamed: nobody ever sees half of it.
    HeldSignals const held;
    fs::path const target = behind_links(file, refuse);
    remove_stale_parts(target);
    std::string part;
    Descriptor const out(own_part(part, target.parent_path() / (part_begin(target) + "XXXXXX")));
    if (!out.is_open()) refuse();
    mode_t const masked = umask(0);
    umask(masked);
    mode_t const mode = exists ? status.st_mode & 07777U : 0666U & ~masked;
    bool const done = write_all(out.number(), content) && fchmod(out.number(), mode) == 0 && fsync(out.number()) == 0 &&
                      rename(part.c_str(), target.c_str()) == 0;
    if (!done) {
        int const reason = errno;
        unlink(part.c_str());
        refuse(reason);
    }
    Descriptor const above(open(folder_of(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (above.is_open()) fsync(above.number());
}

}  // namespace isserlis
