// SPDX-License-Identifier: MIT
#pragma once
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <sstream>
#include <utility>

#include "show.hpp"

namespace isserlis::testing {

/// Makes a RapidCheck property one doctest CHECK; a failure shows the counterexample and how to reproduce it.
/// `runs` inputs are tried. RC_PARAMS="seed=..." is honoured, as everywhere in RapidCheck.
template <class Property>
void holds(Property&& property, int runs = 100) {
    auto params = rc::detail::configuration().testParams;
    params.maxSuccess = runs;
    auto const result = rc::detail::checkTestable(std::forward<Property>(property), rc::detail::TestMetadata{}, params);
    std::ostringstream report;
    rc::detail::printResultMessage(result, report);
    std::string const text = report.str();
    CHECK_MESSAGE(result.template is<rc::detail::SuccessResult>(), text);
}

}  // namespace isserlis::testing
