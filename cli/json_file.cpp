// SPDX-License-Identifier: MIT
#include "json_file.hpp"

#include <algorithm>
#include <isserlis/error.hpp>
#include <utility>

#include "graph_file.hpp"

namespace isserlis::cli {

JsonFile::JsonFile(std::string path, std::string option) : path_(std::move(path)), option_(std::move(option)) {}

Json JsonFile::content() const {
    try {
        return Json::parse(file_content(path_, option_, memory_of_exact_numbers));
    } catch (Json::exception const& e) {
        fail(std::string("is not JSON: ") + e.what());
    }
}

void JsonFile::fail(std::string const& why) const {
    throw ParseError(option_ + ": '" + printable(path_) + "' " + why, option_);
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

}  // namespace isserlis::cli
