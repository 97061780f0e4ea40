// SPDX-License-Identifier: MIT
#pragma once
#include <doctest/doctest.h>

#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "program.hpp"

namespace isserlis::test {

using Json = nlohmann::json;

/// A JSON answer, with its results by name and index.
class JsonAnswer {
public:
    explicit JsonAnswer(Json value) : json(std::move(value)) {
        for (auto const& r : json.at("results")) by_place_.emplace(key(r.at("name"), r.at("index")), r);
    }

    Json json;

    [[nodiscard]] bool has(std::string const& name, Json const& index = Json::array()) const {
        return by_place_.count(key(name, index)) != 0;
    }
    [[nodiscard]] Json result(std::string const& name, Json const& index = Json::array()) const {
        auto const at = by_place_.find(key(name, index));
        if (at == by_place_.end()) throw std::runtime_error("no result " + key(name, index));
        return at->second;
    }
    [[nodiscard]] std::string exact(std::string const& name, Json const& index = Json::array()) const {
        Json const text = result(name, index).at("exact");
        return text.is_string() ? text.get<std::string>() : "null";
    }
    [[nodiscard]] double number(std::string const& name, Json const& index = Json::array()) const {
        return std::strtod(result(name, index).at("decimal").get<std::string>().c_str(), nullptr);
    }
    [[nodiscard]] std::set<std::string> names() const {
        std::set<std::string> out;
        for (auto const& r : json.at("results")) out.insert(r.at("name").get<std::string>());
        return out;
    }
    [[nodiscard]] std::vector<Json> indices(std::string const& name) const {
        std::vector<Json> out;
        for (auto const& r : json.at("results")) {
            if (r.at("name") == name) out.push_back(r.at("index"));
        }
        return out;
    }
    /// All of a list of sentences in one text, to look for words in.
    [[nodiscard]] std::string text_of(char const* list) const {
        std::string out;
        for (auto const& sentence : json.at(list)) out += sentence.get<std::string>() + "\n";
        return out;
    }

private:
    static std::string key(std::string const& name, Json const& index) { return name + index.dump(); }
    std::map<std::string, Json> by_place_;
};

/// Runs `line --format json` and reads the answer; the exit code has to be 0.
inline JsonAnswer ask(std::vector<std::string> arguments, double seconds = 20) {
    arguments.insert(arguments.end(), {"--format", "json"});
    Run const run = run_program(arguments, {.seconds = seconds});
    INFO(shown(arguments), " ", run.err);
    REQUIRE(run.code == 0);
    CHECK(run.err.empty());
    return JsonAnswer(Json::parse(run.out));
}
inline JsonAnswer ask(std::string const& line) { return ask(words(line)); }

}  // namespace isserlis::test
