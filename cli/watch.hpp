// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace isserlis::cli {

/// Two seconds from now a line on standard error says that work goes on and how it can be ended; none for `json`, whose
/// standard error is one object or nothing, unless that is a terminal. Once at most.
void announce_long_work(bool json);

/// Has that time passed, of a process whose standard error takes such lines?
[[nodiscard]] bool announces_now();

/// No such line from now on: another one shows that work goes on.
void leave_unannounced();

/// The process ends with exit code 3 and a sentence when it has not finished that many seconds from now, --timeout.
/// Errors  ParseError and DomainError for what is no time.
void end_after(std::string const& seconds, bool json);

/// The work is done: what is printed from now on is not cut off.
void stop_watching();

}  // namespace isserlis::cli
