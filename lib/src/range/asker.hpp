// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>
#include <isserlis/ring/rational.hpp>

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "question/command.hpp"

namespace isserlis::quantity {

/// One way to ask: values of symbols, and places that stand for a generic layer.
struct Variation {
    Bindings bindings;
    std::optional<std::string> layer;
    std::string query;
    bool exact_only = false;  ///< as `Answer::Options` says
    friend auto operator<=>(Variation const&, Variation const&) = default;
};

struct Reply {
    std::vector<Result> results = {};
    std::vector<Declared> declared = {};
    std::optional<std::string> refusal = {};  ///< why there are no results
};

/// Asks one command again and again: without samples and plots, each question once.
class Asker {
public:
    /// `prefix` is what stands before each index.
    Asker(Command const& command, Task const& task, Session const& session, std::vector<std::string> prefix);
    /// Null where the question is refused.
    [[nodiscard]] Reply const* ask(Variation const& question);
    /// Why the question is refused, if it is.
    [[nodiscard]] std::optional<std::string> refusal(Variation const& question) { return reply(question).refusal; }
    /// EXPR, where the command has one.
    [[nodiscard]] std::string const& query() const { return query_; }

private:
    Reply const& reply(Variation const& question);

    Command const& command_;
    Session session_;
    std::vector<std::string> prefix_;
    std::string query_;
    std::map<std::string, Task> tasks_;  ///< of each query
    std::map<Variation, Reply> replies_;
};

/// The largest number in a list of layers such as "3", "1e3" or "L - 2,1", without its sign; 0 of names.
[[nodiscard]] Integer largest_layer(std::string const& list);
/// The largest number of the layers that a query names; that of its coordinates between [ ].
[[nodiscard]] Integer largest_place(std::string const& query);
[[nodiscard]] Integer largest_coordinate(std::string const& query);

/// The query with another name for a generic layer; letters between [ ] are coordinates.
[[nodiscard]] std::string renamed(std::string const& query, std::string const& symbol, std::string const& label);

/// "L + 1" under these values; numbers and names as they are.
[[nodiscard]] std::string index_at(std::string const& part, std::map<std::string, Rational> const& values);

/// The formula, or the form with products; none where there is no value.
[[nodiscard]] std::optional<std::string> text_of(Result const& r);

}  // namespace isserlis::quantity
