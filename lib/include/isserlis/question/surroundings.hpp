// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/question/command_line.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace isserlis::monte_carlo {
class Ranks;
class SharedWork;
}  // namespace isserlis::monte_carlo

namespace isserlis::quantity {

/// "sampled 3 of 10 networks", in its words.
struct ProgressWords {
    std::string doing = "sampled";
    std::string of = "of";
    std::string units = "networks";
};

/// Told how much is done, and of how much.
using Progress = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// Who asks: what a program says in its own words, and what it hears while it waits.
struct Surroundings {
    /// Makes a sentence of the library's, which names parameters between backticks, one of the program's.
    std::function<std::string(std::string)> spoken = [](std::string text) { return text; };
    /// Makes what long work reports to; nothing for no reports.
    std::function<Progress(ProgressWords)> progress = {};
    /// The command line as typed, which answers repeat; empty for one made from the question.
    std::vector<TypedWord> typed = {};
    bool unlimited = false;  ///< answers of any size
    bool latex = false;      ///< results have their LaTeX whatever `format` is
    /// Soon after this becomes true sampling, training and series of answers end with Interrupted; one exact value is
    /// computed to its end.
    std::atomic<bool> const* stop = nullptr;
    unsigned threads = 0;                 ///< of what does not say how many; 0 for all cores
    monte_carlo::Ranks* ranks = nullptr;  ///< processes that ask the same at the same time; null for this one alone
    monte_carlo::SharedWork* shared = nullptr;  ///< who else works on the sampling; null for nobody
};

}  // namespace isserlis::quantity
