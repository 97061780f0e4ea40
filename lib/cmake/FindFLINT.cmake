# SPDX-License-Identifier: MIT
# FLINT and Arb, which come without a CMake package. Defines FLINT::FLINT and FLINT_LIBRARIES.
# FLINT 3 contains Arb (<flint/arb.h>); before that Arb is a library of its own (<arb.h>), which Debian names flint-arb.
include(CMakeFindDependencyMacro)
find_dependency(MPFR)

find_path(FLINT_INCLUDE_DIR flint/fmpz_mpoly.h)
find_library(FLINT_LIBRARY flint)
set(FLINT_LIBRARIES ${FLINT_LIBRARY})
set(required FLINT_LIBRARY FLINT_INCLUDE_DIR)
if(NOT EXISTS ${FLINT_INCLUDE_DIR}/flint/arb.h)
    find_path(ARB_INCLUDE_DIR arb.h)
    find_library(ARB_LIBRARY NAMES flint-arb arb)
    list(PREPEND FLINT_LIBRARIES ${ARB_LIBRARY})
    list(APPEND required ARB_LIBRARY ARB_INCLUDE_DIR)
endif()
mark_as_advanced(FLINT_INCLUDE_DIR FLINT_LIBRARY ARB_INCLUDE_DIR ARB_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(FLINT REQUIRED_VARS ${required})
unset(required)

if(FLINT_FOUND AND NOT TARGET FLINT::FLINT)
    add_library(FLINT::FLINT INTERFACE IMPORTED)
    target_include_directories(FLINT::FLINT INTERFACE ${FLINT_INCLUDE_DIR})
    target_link_libraries(FLINT::FLINT INTERFACE ${FLINT_LIBRARIES} MPFR::MPFR)
endif()
