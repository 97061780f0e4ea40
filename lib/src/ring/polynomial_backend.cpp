// SPDX-License-Identifier: MIT
#include "polynomial_backend.hpp"

#include <isserlis/error.hpp>

#ifndef ISSERLIS_FLINT_LINKED
#include <dlfcn.h>
#endif

namespace isserlis::detail {

#ifdef ISSERLIS_FLINT_LINKED

PolynomialBackend const& polynomial_backend() { return *isserlis_flint_polynomials(); }

#else

PolynomialBackend const& polynomial_backend() {
    static PolynomialBackend const& backend = []() -> PolynomialBackend const& {
        // Found beside this library through its run path.
        void* library = dlopen("libisserlis_flint.so", RTLD_NOW | RTLD_LOCAL);
        void* entry = library == nullptr ? nullptr : dlsym(library, "isserlis_flint_polynomials");
        if (entry == nullptr) {
            char const* why = dlerror();
            throw UnsupportedError(std::string("symbols need libisserlis_flint.so beside libisserlis.so: ") +
                                   (why == nullptr ? "not found" : why));
        }
        return *reinterpret_cast<PolynomialBackend const* (*)()>(entry)();
    }();
    return backend;
}

#endif

}  // namespace isserlis::detail
