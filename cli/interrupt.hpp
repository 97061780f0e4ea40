// SPDX-License-Identifier: MIT
#pragma once

namespace isserlis::cli {

/// From now on Ctrl-C ends the process at once, whatever it computes, with exit code 130 and a line (a JSON object for
/// `json`) on standard error. Where the parent ignores interrupts (nohup, jobs in the background) they stay ignored.
void end_on_interrupt(bool json);

}  // namespace isserlis::cli
