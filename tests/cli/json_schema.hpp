// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace isserlis::test {

/// Validates JSON against a schema made of the keywords that docs/schema.json uses; another keyword is an error, so
/// that none is passed over.
class JsonSchema {
public:
    using Json = nlohmann::json;
    explicit JsonSchema(Json schema) : root_(std::move(schema)) {}

    /// What does not follow the schema, one sentence each, with its place.
    [[nodiscard]] std::vector<std::string> faults(Json const& value) const {
        std::vector<std::string> out;
        check(root_, value, "", out);
        return out;
    }

private:
    static bool is_of_type(Json const& value, std::string const& type) {
        if (type == "null") return value.is_null();
        if (type == "string") return value.is_string();
        if (type == "integer") return value.is_number_integer();
        if (type == "number") return value.is_number();
        if (type == "array") return value.is_array();
        if (type == "object") return value.is_object();
        throw std::runtime_error("schema: unknown type " + type);
    }

    void check(Json const& schema, Json const& value, std::string const& place, std::vector<std::string>& out) const {
        for (auto const& [keyword, rule] : schema.items()) check_keyword(keyword, rule, schema, value, place, out);
    }

    void check_keyword(std::string const& keyword, Json const& rule, Json const& schema, Json const& value,
                       std::string const& place, std::vector<std::string>& out) const {
        static std::set<std::string> const silent{"$schema", "$defs", "title", "description"};
        auto const fault = [&](std::string const& what) { out.push_back(place + ": " + what + ": " + value.dump()); };
        if (silent.count(keyword) != 0) return;
        if (keyword == "$ref") {
            check(root_.at(Json::json_pointer(rule.get<std::string>().substr(1))), value, place, out);
        } else if (keyword == "oneOf") {
            check_one_of(rule, value, place, out);
        } else if (keyword == "type") {
            Json const types = rule.is_array() ? rule : Json::array({rule});
            if (std::none_of(types.begin(), types.end(), [&](auto const& t) { return is_of_type(value, t); }))
                fault("is not of type " + rule.dump());
        } else if (keyword == "const") {
            if (value != rule) fault("is not " + rule.dump());
        } else if (keyword == "enum") {
            if (std::find(rule.begin(), rule.end(), value) == rule.end()) fault("is none of " + rule.dump());
        } else if (keyword == "pattern") {
            if (value.is_string() && !std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>())))
                fault("does not match " + rule.dump());
        } else if (keyword == "minLength") {
            if (value.is_string() && value.get<std::string>().size() < rule.get<std::size_t>()) fault("is too short");
        } else if (keyword == "minimum") {
            if (value.is_number() && value.get<double>() < rule.get<double>()) fault("is below " + rule.dump());
        } else if (keyword == "required") {
            for (auto const& key : rule) {
                if (value.is_object() && !value.contains(key.get<std::string>())) fault("has no " + key.dump());
            }
        } else if (keyword == "properties" || keyword == "additionalProperties") {
            check_members(keyword == "properties", rule, schema, value, place, out);
        } else if (keyword == "items") {
            for (std::size_t i = 0; value.is_array() && i < value.size(); ++i)
                check(rule, value[i], place + "/" + std::to_string(i), out);
        } else {
            throw std::runtime_error("schema: the keyword " + keyword + " is not known here");
        }
    }

    void check_one_of(Json const& rule, Json const& value, std::string const& place,
                      std::vector<std::string>& out) const {
        std::size_t fitting = 0;
        std::vector<std::string> nearest;
        for (auto const& choice : rule) {
            std::vector<std::string> faults;
            check(choice, value, place, faults);
            if (faults.empty()) ++fitting;
            if (nearest.empty() || faults.size() < nearest.size()) nearest = faults;
        }
        if (fitting == 1) return;
        out.push_back(place + ": fits " + std::to_string(fitting) + " of the choices in place of one");
        out.insert(out.end(), nearest.begin(), nearest.end());
    }

    void check_members(bool named, Json const& rule, Json const& schema, Json const& value, std::string const& place,
                       std::vector<std::string>& out) const {
        if (!value.is_object()) return;
        Json const known = schema.value("properties", Json::object());
        for (auto const& [key, member] : value.items()) {
            std::string const below = place + "/" + key;
            if (named != known.contains(key)) continue;
            if (named) {
                check(rule.at(key), member, below, out);
            } else if (!rule.is_boolean()) {
                check(rule, member, below, out);
            } else if (!rule.get<bool>()) {
                out.push_back(below + ": the schema has no such key");
            }
        }
    }

    Json root_;
};

}  // namespace isserlis::test
