// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <concepts>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"

namespace isserlis::cli {

/// How the value of an option is read, and the words that it may be where they are few.
template <class T>
struct Reader {
    std::function<T(std::string const& text, std::string const& option)> read;
    std::vector<std::string> choices = {};
};

/// What else a row may say: a part of OptionText.
struct More {
    std::string usual = {};
    std::vector<std::string> choices = {};
    char letter = 0;
    std::vector<std::string> needs = {};
    std::vector<Refusal> refusals = {};
};

/// The row of an option: name, placeholder of the value, help, what it sets, how it is read, and what else there is.
template <class Request>
struct Option {
    OptionText text;
    std::function<void(Request&, std::string const& value)> set;

    template <class T, class U>
    Option(std::string name, std::string value, std::string help, T Request::*member, Reader<U> reader, More more = {})
        : Option(
              name, std::move(value), std::move(help),
              [member, read = reader.read, name](Request& into, std::string const& typed) {
                  into.*member = read(typed, name);
              },
              std::move(more)) {
        if (text.choices.empty()) text.choices = reader.choices;
    }
    /// One of a few words, which are its placeholder.
    template <class T, class U>
    Option(std::string name, std::string help, T Request::*member, Reader<U> reader, More more = {})
        : Option(std::move(name), joined(reader.choices), std::move(help), member, reader, std::move(more)) {}
    /// A flag.
    Option(std::string name, std::string help, bool Request::*member, More more = {})
        : Option(
              std::move(name), "", std::move(help),
              [member](Request& into, std::string const&) { into.*member = true; }, std::move(more)) {}
    /// What is read in a way of its own.
    template <class F>
    requires std::invocable<F, Request&, std::string const&> Option(std::string name, std::string value,
                                                                    std::string help, F setter, More more = {})
        : text{.name = std::move(name),
               .value = std::move(value),
               .help = std::move(help),
               .usual = std::move(more.usual),
               .choices = std::move(more.choices),
               .letter = more.letter,
               .needs = std::move(more.needs),
               .refusals = std::move(more.refusals)},
          set(std::move(setter)) {}
    /// A row that is there already, of another request.
    template <class F>
    requires std::invocable<F, Request&, std::string const&> Option(OptionText shown, F setter)
        : text(std::move(shown)), set(std::move(setter)) {}

private:
    static std::string joined(std::vector<std::string> const& words) {
        std::string out;
        for (auto const& word : words) out += (out.empty() ? "" : "|") + word;
        return out;
    }
};

/// The options of a request: rows, each with what it sets.
template <class Request>
class OptionSet {
public:
    OptionSet() = default;
    OptionSet(std::initializer_list<Option<Request>> rows) : rows_(rows) {}

    void add(Option<Request> row) { rows_.push_back(std::move(row)); }
    template <class... Rest>
    void add(std::string name, Rest&&... rest) {
        rows_.emplace_back(std::move(name), std::forward<Rest>(rest)...);
    }
    /// Those of a part of the request.
    template <class Part>
    void add(Part Request::*part, OptionSet<Part> const& options) {
        for (auto const& row : options.rows()) {
            add({row.text, [part, set = row.set](Request& into, std::string const& value) { set(into.*part, value); }});
        }
    }

    [[nodiscard]] std::vector<Option<Request>> const& rows() const { return rows_; }
    /// To say something else of an option that is there.
    [[nodiscard]] Option<Request>& at(std::string const& name) {
        return *std::find_if(rows_.begin(), rows_.end(), [&](auto const& row) { return row.text.name == name; });
    }
    [[nodiscard]] std::vector<OptionText> texts() const {
        std::vector<OptionText> out;
        for (auto const& row : rows_) out.push_back(row.text);
        return out;
    }
    /// Sets what was typed, in the order of the rows.
    void read(Arguments const& arguments, Request& into) const {
        for (auto const& row : rows_) {
            auto const typed = arguments.options.find(row.text.name);
            if (typed == arguments.options.end()) continue;
            for (auto const& value : typed->second) row.set(into, value);
        }
    }

private:
    std::vector<Option<Request>> rows_;
};

}  // namespace isserlis::cli
