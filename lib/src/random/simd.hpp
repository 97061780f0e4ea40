// SPDX-License-Identifier: MIT
#pragma once

/// Compiles a function for several instruction sets and picks the widest at load time. No set may contract a product
/// and a sum into one rounding (see CMakeLists.txt), so that every machine computes the same bits. Not under sanitizers,
/// which are not there yet when it is picked.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ISSERLIS_SIMD_CLONES [[gnu::target_clones("avx512f", "avx2", "default")]]
#else
#define ISSERLIS_SIMD_CLONES
#endif

/// A function that clones call: inlined, so that it is compiled for their instruction sets too.
#define ISSERLIS_IN_CLONES [[gnu::always_inline]] inline
