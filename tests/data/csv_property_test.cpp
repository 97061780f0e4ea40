// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/data/csv.hpp>
#include <isserlis/error.hpp>
#include <string>
#include <vector>

#include "../ring/property.hpp"

namespace {

/// Parses, or throws an error of the library's; anything else ends the test.
bool survives(std::string const& text) {
    try {
        static_cast<void>(isserlis::parse_data_csv(text, "f"));
    } catch (isserlis::Error const& e) {
        return std::string(e.what()).find("data 'f'") == 0;
    }
    return true;
}

}  // namespace

TEST_SUITE("data/csv") {
    TEST_CASE("no text crashes the reader, and every message names the file") {
        isserlis::testing::holds([](std::string const& text) { return survives(text) && survives("x1,y1\n" + text); },
                                 500);
        static std::string const alphabet = "x1yghn_,,\"\"\n\n\r#0123/-+.eE aif";
        isserlis::testing::holds(
            [](std::vector<unsigned> const& letters) {
                std::string text;
                for (unsigned const i : letters) text += alphabet[i % alphabet.size()];
                return survives(text) && survives("x1,y1\n" + text + "\n1,2\n");
            },
            2000);
    }

    TEST_CASE("what is written exactly is read exactly") {
        isserlis::testing::holds([](std::vector<std::pair<int, unsigned>> const& numbers) {
            std::string text = "y1,x1\r\n";
            std::vector<isserlis::Rational> written;
            for (auto const& [n, d] : numbers) {
                written.push_back(isserlis::ratio(n, d % 1000 + 1));
                text += "\"" + isserlis::to_string(written.back()) + "\"," + std::to_string(n) + "e-3\r\n";
            }
            if (written.empty()) return true;
            auto const data = isserlis::parse_data_csv(text, "f");
            bool equal = data.samples() == written.size();
            for (std::size_t k = 0; equal && k < written.size(); ++k)
                equal = data.targets[k][0].exact() == isserlis::Surd(written[k]) &&
                        data.inputs[k][0] == isserlis::ratio(numbers[k].first, 1000);
            return equal;
        });
    }
}
