// SPDX-License-Identifier: MIT
#include "question/json_file.hpp"

#include <algorithm>
#include <isserlis/error.hpp>
#include <utility>

#include "question/graph_file.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {

std::string trouble(Json::exception const& error) {
    std::string const text = error.what();
    auto const end = text.find("] ");
    return text.starts_with("[json.exception") && end != std::string::npos ? text.substr(end + 2) : text;
}

JsonFile::JsonFile(std::string path, std::string parameter)
    : path_(std::move(path)), parameter_(std::move(parameter)) {}

Json JsonFile::content() const { return parsed(given_content(path_, parameter_, memory_of_exact_numbers)); }

Json JsonFile::parsed(std::string const& text) const {
    try {
        return Json::parse(text);
    } catch (Json::exception const& e) {
        fail("is not JSON: " + trouble(e));
    }
}

void JsonFile::fail(std::string const& why) const {
    throw ParseError(named(parameter_) + ": '" + printable(path_) + "' " + why, parameter_);
}

void JsonFile::check_keys(Json const& json, std::vector<std::string> const& known, std::string const& what) const {
    if (!json.is_object()) fail(what + " is not an object");
    for (auto const& [key, value] : json.items()) {
        if (std::find(known.begin(), known.end(), key) != known.end()) continue;
        std::string list;
        for (auto const& k : known) list += (list.empty() ? "" : ", ") + k;
        fail(what + " has an unknown key \"" + printable(key) + "\"; known are " + list);
    }
}

}  // namespace isserlis::quantity
