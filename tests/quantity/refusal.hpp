// SPDX-License-Identifier: MIT
#pragma once
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/quantity/ask.hpp>
#include <string>

namespace isserlis::test {

/// The question is refused, and the message has this part.
inline void refuses(quantity::Question const& question, std::string const& part) {
    try {
        (void)quantity::ask(question);
        FAIL("no error: " << part);
    } catch (Error const& e) {
        CHECK_MESSAGE(std::string(e.what()).find(part) != std::string::npos, e.what());
    }
}

}  // namespace isserlis::test
