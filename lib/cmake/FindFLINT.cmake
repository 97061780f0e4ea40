# SPDX-License-Identifier: MIT
# FLINT 2 or 3, which come without a CMake package. Defines FLINT::FLINT and FLINT_LIBRARIES.
include(CMakeFindDependencyMacro)
find_dependency(MPFR)

find_path(FLINT_INCLUDE_DIR flint/fmpz_mpoly.h)
find_library(FLINT_LIBRARY flint)
set(FLINT_LIBRARIES ${FLINT_LIBRARY})
mark_as_advanced(FLINT_INCLUDE_DIR FLINT_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(FLINT REQUIRED_VARS FLINT_LIBRARY FLINT_INCLUDE_DIR)

if(FLINT_FOUND AND NOT TARGET FLINT::FLINT)
    add_library(FLINT::FLINT INTERFACE IMPORTED)
    target_include_directories(FLINT::FLINT INTERFACE ${FLINT_INCLUDE_DIR})
    target_link_libraries(FLINT::FLINT INTERFACE ${FLINT_LIBRARIES} MPFR::MPFR)
endif()
