# SPDX-License-Identifier: MIT
# isserlis.pc, relocatable. A static library passes on what it needs; a shared one keeps that to itself.
cmake_path(
    RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE libdir)
cmake_path(
    RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE includedir)
cmake_path(
    RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE prefix)

set(pc_requires "eigen3 mpfr gmp")
list(TRANSFORM numbers_alone PREPEND " -D" OUTPUT_VARIABLE pc_definitions)
set(pc_libs "-lisserlis")
if(NOT ISSERLIS_SHARED)
    foreach(library IN LISTS FLINT_LIBRARIES)
        cmake_path(GET library STEM name)
        string(REGEX REPLACE "^lib" " -l" name ${name})
        string(APPEND pc_libs ${name})
    endforeach()
    string(APPEND pc_libs " -pthread")
endif()

configure_file(cmake/isserlis.pc.in isserlis.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/isserlis.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
