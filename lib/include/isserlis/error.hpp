// SPDX-License-Identifier: MIT
#pragma once
#include <stdexcept>
#include <string>
#include <string_view>

namespace isserlis {

/// The text as it may be echoed in a message: what is no UTF-8, or no visible character of it, and backticks, which name
/// parameters there, become \xNN, and what is longer than a line is cut.
[[nodiscard]] std::string printable(std::string_view text);

/// Base of every exception that leaves the library.
///
/// `argument` names the parameter that is at fault ("label_factor", "inner_widths"), or is empty. A message puts the
/// parameters that it speaks of between backticks, so that a front end can put in their place what sets them there.
class Error : public std::runtime_error {
public:
    Error(std::string message, std::string argument);
    [[nodiscard]] std::string const& argument() const noexcept { return argument_; }
    /// A stable snake_case name of the class of error, as printed in JSON.
    [[nodiscard]] virtual char const* kind() const noexcept = 0;

private:
    std::string argument_;
};

/// There is no such value: a width of 0, a kurtosis below 1, a division by zero.
class DomainError : public Error {
public:
    explicit DomainError(std::string message, std::string argument = {});
    [[nodiscard]] char const* kind() const noexcept override { return "domain"; }
};

/// The value exists, but it is not available here, or it would not fit.
class UnsupportedError : public Error {
public:
    explicit UnsupportedError(std::string message, std::string argument = {});
    [[nodiscard]] char const* kind() const noexcept override { return "unsupported"; }
};

/// Text of the user's that does not follow its grammar.
class ParseError : public Error {
public:
    explicit ParseError(std::string message, std::string argument = {});
    [[nodiscard]] char const* kind() const noexcept override { return "parse"; }
};

/// The user stopped a long computation (Ctrl-C).
class Interrupted : public Error {
public:
    Interrupted() : Error("interrupted before the work was done; nothing was written", {}) {}
    [[nodiscard]] char const* kind() const noexcept override { return "interrupted"; }
};

}  // namespace isserlis
