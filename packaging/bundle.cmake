# SPDX-License-Identifier: MIT
# Puts the libraries that the program and its modules need into the archive, all but those of the C library.
cmake_policy(VERSION 3.25)
if(NOT CPACK_GENERATOR STREQUAL "TGZ")
    return()
endif()
set(tree ${CPACK_TEMPORARY_DIRECTORY})
file(GLOB_RECURSE modules ${tree}/libisserlis*.so*)
if(NOT modules)
    message(FATAL_ERROR "no library in ${tree}")
endif()
list(GET modules 0 first)
cmake_path(GET first PARENT_PATH libraries)
file(
    GET_RUNTIME_DEPENDENCIES
    EXECUTABLES ${tree}/bin/isserlis
    LIBRARIES ${modules}
    RESOLVED_DEPENDENCIES_VAR found
    UNRESOLVED_DEPENDENCIES_VAR missing
    DIRECTORIES ${libraries}
    PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|pthread|dl|rt)[.]so" "^libisserlis")
if(missing)
    message(FATAL_ERROR "libraries not found: ${missing}")
endif()
file(INSTALL ${found} DESTINATION ${libraries} FOLLOW_SYMLINK_CHAIN)
