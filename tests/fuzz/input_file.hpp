// SPDX-License-Identifier: MIT
#pragma once
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace isserlis::fuzz {

/// A temporary file for readers that take paths; one is left behind where the process ends with a finding.
class InputFile {
public:
    InputFile() : path_(std::filesystem::temp_directory_path() / "isserlis_fuzz_XXXXXX.json") {
        descriptor_ = mkstemps(path_.data(), 5);
        if (descriptor_ < 0) fail();
    }
    ~InputFile() {
        close(descriptor_);
        unlink(path_.c_str());
    }
    InputFile(InputFile const&) = delete;
    InputFile& operator=(InputFile const&) = delete;

    /// The path of the file, which has this content from here on.
    [[nodiscard]] std::string const& with(std::string_view content) const {
        if (ftruncate(descriptor_, 0) != 0 ||
            pwrite(descriptor_, content.data(), content.size(), 0) != static_cast<ssize_t>(content.size()))
            fail();
        return path_;
    }

private:
    [[noreturn]] void fail() const {
        std::perror(path_.c_str());
        std::abort();
    }

    std::string path_;
    int descriptor_ = -1;
};

}  // namespace isserlis::fuzz
