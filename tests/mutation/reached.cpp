// SPDX-License-Identifier: MIT
// Linked to each mutated test program: writes which mutants' places were evaluated, to the file that ISSERLIS_MUTANTS_REACHED
// names: a line `start` of what is evaluated before all tests, and a line of each test.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>

namespace {

struct Reached : doctest::IReporter {
    explicit Reached(doctest::ContextOptions const& /*options*/) {
        if (char const* const name = std::getenv("ISSERLIS_MUTANTS_REACHED")) file_.open(name);
    }
    void test_run_start() override {
        if (!file_) return;
        file_ << "start\t\t0";
        write();
    }
    void test_case_start(doctest::TestCaseData const& test) override {
        test_ = &test;
        std::fill(std::begin(mutants::reached), std::end(mutants::reached), 0);
        begin_ = std::clock();
    }
    void test_case_end(doctest::CurrentTestCaseStats const& /*stats*/) override {
        if (!file_) return;
        file_ << test_->m_file.c_str() << '\t' << test_->m_name << '\t'
              << static_cast<double>(std::clock() - begin_) / CLOCKS_PER_SEC;
        write();
    }

    void test_run_end(doctest::TestRunStats const& /*stats*/) override {}
    void report_query(doctest::QueryData const& /*query*/) override {}
    void test_case_reenter(doctest::TestCaseData const& /*test*/) override {}
    void test_case_exception(doctest::TestCaseException const& /*exception*/) override {}
    void subcase_start(doctest::SubcaseSignature const& /*subcase*/) override {}
    void subcase_end() override {}
    void log_assert(doctest::AssertData const& /*assertion*/) override {}
    void log_message(doctest::MessageData const& /*message*/) override {}
    void test_case_skipped(doctest::TestCaseData const& /*test*/) override {}

private:
    void write() {
        for (int k = 0; k < mutants::most; ++k)
            if (mutants::reached[k] != 0) file_ << '\t' << k;
        file_ << std::endl;
    }

    std::ofstream file_;
    doctest::TestCaseData const* test_ = nullptr;
    std::clock_t begin_ = 0;
};
REGISTER_LISTENER("reached", 1, Reached);

}  // namespace
