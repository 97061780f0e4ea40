// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/question/question.hpp>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace isserlis::quantity {

/// How the value of a parameter is read, and the words that it may be where they are few.
template <class T>
struct Reader {
    std::function<T(std::string const& text, std::string const& parameter)> read;
    std::vector<std::string> choices = {};
};

/// What else a row may say: a part of Parameter.
struct More {
    std::string usual = {};
    std::vector<std::string> choices = {};
    char letter = 0;
    std::vector<std::string> needs = {};
    std::vector<Refusal> refusals = {};
};

/// What a row shows.
[[nodiscard]] Parameter described(std::string name, std::string value, std::string help, More more);
/// The words in one placeholder, with | between them.
[[nodiscard]] std::string placeholder_of(std::vector<std::string> const& words);

/// The row of a parameter: name, placeholder of the value, help, what it sets, how it is read, and what else there is.
template <class Request>
struct Row {
    using Setter = std::function<void(Request&, std::string const& value)>;

    Parameter text;
    Setter set;

    template <class T, class U>
    Row(std::string name, std::string value, std::string help, T Request::*member, Reader<U> reader, More more = {})
        : Row(
              name, std::move(value), std::move(help),
              [member, read = reader.read, name](Request& into, std::string const& typed) {
                  into.*member = read(typed, name);
              },
              std::move(more)) {
        if (text.choices.empty()) text.choices = reader.choices;
    }
    /// One of a few words, which are its placeholder.
    template <class T, class U>
    Row(std::string name, std::string help, T Request::*member, Reader<U> reader, More more = {})
        : Row(std::move(name), placeholder_of(reader.choices), std::move(help), member, reader, std::move(more)) {}
    /// A flag.
    Row(std::string name, std::string help, bool Request::*member, More more = {})
        : Row(
              std::move(name), "", std::move(help),
              [member](Request& into, std::string const&) { into.*member = true; }, std::move(more)) {}
    /// What is read in a way of its own.
    Row(std::string name, std::string value, std::string help, Setter setter, More more = {})
        : Row(described(std::move(name), std::move(value), std::move(help), std::move(more)), std::move(setter)) {}
    /// A row that is there already, of another request.
    Row(Parameter shown, Setter setter) : text(std::move(shown)), set(std::move(setter)) {}
};

/// The parameters of a request: rows, each with what it sets.
template <class Request>
class ParameterSet {
public:
    ParameterSet() = default;
    ParameterSet(std::initializer_list<Row<Request>> rows) : rows_(rows) {}

    void add(Row<Request> row) { rows_.push_back(std::move(row)); }
    /// Those of a part of the request.
    template <class Part>
    void add(Part Request::*part, ParameterSet<Part> const& rows) {
        for (auto const& row : rows.rows()) {
            add({row.text, [part, set = row.set](Request& into, std::string const& value) { set(into.*part, value); }});
        }
    }

    [[nodiscard]] std::vector<Row<Request>> const& rows() const { return rows_; }
    /// To say something else of a parameter that is there.
    [[nodiscard]] Row<Request>& at(std::string const& name) {
        return *std::find_if(rows_.begin(), rows_.end(), [&](auto const& row) { return row.text.name == name; });
    }
    [[nodiscard]] std::vector<Parameter> texts() const {
        std::vector<Parameter> out;
        for (auto const& row : rows_) out.push_back(row.text);
        return out;
    }
    /// Sets what was typed, in the order of the rows.
    void read(Question const& question, Request& into) const {
        for (auto const& row : rows_) {
            auto const typed = question.parameters.find(row.text.name);
            if (typed == question.parameters.end()) continue;
            for (auto const& value : typed->second) row.set(into, value);
        }
    }

private:
    std::vector<Row<Request>> rows_;
};

}  // namespace isserlis::quantity
