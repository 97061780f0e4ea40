// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace isserlis {

/// Writes a file whole or not at all: a regular file is written beside its place, synchronised and renamed, with the
/// mode of the one that it replaces. Symbolic links are followed; devices and pipes are written to. SIGINT, SIGTERM and
/// SIGHUP wait while a regular file is written; a part left behind by a run that was killed is removed by the next.
///
/// Errors  DomainError naming `option`, with the system's reason, when the file cannot be written.
void write_file(std::string const& file, std::string const& content, std::string const& option);

/// The same errors, as far as they can be known before there is anything to write.
void check_writable(std::string const& file, std::string const& option);

}  // namespace isserlis
