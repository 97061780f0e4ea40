// SPDX-License-Identifier: MIT
#include "quantity/target_form.hpp"

#include <isserlis/error.hpp>
#include <isserlis/model/model.hpp>
#include <isserlis/report/tidy.hpp>

#include <mutex>
#include <utility>

namespace isserlis::quantity {
namespace {

constexpr char const* of_targets = "an exact function of the targets";

/// What never leaves 0 never yields a digit.
bool is_told_from_zero(TargetForm const& x) {
    constexpr unsigned many_bits = 512;
    return !x.enclose(many_bits).contains_zero();
}

}  // namespace

/// |y_k|^2 at a precision, each worked out once.
class TargetForm::Squares {
public:
    explicit Squares(DataSet data) : data_(std::move(data)) {}

    std::vector<Interval> const& at(unsigned bits) const {
        std::lock_guard const lock(mutex_);
        auto& out = known_[bits];
        if (!out.empty()) return out;
        for (auto const& row : enclosed_targets(data_, bits)) {
            Interval sum(0L, bits);
            for (auto const& y : row) sum = sum + y * y;
            out.push_back(sum);
        }
        return out;
    }

private:
    DataSet data_;
    std::mutex mutable mutex_;
    std::map<unsigned, std::vector<Interval>> mutable known_;
};

std::vector<TargetForm> TargetForm::squares(DataSet const& data) {
    auto const all = std::make_shared<Squares const>(data);
    std::vector<TargetForm> out(data.samples());
    for (std::size_t k = 0; k < out.size(); ++k) {
        out[k].coefficients_.emplace(k, Surd(1));
        out[k].squares_ = all;
    }
    return out;
}

Interval TargetForm::enclose(unsigned bits) const {
    Interval out = isserlis::enclose(constant_, bits);
    for (auto const& [k, c] : coefficients_) out = out + isserlis::enclose(c, bits) * squares_->at(bits)[k];
    return out;
}

TargetForm operator+(TargetForm a, TargetForm const& b) {
    a.constant_ = a.constant_ + b.constant_;
    for (auto const& [k, c] : b.coefficients_) {
        auto const [at, fresh] = a.coefficients_.emplace(k, c);
        if (!fresh) at->second = at->second + c;
        if (at->second.is_zero()) a.coefficients_.erase(at);
    }
    if (!a.squares_) a.squares_ = b.squares_;
    return a;
}

TargetForm operator*(Surd const& factor, TargetForm x) {
    x.constant_ = factor * x.constant_;
    if (factor.is_zero()) x.coefficients_.clear();
    for (auto& [k, c] : x.coefficients_) c = factor * c;
    return x;
}

Value tidy(TargetForm const& x) {
    if (x.exact() != nullptr) return *x.exact();
    if (!is_told_from_zero(x)) return Value::absent("it cannot be told from 0");
    return Value::certified([x](unsigned bits) { return x.enclose(bits); }, of_targets);
}

Value root(TargetForm const& square, std::string const& form) {
    if (square.exact() != nullptr) return isserlis::root(*square.exact(), form);
    if (!is_told_from_zero(square)) return Value::absent("it cannot be told from 0");
    return Value::certified([square](unsigned bits) { return sqrt(square.enclose(bits)); }, form);
}

Value over_root(int factor, TargetForm const& square, std::string const& form) {
    if (square.exact() != nullptr) return isserlis::over_root(factor, *square.exact(), form);
    if (!is_told_from_zero(square)) return Value::absent("it cannot be told from 0");
    return Value::certified(
        [square, factor](unsigned bits) {
            return Interval(static_cast<long>(factor), bits) / sqrt(square.enclose(bits));
        },
        form);
}

double to_double(TargetForm const& x) {
    return x.exact() != nullptr ? isserlis::to_double(*x.exact()) : tidy(x).to_double();
}

Surd const& in_field(TargetForm const& x) {
    if (x.exact() == nullptr)
        throw UnsupportedError("`batch`: the squares of these targets are no sums of square roots", "batch");
    return *x.exact();
}

}  // namespace isserlis::quantity
