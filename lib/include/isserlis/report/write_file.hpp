// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace isserlis {

/// Writes a file whole or not at all: a regular file is written beside its place and renamed. Symbolic links are
/// followed; devices and pipes are written to. SIGINT, SIGTERM and SIGHUP wait while a regular file is written.
///
/// Errors  DomainError naming `option` when the file cannot be written.
void write_file(std::string const& file, std::string const& content, std::string const& option);

}  // namespace isserlis
