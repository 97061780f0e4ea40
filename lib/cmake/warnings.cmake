# SPDX-License-Identifier: MIT
# What our own code is compiled with; linked privately and never exported. Errors only where ISSERLIS_WERROR asks for them.
add_library(isserlis_warnings INTERFACE)
target_compile_options(
    isserlis_warnings
    INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow $<$<BOOL:${ISSERLIS_WERROR}>:-Werror>)
if(CMAKE_UNITY_BUILD)  # where a file's own names are those of its neighbours too
    target_compile_options(isserlis_warnings INTERFACE -Wno-shadow)
endif()
# GCC 12 sees overflows in std::string's own operators, others at each level of optimisation.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(
        isserlis_warnings
        INTERFACE -Wno-array-bounds -Wno-dangling-pointer -Wno-maybe-uninitialized -Wno-restrict -Wno-stringop-overflow
                  -Wno-stringop-overread)
endif()
