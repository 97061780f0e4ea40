// SPDX-License-Identifier: MIT
#include <isserlis/train/rate_sweep.hpp>

#include <atomic>
#include <cmath>
#include <exception>
#include <isserlis/error.hpp>
#include <isserlis/train/initial.hpp>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>

namespace isserlis::train {
namespace {

/// How one network of a cell ended.
struct Ending {
    double loss = 0;
    bool diverged = false;
    bool risen = false;
};

void require_sweep(RateSweep const& sweep, std::vector<SweepCell> const& done) {
    if (sweep.rates.empty() || sweep.networks == 0 || sweep.threads == 0)
        throw DomainError("rate_sweep: at least 1 rate, 1 network and 1 thread are required",
                          sweep.rates.empty()   ? "rates"
                          : sweep.networks == 0 ? "networks"
                                                : "threads");
    bool fits = done.size() <= sweep.rates.size();
    for (std::size_t i = 0; fits && i < done.size(); ++i) fits = done[i].rate == sweep.rates[i];
    if (!fits) throw DomainError("rate_sweep: the cells that are done have other rates", "done");
}

/// Work on 0 .. count - 1 in some threads; the first failure is thrown again.
template <class Work>
void for_all(std::uint64_t count, unsigned threads, Work const& work) {
    std::atomic<std::uint64_t> next = 0;
    std::exception_ptr failure;
    std::mutex failing;
    auto const take = [&] {
        try {
            for (std::uint64_t i = next++; i < count; i = next++) work(i);
        } catch (...) {
            std::scoped_lock const lock(failing);
            if (!failure) failure = std::current_exception();
            next = count;
        }
    };
    {
        std::vector<std::jthread> helpers;
        for (unsigned t = 1; t < threads && t < count; ++t) {
            try {
                helpers.emplace_back(take);
            } catch (std::system_error const&) {
                break;  // no more threads to be had; the answer is the same
            }
        }
        take();
    }
    if (failure) std::rethrow_exception(failure);
}

SweepCell cell_of(double rate, std::vector<Ending> const& endings) {
    double mean = 0;
    double squares = 0;  // around the mean so far: nothing large is summed
    double kept = 0;
    double risen = 0;
    for (auto const& e : endings) {
        risen += e.risen ? 1 : 0;
        if (e.diverged) continue;
        double const before = e.loss - mean;
        mean += before / ++kept;
        squares += before * (e.loss - mean);
    }
    auto const all = static_cast<double>(endings.size());
    SweepCell out{.rate = rate, .share_diverged = (all - kept) / all, .share_risen = risen / all};
    if (kept > 0) out.mean_loss = mean;
    if (kept > 1) out.standard_error = std::sqrt(squares / (kept - 1) / kept);
    return out;
}

}  // namespace

std::vector<SweepCell> rate_sweep(mlp::Architecture const& architecture, mlp::Objective objective,
                                  mlp::Examples<double> const& examples, RateSweep const& sweep,
                                  std::vector<SweepCell> done, std::function<void(SweepCell const&)> const& on_cell) {
    require_sweep(sweep, done);
    auto options = sweep.training;
    options.threads = 1;
    options.row_gradients = false;
    options.history_every = std::max<std::uint64_t>(options.epochs, 1);
    while (done.size() < sweep.rates.size()) {
        options.rate = sweep.rates[done.size()];
        std::vector<Ending> endings(sweep.networks);
        for_all(sweep.networks, sweep.threads, [&](std::uint64_t i) {
            auto own = options;
            own.seed = sweep.training.seed + i;
            auto const run =
                train<double>(architecture, objective, examples,
                              initial_parameters<double>(architecture, sweep.variances, sweep.seed, i), own);
            bool const diverged = run.stop == Stop::diverged;
            double const loss = run.history.back().loss;
            endings[i] = {.loss = loss, .diverged = diverged, .risen = diverged || loss > run.history.front().loss};
        });
        done.push_back(cell_of(options.rate, endings));
        if (on_cell) on_cell(done.back());
    }
    return done;
}

}  // namespace isserlis::train
