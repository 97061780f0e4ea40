// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/recorded_runs.hpp>
#include <isserlis/question/command_line.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "question/session.hpp"

namespace isserlis::quantity {

/// One part of the sampling that a question asks for, as `shard` writes it. docs/many_machines.md has the format.
struct PartFile {
    Question question;             ///< without `shard`
    std::vector<TypedWord> typed;  ///< likewise
    std::uint64_t seed = 1;
    monte_carlo::Shard shard;
    std::vector<monte_carlo::RecordedRun> runs;
};

/// "2/7"
[[nodiscard]] std::string shard_text(monte_carlo::Shard const& shard);
/// Errors  ParseError and DomainError for what is none.
[[nodiscard]] monte_carlo::Shard read_shard(std::string const& text);

/// The session without this parameter in all that is printed.
[[nodiscard]] Session without(Session const& session, std::string const& parameter);

/// JSON; the numbers are 64 bits each in 16 hexadecimal digits.
[[nodiscard]] std::string part_text(PartFile const& part);

/// The text of the file that a parameter names.
[[nodiscard]] std::string part_content(std::string const& path, std::string const& parameter);
/// Errors  ParseError naming the file for what is not whole, or no part.
[[nodiscard]] PartFile part_of_text(std::string const& text, std::string const& path, std::string const& parameter);

/// Errors  DomainError naming the file unless it has some of what is `asked`, from the first chunk on.
void require_begun(PartFile const& part, std::string const& path, PartFile const& asked);

/// The whole runs of parts that belong together: of one question, version and seed, each part once, none missing.
/// Errors  DomainError naming the file that does not belong to the first one, and what differs.
[[nodiscard]] std::vector<monte_carlo::RecordedRun> put_together(std::vector<std::string> const& paths,
                                                                 std::vector<PartFile> const& parts);

}  // namespace isserlis::quantity
