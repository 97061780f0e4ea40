# SPDX-License-Identifier: MIT
# What our own code is compiled with; linked privately and never exported. Errors only where ISSERLIS_WERROR asks for them.
add_library(isserlis_warnings INTERFACE)
target_compile_options(
    isserlis_warnings
    INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow $<$<BOOL:${ISSERLIS_WERROR}>:-Werror>)
