// SPDX-License-Identifier: MIT
#include "memory.hpp"

#include <gmp.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <isserlis/error.hpp>
#include <new>
#include <optional>
#include <utility>

#include "farewell.hpp"

namespace isserlis::cli {
namespace {

Farewell memory_farewell;

void* granted(void* memory) {
    if (memory == nullptr) memory_farewell.say(over_a_limit);
    return memory;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

void* allocate(std::size_t size) { return granted(std::malloc(size)); }
void* reallocate(void* memory, std::size_t, std::size_t size) { return granted(std::realloc(memory, size)); }
void release(void* memory, std::size_t) { std::free(memory); }

#else

/// Blocks of small numbers, kept for the next ones: exact answers spend a fifth of their time on making and giving back
/// numbers of a word or two, and GMP says how large a block was. Each block is one of malloc's, so that those from before
/// this was set up, and those left over at the end, are like the others.
///
/// Of a thread. It has no destructor, since numbers of static variables end after the thread's own.
class SmallBlocks {
public:
    void* allocate(std::size_t size) {
        std::size_t const words = (size + word - 1) / word;
        if (words < kept_.size() && kept_[words].first != nullptr) return kept_[words].take();
        return granted(std::malloc(words * word));
    }
    void release(void* memory, std::size_t size) {
        std::size_t const words = size / word;  // that it has for certain
        if (words == 0 || words >= kept_.size() || kept_[words].count == most_kept || !is_open()) {
            std::free(memory);
        } else {
            kept_[words].keep(memory);
        }
    }
    void* reallocate(void* memory, std::size_t old_size, std::size_t size) {
        if (std::max(old_size, size) >= kept_.size() * word) return granted(std::realloc(memory, size));
        if (size <= old_size) return memory;
        void* const out = allocate(size);
        std::memcpy(out, memory, old_size);
        release(memory, old_size);
        return out;
    }
    /// Gives all blocks back, and keeps no more.
    void close() {
        state_ = State::closed;
        for (auto& kept : kept_) {
            while (kept.first != nullptr) std::free(kept.take());
        }
    }

private:
    static constexpr std::size_t word = sizeof(void*);
    static constexpr std::size_t most_words = 32;
    static constexpr std::size_t most_kept = 4096;  ///< of one size, some megabytes in all

    struct Block {
        Block* next;
    };
    struct Kept {
        Block* first = nullptr;
        std::size_t count = 0;

        void* take() {
            --count;
            return std::exchange(first, first->next);
        }
        void keep(void* memory) {
            first = new (memory) Block{first};
            ++count;
        }
    };
    enum class State : unsigned char { fresh, open, closed };

    bool is_open();

    std::array<Kept, most_words + 1> kept_;
    State state_ = State::fresh;
};

constinit thread_local SmallBlocks small_blocks;

/// Closes the blocks of a thread that ends.
class ThreadEnd {
public:
    ThreadEnd() = default;
    ThreadEnd(ThreadEnd const&) = delete;
    ThreadEnd& operator=(ThreadEnd const&) = delete;
    ~ThreadEnd() { small_blocks.close(); }
    void await() const {}
};

bool SmallBlocks::is_open() {
    if (state_ == State::fresh) {
        thread_local ThreadEnd const end;
        end.await();
        state_ = State::open;
    }
    return state_ == State::open;
}

void* allocate(std::size_t size) { return small_blocks.allocate(size); }
void* reallocate(void* memory, std::size_t old_size, std::size_t size) {
    return small_blocks.reallocate(memory, old_size, size);
}
void release(void* memory, std::size_t size) { small_blocks.release(memory, size); }

#endif

/// What a file of one number says; none when it is not there, or says "max".
std::optional<double> number_in(char const* file) {
    std::ifstream in(file);
    double out = 0;
    if (!(in >> out)) return std::nullopt;
    return out;
}

/// Of the machine, or of the container; sanitizers take what they want.
[[maybe_unused]] double available_memory() {
    double out = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    for (char const* file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
        if (auto const most = number_in(file)) out = std::min(out, *most);
    }
    return out;
}

}  // namespace

void leave_memory_to_others(unsigned threads) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    constexpr double share = 0.9;
    constexpr double stack = 8U << 20U;  // of a thread
    rlimit limit{};
    if (getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY) return;
    limit.rlim_cur = static_cast<rlim_t>(share * available_memory() + stack * threads);
    setrlimit(RLIMIT_DATA, &limit);
#else
    static_cast<void>(threads);
#endif
}

void end_without_memory(bool json) {
    memory_farewell.prepare(json, UnsupportedError("").kind(), out_of_memory, "");
    mp_set_memory_functions(allocate, reallocate, release);
}

}  // namespace isserlis::cli
