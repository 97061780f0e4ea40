// SPDX-License-Identifier: MIT
// Command lines without a process for each, for in_process.py.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "memory.hpp"
#include "run.hpp"

extern "C" {

/// What a command line says on its standard output, or on standard error.
struct Said {
    char* text;
    std::size_t size;
};

/// Runs the words; `said` (output, errors) holds texts until the next call, empty ones before the first.
int isserlis_run(int count, char const* const* words, Said* said) {
    for (Said* to : {&said[0], &said[1]}) {
        std::free(to->text);
        *to = {};
    }
    std::FILE* const out = open_memstream(&said[0].text, &said[0].size);
    std::FILE* const err = open_memstream(&said[1].text, &said[1].size);
    isserlis::cli::end_without_memory(true);
    int const code = isserlis::cli::run(std::vector<std::string>(words, words + count), out, err);
    std::fclose(out);
    std::fclose(err);
    return code;
}
}
