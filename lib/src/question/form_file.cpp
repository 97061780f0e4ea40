// SPDX-License-Identifier: MIT
#include "question/form_file.hpp"

#include <isserlis/error.hpp>

#include "question/graph_file.hpp"
#include "question/json_file.hpp"

namespace isserlis::quantity {
namespace {

using Json = nlohmann::json;
using FormulaRow = std::vector<Expression>;

/// JSON whose numbers stay text, so that a decimal is read as the rational that it is.
struct Node {
    enum class Kind { text, list, object, other };
    Kind kind = Kind::other;
    std::string text;
    std::vector<Node> items;
    std::vector<std::string> keys;  ///< of an object's items
};

class TextReader : public nlohmann::json_sax<Json> {
public:
    Node root;
    std::string trouble;

    bool null() override { return put({}); }
    bool boolean(bool) override { return put({}); }
    bool number_integer(number_integer_t value) override { return text(std::to_string(value)); }
    bool number_unsigned(number_unsigned_t value) override { return text(std::to_string(value)); }
    bool number_float(number_float_t, string_t const& written) override { return text(written); }
    bool string(string_t& value) override { return text(value); }
    bool binary(binary_t&) override { return put({}); }
    bool start_object(std::size_t) override { return open(Node::Kind::object); }
    bool start_array(std::size_t) override { return open(Node::Kind::list); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override {
        open_.back().keys.push_back(name);
        return true;
    }
    bool parse_error(std::size_t, std::string const&, nlohmann::detail::exception const& e) override {
        trouble = quantity::trouble(e);
        return false;
    }

private:
    static constexpr std::size_t deepest = 100;

    bool text(std::string value) {
        return put({.kind = Node::Kind::text, .text = std::move(value), .items = {}, .keys = {}});
    }
    bool put(Node node) {
        (open_.empty() ? root : open_.back().items.emplace_back()) = std::move(node);
        return true;
    }
    bool open(Node::Kind kind) {
        if (open_.size() == deepest) {
            trouble = "lists are nested too deeply";
            return false;
        }
        open_.push_back({.kind = kind, .text = {}, .items = {}, .keys = {}});
        return true;
    }
    bool close() {
        Node node = std::move(open_.back());
        open_.pop_back();
        return put(std::move(node));
    }
    std::vector<Node> open_;
};

class FormReader {
public:
    explicit FormReader(std::string path) : path_(std::move(path)) {}

    FormFile all() {
        TextReader reader;
        if (!Json::sax_parse(given_content(path_, "with", memory_of_exact_numbers), &reader))
            fail("is not JSON: " + reader.trouble);
        if (reader.root.kind != Node::Kind::object)
            fail("is not an object with vectors x, y, z, w, v, matrices P, D and indices i, j");
        FormFile out;
        std::set<std::string> seen;
        for (std::size_t k = 0; k < reader.root.items.size(); ++k) {
            std::string const& key = reader.root.keys[k];
            Node const& value = reader.root.items[k];
            if (!seen.insert(key).second) fail("has the key \"" + printable(key) + "\" twice");
            if (key == "x" || key == "y" || key == "z" || key == "w" || key == "v") {
                out.vectors[key] = row(value, "\"" + key + "\"");
            } else if (key == "P" || key == "C" || key == "D") {
                out.matrices[key] = matrix(value, "\"" + key + "\"");
            } else if (key == "i" || key == "j") {
                if (value.kind != Node::Kind::text) fail("\"" + key + "\" is not a whole number");
                out.indices[key] = value.text;
            } else {
                fail("has an unknown key \"" + printable(key) + "\"; known are x, y, z, w, v, P, C, D, i, j");
            }
        }
        return out;
    }

private:
    [[noreturn]] void fail(std::string const& why) const {
        throw ParseError("`with`: '" + printable(path_) + "' " + why, "with");
    }

    [[nodiscard]] FormulaRow row(Node const& node, std::string const& what) const {
        if (node.kind != Node::Kind::list || node.items.empty()) fail(what + " is not a list of numbers");
        FormulaRow out;
        for (auto const& item : node.items) {
            std::string const place = what + ": entry " + std::to_string(out.size() + 1);
            if (item.kind != Node::Kind::text) fail(place + " is neither a number nor a string such as \"1/3\"");
            // In an expression an exponent would be read as a symbol.
            bool const number = item.text.find_first_not_of("0123456789.+-eE") == std::string::npos;
            if (number && item.text.find_first_of("eE") != std::string::npos)
                fail(place + " = " + printable(item.text) + " has an exponent; write it as a decimal or a fraction");
            out.push_back(Expression::parse(item.text, "`with`: " + place));
        }
        return out;
    }
    [[nodiscard]] std::vector<FormulaRow> matrix(Node const& node, std::string const& what) const {
        if (node.kind != Node::Kind::list || node.items.empty()) fail(what + " is not a list of rows");
        std::vector<FormulaRow> out;
        for (auto const& r : node.items) out.push_back(row(r, what + " row " + std::to_string(out.size() + 1)));
        for (auto const& r : out) {
            if (r.size() != out.size()) fail(what + " is not square");
        }
        return out;
    }

    std::string path_;
};

}  // namespace

std::set<std::string> FormFile::symbols() const {
    std::set<std::string> out;
    auto gather = [&](std::vector<Expression> const& row) {
        for (auto const& e : row) out.merge(e.symbols());
    };
    for (auto const& [name, row] : vectors) gather(row);
    for (auto const& [name, rows] : matrices) {
        for (auto const& row : rows) gather(row);
    }
    return out;
}

FormFile read_form_file(std::string const& path) { return FormReader(path).all(); }

}  // namespace isserlis::quantity
