// SPDX-License-Identifier: MIT
#include "question/with_file.hpp"

#include <isserlis/error.hpp>
#include <isserlis/network/widths.hpp>

#include "question/json_file.hpp"
#include "question/model_text.hpp"

namespace isserlis::quantity {
namespace {

using FormulaRow = std::vector<Expression>;

class WithReader : JsonFile {
public:
    WithReader(std::string path, WithUse use) : JsonFile(std::move(path), "with"), use_(use) {}

    WithFile all() {
        Json const json = content();
        bool const samples = use_ != WithUse::observable;
        std::string const last = samples ? ", targets" : ", constants";
        if (!json.is_object()) fail("is not an object with the keys inputs, gram" + last);
        WithFile out;
        for (auto const& [key, value] : json.items()) {
            if (key == "inputs") {
                read_inputs(value, out);
            } else if (key == "gram") {
                out.gram = matrix(value, "\"gram\"");
            } else if (samples && key == "targets") {
                out.targets = matrix(value, "\"targets\"");
            } else if (!samples && key == "constants") {
                read_constants(value, out);
            } else if (key == "targets") {
                fail("has \"targets\", which belong to samples; the keys of an observable are inputs, gram" + last);
            } else if (key == "constants") {
                fail("has \"constants\", which belong to an observable; the keys of samples are inputs, gram" + last);
            } else {
                fail("has an unknown key \"" + printable(key) + "\"; known are inputs, gram" + last);
            }
        }
        bool const without = use_ == WithUse::inputs && out.targets.empty();
        if (samples && !without && out.targets.size() != out.input_names.size())
            fail("has \"targets\" of " + std::to_string(out.targets.size()) + " rows for " +
                 std::to_string(out.input_names.size()) +
                 " inputs; they are the Gram matrix of the targets, one for each input");
        if (samples && out.input_names.empty()) fail("has no \"inputs\"");
        if (samples && out.gram.empty() && out.vectors.empty())
            fail("has names of inputs without \"gram\"; give it, or \"inputs\" as vectors by name");
        for (auto const& vector : out.vectors) {
            if (samples && vector.size() != out.vectors.front().size()) fail("has inputs of unlike sizes");
        }
        if (out.gram.empty()) return out;
        if (!out.vectors.empty())
            fail("has both input vectors and \"gram\"; with \"gram\" give \"inputs\" as a list of names");
        if (out.gram.size() != out.input_names.size())
            fail("has a \"gram\" of " + std::to_string(out.gram.size()) + " rows for " +
                 std::to_string(out.input_names.size()) + " inputs");
        return out;
    }

private:
    [[nodiscard]] FormulaRow row(Json const& json, std::string const& what) const {
        if (!json.is_array() || json.empty()) fail(what + " is not a list of numbers");
        FormulaRow out;
        for (auto const& x : json) {
            std::string text;
            if (x.is_number_integer()) {
                text = x.dump();
            } else if (x.is_string()) {
                text = x.get<std::string>();
            } else {
                fail(what + ": entry " + std::to_string(out.size() + 1) +
                     " is neither a whole number nor a string such as \"1/3\" or \"0.5\"");
            }
            out.push_back(parse_formula(text, "`with`: " + what));
        }
        return out;
    }
    [[nodiscard]] std::vector<FormulaRow> matrix(Json const& json, std::string const& what) const {
        if (!json.is_array() || json.empty()) fail(what + " is not a list of rows");
        std::vector<FormulaRow> out;
        for (auto const& r : json) out.push_back(row(r, what + " row " + std::to_string(out.size() + 1)));
        for (auto const& r : out) {
            if (r.size() != out.size()) fail(what + " is not square");
        }
        return out;
    }
    [[nodiscard]] std::string checked_name(std::string const& name) const {
        if (!is_identifier(name)) fail("has the name \"" + printable(name) + "\"; names are letters, digits and _");
        return name;
    }

    void read_inputs(Json const& json, WithFile& out) const {
        if (json.is_array()) {
            for (auto const& name : json) {
                if (!name.is_string()) fail("\"inputs\" is neither an object of vectors nor a list of names");
                out.input_names.push_back(checked_name(name.get<std::string>()));
            }
            return;
        }
        if (!json.is_object() || json.empty()) fail("\"inputs\" is neither an object of vectors nor a list of names");
        for (auto const& [name, vector] : json.items()) {
            out.input_names.push_back(checked_name(name));
            out.vectors.push_back(row(vector, "input \"" + name + "\""));
        }
    }
    void read_constants(Json const& json, WithFile& out) const {
        if (!json.is_object()) fail("\"constants\" is not an object of vectors and matrices");
        for (auto const& [name, value] : json.items()) {
            std::string const what = "constant \"" + checked_name(name) + "\"";
            bool const is_matrix = value.is_array() && !value.empty() && value.front().is_array();
            if (is_matrix) out.matrices.insert(name);
            out.constants[name] = is_matrix ? matrix(value, what) : std::vector<FormulaRow>{row(value, what)};
        }
    }

    WithUse use_;
};

}  // namespace

std::set<std::string> WithFile::symbols() const {
    std::set<std::string> out;
    auto gather = [&](std::vector<FormulaRow> const& rows) {
        for (auto const& r : rows) {
            for (auto const& e : r) out.merge(e.symbols());
        }
    };
    gather(vectors);
    gather(gram);
    gather(targets);
    for (auto const& [name, rows] : constants) gather(rows);
    return out;
}

WithFile read_with_file(std::string const& path, WithUse use) { return WithReader(path, use).all(); }

}  // namespace isserlis::quantity
