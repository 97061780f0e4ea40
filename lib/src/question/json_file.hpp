// SPDX-License-Identifier: MIT
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace isserlis::quantity {

using Json = nlohmann::json;

/// What a parser complains of, without its name and number.
[[nodiscard]] std::string trouble(Json::exception const& error);

/// A JSON file that a parameter names: what all readers of one share. Messages name parameter and file.
class JsonFile {
public:
    JsonFile(std::string path, std::string parameter);

    [[nodiscard]] std::string const& path() const { return path_; }
    [[nodiscard]] std::string const& parameter() const { return parameter_; }
    /// Errors  ParseError for what is no JSON; those of file_content.
    [[nodiscard]] Json content() const;
    /// Of a text that has been read. Errors  ParseError for what is no JSON.
    [[nodiscard]] Json parsed(std::string const& text) const;
    /// Errors  ParseError, always: the file `why`, such as "needs a list".
    [[noreturn]] void fail(std::string const& why) const;
    /// Errors  ParseError when `what` is no object, or has a key beyond the known ones.
    void check_keys(Json const& json, std::vector<std::string> const& known, std::string const& what) const;

private:
    std::string path_;
    std::string parameter_;
};

}  // namespace isserlis::quantity
