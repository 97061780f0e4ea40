// SPDX-License-Identifier: MIT
#pragma once

namespace isserlis::emit {

/// C++ of tests of observables, after the network of `cpp_test`: tensors whose axes have letters and their contraction;
/// what an observable is written with, where {{PROGRAM}} and {{PLACES}} stand for it.
extern char const* const cpp_tensors;
extern char const* const cpp_observable;

}  // namespace isserlis::emit
