// SPDX-License-Identifier: MIT
// The BibTeX entries are those of docs/references.md.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <isserlis/report/bibliography.hpp>
#include <set>
#include <string>

using namespace isserlis;

namespace {

/// "zavatoneveth2021" of "Zavatone-Veth 2021", "box1958" of "Box & Muller 1958".
std::string key_of(std::string const& cited) {
    std::string out;
    for (char const c : cited.substr(0, std::min(cited.find(" et al"), cited.find(" &")))) {
        if (std::isalpha(static_cast<unsigned char>(c)) != 0)
            out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return out + cited.substr(cited.size() - 4);
}

std::set<std::string> of_the_page() {
    std::ifstream page(ISSERLIS_TEST_DATA "/../docs/references.md");
    std::set<std::string> out;
    for (std::string line; std::getline(page, line);) {
        if (line.starts_with("- [")) out.insert(key_of(line.substr(3, line.find(']') - 3)));
    }
    return out;
}

}  // namespace

TEST_SUITE("report/bibliography") {
    TEST_CASE("every reference has an entry, and every entry is a reference") {
        std::string const text(bibtex());
        std::set<std::string> entries;
        for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find("\n@", at + 1)) {
            std::size_t const open = text.find('{', at);
            entries.insert(text.substr(open + 1, text.find(',', open) - open - 1));
        }
        CHECK(entries == of_the_page());
        CHECK(entries.size() >= 35);
    }

    TEST_CASE("brackets are closed, and entries have an author, a title and a year") {
        std::string const text(bibtex());
        CHECK(std::count(text.begin(), text.end(), '{') == std::count(text.begin(), text.end(), '}'));
        auto const count = [&](std::string const& word) {
            std::size_t out = 0;
            for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++out;
            return out;
        };
        std::size_t const entries = count("\n}\n");
        CHECK(count("  author ") == entries);
        CHECK(count("  title ") == entries);
        CHECK(count("year") == entries);
    }
}
