// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/quantities.hpp>
#include <isserlis/report/range.hpp>
#include <isserlis/verify/check.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace isserlis {

class Value;

/// One printed quantity. `index` holds layer numbers, 1-based, or formulas such as "L + 1".
struct Result {
    std::string name;
    std::vector<std::string> index;
    std::optional<std::string> exact;
    std::optional<std::string> decimal;
    std::string latex;       ///< filled for the LaTeX format, or when asked for
    std::string form;        ///< what a value outside the exact rings is, or why there is none
    bool certified = false;  ///< every digit of `decimal` is right, though there is no exact value
    std::optional<Check> check;
    std::string unchecked;                ///< why there is no check, when one was asked for
    std::optional<Check::Verdict> bound;  ///< of a bound: holds or fails for the exact value, where that is known
    Range range;                          ///< of its symbols
    std::string mean_square;              ///< above 0 for positive symbols; `exact` is 1 over its root. Mostly nothing
    std::vector<std::string> endless;     ///< the symbols that go to infinity
};

/// `leave_out_zero_divisors` of what the result is exactly.
bool leave_out_zero_divisors(Result& result);

/// What a symbol counts.
enum class SymbolRole { width, depth, layer, parameter };

/// A symbol and the values that it can have at all.
struct Declared {
    SymbolRange range;
    SymbolRole role;
};

enum class Format { text, json, latex, csv, cpp };

/// Everything that one command has to say.
class Answer {
public:
    struct Options {
        Format format = Format::text;
        int digits = 17;
        bool unlimited = false;   ///< no limit on the size, as when writing to a file
        bool checking = false;    ///< samples are set beside the exact values
        bool latex = false;       ///< results have their LaTeX in every format
        bool exact_only = false;  ///< for comparisons: no digits, no ranges
        /// What is done with a text of the library's before it is printed, which names parameters between backticks.
        std::function<std::string(std::string)> spoken = [](std::string text) { return text; };
    };

    Answer(std::string command, Options options)
        : command_(std::move(command)), options_(options), title_("isserlis " + command_) {}

    /// Size up to which an answer is printed on a terminal.
    static constexpr std::size_t size_limit = 10'000'000;

    /// The command line as it was typed, quoted for a shell: one line, the first of every format but JSON.
    void set_title(std::string title) { title_ = std::move(title); }
    void add_input(std::string name, std::string value) { inputs_.emplace_back(std::move(name), std::move(value)); }
    void assume(std::string text);
    void warn(std::string text);
    /// An entry of the registry, for `list`.
    void add_entry(Quantity const& entry) { entries_.push_back(entry); }
    /// Text output puts the results under the commands that print them.
    void group_by_command() { grouped_ = true; }
    /// The whole output, in place of a table of the results: a program, whose heading is its own.
    void set_document(std::string text) { document_ = std::move(text); }
    /// A table in a form of its own, in place of that of the results, of the format that was asked for.
    void set_table(std::string text) { table_ = std::move(text); }
    void explain(std::string text);
    /// The number of results to come, so that a refusal can estimate the whole.
    void expect(std::size_t results) { expected_ += results; }

    /// Renders the value at once, so that an answer that grows too large stops early.
    /// Errors  UnsupportedError past `size_limit`, with an estimate.
    void add(std::string name, std::vector<std::string> index, Value const& value, std::optional<Check> check = {},
             std::string unchecked = {});
    /// Adds a bound; `holds` says whether the exact value is on its side, where that is known.
    void add_bound(std::string name, std::vector<std::string> index, Value const& value, std::optional<bool> holds,
                   std::string unchecked = {});
    /// The result added last holds where its formula is at least 0; elsewhere it is 0.
    void hold_where_not_negative();
    /// Adds a limit or leading term; `endless` go to infinity, which an assumption says, and have no range.
    void add_limit(std::string name, std::vector<std::string> index, Value const& value,
                   std::vector<std::string> const& endless, std::string unchecked = {});
    /// What a symbol is, for the results that follow; one that is never declared stands for a positive number.
    void declare(SymbolRange range, SymbolRole role);
    /// An expression that must be above 0, or at least 0, for the results that follow and have a symbol of it.
    void require_positive(std::string expression) { required_.positive.push_back(std::move(expression)); }
    void require_not_negative(std::string expression) { required_.not_negative.push_back(std::move(expression)); }
    /// The symbols that are swept, and what is put before every index that follows: their values.
    void set_sweeps(std::vector<std::string> symbols) { sweeps_ = std::move(symbols); }
    void set_index_prefix(std::vector<std::string> prefix) { prefix_ = std::move(prefix); }
    /// What the part of the prefix after the swept symbols, and after others so named, is: "network", "alpha".
    void name_index_prefix(std::string const& name);

    [[nodiscard]] std::string const& command() const { return command_; }
    [[nodiscard]] std::string const& title() const { return title_; }
    [[nodiscard]] Options const& options() const { return options_; }
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> const& inputs() const { return inputs_; }
    // Of an answer that is over with the expression, such as `ask(..)` in the head of a loop, lists and results are moved out.
    [[nodiscard]] std::vector<std::string> const& assumptions() const& { return assumptions_; }
    [[nodiscard]] std::vector<std::string> assumptions() && { return std::move(assumptions_); }
    [[nodiscard]] std::vector<std::string> const& warnings() const& { return warnings_; }
    [[nodiscard]] std::vector<std::string> warnings() && { return std::move(warnings_); }
    [[nodiscard]] std::vector<std::string> const& explanations() const& { return explanations_; }
    [[nodiscard]] std::vector<std::string> explanations() && { return std::move(explanations_); }
    [[nodiscard]] std::vector<Result> const& results() const& { return results_; }
    [[nodiscard]] std::vector<Result> results() && { return std::move(results_); }
    /// The result of this name and index, as text output prints them. Errors  DomainError where there is none.
    [[nodiscard]] Result const& at(std::string const& name, std::vector<std::string> const& index = {}) const&;
    [[nodiscard]] Result at(std::string const& name, std::vector<std::string> const& index = {}) && {
        return std::as_const(*this).at(name, index);
    }
    [[nodiscard]] std::optional<std::string> const& document() const { return document_; }
    [[nodiscard]] std::optional<std::string> const& table() const { return table_; }
    [[nodiscard]] std::vector<Quantity> const& entries() const& { return entries_; }
    [[nodiscard]] std::vector<Quantity> entries() && { return std::move(entries_); }
    /// Takes over a result of another answer, for a report that puts answers together.
    void adopt(Result result);
    [[nodiscard]] std::vector<Declared> const& declared() const { return declared_; }
    /// The results from `first` on, for what is known of their ranges once all of them are there.
    void replace_results(std::size_t first, std::vector<Result> results);
    /// The swept symbols, whose values come first in every index.
    [[nodiscard]] std::vector<std::string> const& sweeps() const { return sweeps_; }
    [[nodiscard]] std::vector<std::string> const& prefix_names() const { return prefix_names_; }
    [[nodiscard]] bool is_grouped() const { return grouped_; }
    /// What was compared does not agree, beside the checks of the results.
    void fail() { failed_ = true; }
    [[nodiscard]] bool any_disagreement() const;

private:
    std::string command_;
    Options options_;
    std::vector<std::pair<std::string, std::string>> inputs_;
    std::vector<std::string> assumptions_;
    std::vector<std::string> warnings_;
    std::vector<std::string> explanations_;
    std::vector<Result> results_;
    std::vector<Quantity> entries_;
    std::vector<Declared> declared_;
    Range required_;
    std::optional<std::string> document_;
    bool grouped_ = false;
    bool failed_ = false;
    std::vector<std::string> sweeps_;
    std::vector<std::string> prefix_;
    std::vector<std::string> prefix_names_;
    std::size_t expected_ = 0;
    std::size_t size_ = 0;
    std::string title_;
    std::optional<std::string> table_;
};

/// What most results say of their symbols.
[[nodiscard]] Range common_range(Answer const& answer);

/// The whole answer in its format, with a final newline.
[[nodiscard]] std::string to_text(Answer const& answer);
[[nodiscard]] std::string to_json(Answer const& answer);
[[nodiscard]] std::string to_csv(Answer const& answer);
[[nodiscard]] std::string to_latex(Answer const& answer);
/// A header of functions of doubles, one for each exact result, whose parameters are the symbols in alphabetical order.
[[nodiscard]] std::string to_cpp(Answer const& answer);
[[nodiscard]] std::string render(Answer const& answer);

/// The error object that JSON mode prints on stderr.
[[nodiscard]] std::string error_to_json(std::string const& kind, std::string const& message,
                                        std::string const& argument);

}  // namespace isserlis
