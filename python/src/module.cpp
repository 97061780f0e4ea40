// SPDX-License-Identifier: MIT
// isserlis._isserlis: questions and answers as plain Python data. What is pleasant about them is in python/isserlis.
#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <isserlis/error.hpp>
#include <isserlis/quantity/ask.hpp>
#include <isserlis/question/reason.hpp>
#include <isserlis/report/quantities.hpp>
#include <isserlis/version.hpp>
#include <new>
#include <stdexcept>
#include <system_error>

#include "asking.hpp"
#include "plain.hpp"
#include "words.hpp"

namespace py = pybind11;

namespace isserlis::python {
namespace {

/// Raises Failure(kind, message, parameter), of which python/isserlis makes its own exceptions.
class Failures {
public:
    explicit Failures(py::module_& module) : type_(module, "Failure") {}

    [[noreturn]] void raise(char const* kind, std::string const& message, std::string const& parameter) const {
        PyErr_SetObject(type_.ptr(), py::make_tuple(kind, message, parameter).ptr());
        throw py::error_already_set();
    }

    /// Calls f, with the errors of the library and of the system as failures.
    template <class F>
    auto guarded(F const& f) const {
        try {
            return f();
        } catch (Error const& e) {
            std::string message = quantity::reason(e);
            // What a message begins with may be its parameter, bare.
            if (!e.argument().empty() && message.starts_with(e.argument() + ":"))
                message.replace(0, e.argument().size(), keyword_of(e.argument()));
            raise(e.kind(), in_keywords(message), keyword_of(e.argument()));
        } catch (std::length_error const&) {
            throw std::bad_alloc();
        } catch (std::system_error const& e) {
            raise("unsupported", std::string("the system refuses: ") + e.what(), "");
        }
    }

private:
    py::exception<int> type_;
};

/// Lets signals in, and tells `progress`, if there is one, what has been reached.
std::function<void(Reached const*)> waiting(py::object const& progress) {
    return [&progress](Reached const* reached) {
        py::gil_scoped_acquire const held;
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        if (reached == nullptr || progress.is_none()) return;
        auto const& words = reached->words;
        progress(words.doing, reached->done, words.of, reached->total, words.units);
    };
}

std::string rendered(Answer const& answer, std::string const& format) {
    if (answer.document()) return *answer.document();
    if (format == "text") return to_text(answer);
    if (format == "json") return to_json(answer);
    if (format == "csv") return to_csv(answer);
    if (format == "latex") return to_latex(answer);
    if (format == "cpp") return to_cpp(answer);
    throw ParseError("`format`: '" + printable(format) + "' is not a format; choose text, json, latex, csv or cpp",
                     "format");
}

void bind_answer(py::module_& module, Failures const& failures) {
    using Shared = std::shared_ptr<Answer const>;
    py::class_<Answer, std::shared_ptr<Answer>>(module, "Answer")
        .def("plain", [](Answer const& answer) { return plain(answer); })
        .def(
            "render",
            [failures](Answer const& answer, std::string const& format) {
                return failures.guarded([&] { return rendered(answer, format); });
            },
            py::arg("format"));
    module.def(
        "ask",
        [failures](std::string const& command, std::vector<std::string> const& words,
                   std::map<std::string, std::vector<std::string>> const& parameters, py::object const& progress) {
            return failures.guarded([&] {
                auto const wait = waiting(progress);
                py::gil_scoped_release const released;
                Shared const answer = ask_aside({.command = command, .words = words, .parameters = parameters}, wait);
                return std::const_pointer_cast<Answer>(answer);
            });
        },
        py::arg("command"), py::arg("words"), py::arg("parameters"), py::arg("progress") = py::none());
}

}  // namespace
}  // namespace isserlis::python

PYBIND11_MODULE(_isserlis, module) {
    using namespace isserlis::python;
    module.attr("version") = isserlis::version;
    Failures const failures(module);
    bind_answer(module, failures);
    module.def("commands", &commands);
    module.def("common_parameters", &common_parameters);
    module.def("quantities", &all_quantities);
    Py_AtExit(leave_work_behind_at_exit);
}
