// SPDX-License-Identifier: MIT
#include "question/model.hpp"

#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/report/tidy.hpp>

#include "question/model_wirings.hpp"

namespace isserlis::quantity {
namespace {

/// Puts values into a ModelText, part by part.
template <class Kind>
class Builder : public ModelWirings<Kind> {
public:
    using Base = ModelWirings<Kind>;
    using R = typename Base::R;
    using Count = typename Base::Count;
    using Base::Base;

    Model<R, Count> all() {
        Model<R, Count> out;
        out.ties = text_.ties;
        out.precision = text_.precision;
        out.derivatives = derivatives();
        activation_ = {.kind = text_.activation,
                       .slope = text_.slope ? value(*text_.slope, "`activation` leaky") : R(0)};
        switch (text_.wiring) {
            case Wiring::vanilla: {
                auto net = vanilla();
                for (std::size_t i = 0; i < net.layers.size(); ++i) out.orthogonal.push_back(text_.is_orthogonal(i));
                if (std::find(out.orthogonal.begin(), out.orthogonal.end(), true) == out.orthogonal.end())
                    out.orthogonal.clear();
                std::vector<std::optional<R>> sides;
                for (std::size_t i = 0; i < out.orthogonal.size(); ++i) {
                    sides.emplace_back();
                    if (!out.orthogonal[i]) continue;
                    sides.back() = larger_width(net.layers[i].fan_in, net.layers[i].fan_out).value_or(R(0));
                }
                out.network = {std::move(net), sides};
                break;
            }
            case Wiring::residual: out.network = residual(); break;
            case Wiring::dense: out.network = dense(); break;
            case Wiring::file: out.network = from_file(); break;
        }
        if (text_.data_scale) out.data_scale = value(*text_.data_scale, "c");
        require_positive(out.data_scale, "c");
        if (text_.target_second) out.target_second = value(*text_.target_second, "target_second_moment");
        require_at_least(out.target_second, R(0), "target_second_moment", "E|y|^2 is at least 0");
        if (text_.target_third) {
            out.target_third = value(*text_.target_third, "target_third_moment");
            if (is_certainly_zero(out.target_second) && !(*out.target_third == R(0)))
                throw DomainError(
                    "`target_third_moment` = " + to_string(*out.target_third) + "; targets of second moment 0 are 0",
                    "target_third_moment");
        }
        if (text_.target_fourth) {
            out.target_fourth = value(*text_.target_fourth, "target_fourth_moment");
            R least = out.target_second * out.target_second / out.graph().output_width();
            std::string bound = "(E|y|^2)^2 over the number of outputs";
            if (out.target_third && !is_certainly_zero(out.target_second)) {
                least = least + *out.target_third * *out.target_third / out.target_second;
                bound += " plus (sum_i E y_i^3)^2/E|y|^2";
            }
            require_at_least(*out.target_fourth, least, "target_fourth_moment",
                             "sum_i E y_i^4 is at least " + bound + ", " + to_string(least));
        }
        read_input(out);
        return out;
    }

private:
    using Base::activation_;
    using Base::dense;
    using Base::derivatives;
    using Base::from_file;
    using Base::require_at_least;
    using Base::require_positive;
    using Base::residual;
    using Base::state_positive;
    using Base::text_;
    using Base::value;
    using Base::vanilla;

    void read_input(Model<R, Count>& out) const {
        R const& width = out.graph().input_width;
        if (text_.input) {
            R square(text_.input->square);
            R fourth(text_.input->fourth);
            out.input.assign(text_.input->numbers.begin(), text_.input->numbers.end());
            if (out.input.empty()) {
                for (auto const& e : text_.input->entries) {
                    R const x = value(e, "input");
                    out.input.push_back(x);
                    square = square + x * x;
                    fourth = fourth + x * x * x * x;
                }
            }
            auto const gap = sign_of(R(width - R(static_cast<int>(out.input.size()))));
            if (!gap) {
                throw DomainError("`input`: " + std::to_string(out.input.size()) +
                                      " coordinates for an input width of " + to_string(width) +
                                      "; `set` it to their number",
                                  "input");
            }
            if (*gap != 0) {
                throw DomainError("`input`: " + std::to_string(out.input.size()) +
                                      " coordinates for an input width of " + to_string(width) +
                                      (text_.input_file.empty() ? ""
                                                                : "; the file is one input here, its lines are inputs "
                                                                  "in hessian, and in mup of fully connected "
                                                                  "networks"),
                                  "input");
            }
            out.squared_norm = square;
            out.fourth = fourth;
            require_positive(out.squared_norm, "`input`: |x|^2");
            if constexpr (std::is_same_v<R, RationalFunction>) {
                // All coordinates may be 0 at once, which the range of each does not tell.
                bool const has_number = std::any_of(out.input.begin(), out.input.end(),
                                                    [](R const& x) { return x.is_numeric() && !x.is_zero(); });
                if (!has_number && square.symbols().size() > 1) state_positive(square.merged());
            }
            return;
        }
        if (text_.squared_norm) out.squared_norm = value(*text_.squared_norm, "input_squared_norm");
        require_positive(out.squared_norm, "input_squared_norm");
        if (!text_.fourth) {
            auto const others = sign_of(R(width - R(1)));
            if (others && *others == 0) out.fourth = out.squared_norm * out.squared_norm;
            return;
        }
        out.fourth = value(*text_.fourth, "input_fourth");
        R const most = out.squared_norm * out.squared_norm;
        require_at_least(*out.fourth, R(most / width), "input_fourth",
                         "sum x_i^4 is at least |x|^4/d_0 = " + to_string(R(most / width)));
        require_at_least(most, *out.fourth, "|x|^4",
                         "it is at least sum x_i^4 = `input_fourth` = " + to_string(*out.fourth));
    }
};

template <class Kind>
auto built(ModelText const& text, Bindings const& bindings) {
    std::vector<Requirement<typename Kind::R>> requirements;
    auto out = Builder<Kind>(text, bindings, requirements).all();
    out.requirements = std::move(requirements);
    return out;
}

}  // namespace

NumericModel numeric_model(ModelText const& text, Bindings const& bindings) {
    return built<NumericKind>(text, bindings);
}
SymbolicModel symbolic_model(ModelText const& text, Bindings const& bindings) {
    return built<SymbolicKind>(text, bindings);
}

Rational rational_of(Surd const& x, std::string const& parameter) {
    if (x.is_rational()) return x.to_rational();
    throw UnsupportedError(named(parameter) + ": " + to_string(x) + " has a root in it; rational numbers are served",
                           parameter);
}
Rational rational_at(Expression const& e, Bindings const& bindings, std::string const& parameter) {
    return rational_of(value_at<Surd>(e, bindings, parameter), parameter);
}

}  // namespace isserlis::quantity
