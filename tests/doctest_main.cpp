// SPDX-License-Identifier: MIT
// The main of every test program: doctest's own, except that running no test at all is a failure.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>
#include <iostream>

namespace {

unsigned tests_run = 0;

struct Counter : doctest::IReporter {
    explicit Counter(doctest::ContextOptions const& /*options*/) {}
    void test_run_end(doctest::TestRunStats const& stats) override { tests_run = stats.numTestCasesPassingFilters; }

    void report_query(doctest::QueryData const& /*query*/) override {}
    void test_run_start() override {}
    void test_case_start(doctest::TestCaseData const& /*test*/) override {}
    void test_case_reenter(doctest::TestCaseData const& /*test*/) override {}
    void test_case_end(doctest::CurrentTestCaseStats const& /*stats*/) override {}
    void test_case_exception(doctest::TestCaseException const& /*exception*/) override {}
    void subcase_start(doctest::SubcaseSignature const& /*subcase*/) override {}
    void subcase_end() override {}
    void log_assert(doctest::AssertData const& /*assertion*/) override {}
    void log_message(doctest::MessageData const& /*message*/) override {}
    void test_case_skipped(doctest::TestCaseData const& /*test*/) override {}
};
REGISTER_LISTENER("counter", 1, Counter);

}  // namespace

int main(int argc, char** argv) {
    doctest::Context context(argc, argv);
    int const result = context.run();
    if (context.shouldExit()) return result;
    if (tests_run == 0) {
        std::cerr << "no test was run: either the filter matches none, or the program contains none\n";
        return EXIT_FAILURE;
    }
    return result;
}
