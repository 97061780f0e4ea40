// SPDX-License-Identifier: MIT
#include "model.hpp"

#include <isserlis/error.hpp>
#include <isserlis/report/value.hpp>

namespace isserlis::cli {
namespace {

/// What numeric and symbolic models do differently.
struct NumericKind {
    using R = Surd;
    using Count = std::uint64_t;
    static R symbol(std::string const& name, Bindings const& bindings) { return bindings.at(name); }
    static Count count_symbol(std::string const& name, Bindings const&) {
        throw DomainError("WIDTHS: the repeat count " + name + " has no value", "WIDTHS");
    }
};
struct SymbolicKind {
    using R = RationalFunction;
    using Count = Exponent;
    static R symbol(std::string const& name, Bindings const& bindings) {
        auto const at = bindings.find(name);
        return at == bindings.end() ? RationalFunction::symbol(name) : RationalFunction(at->second);
    }
    static Count count_symbol(std::string const& name, Bindings const&) { return Exponent::symbol(name); }
};

/// The sign of a number; none for a formula with symbols.
std::optional<int> sign_of(Surd const& x) { return sign(x); }
std::optional<int> sign_of(RationalFunction const& x) {
    return x.is_numeric() ? std::optional<int>(sign(x.evaluate({}))) : std::nullopt;
}

template <class R>
void require_positive(R const& x, std::string const& option) {
    auto const s = sign_of(x);
    if (s && *s <= 0) throw DomainError(option + " = " + printable(to_string(x)) + "; it has to be positive", option);
}

template <class R>
void require_at_least(R const& x, R const& bound, std::string const& option, std::string const& why) {
    auto const s = sign_of(R(x - bound));
    if (s && *s < 0) throw DomainError(option + " = " + printable(to_string(x)) + "; " + why, option);
}

std::uint64_t layer_count(std::vector<LayerRun<Surd, std::uint64_t>> const& runs) {
    std::uint64_t layers = 0;
    for (auto const& run : runs) layers += run.count;
    return layers;
}
std::uint64_t layer_count(std::vector<LayerRun<RationalFunction, Exponent>> const& runs) {
    Exponent layers;
    for (auto const& run : runs) layers = layers + run.count;
    if (!layers.is_constant()) {
        throw UnsupportedError(
            "a list with one entry per layer needs a depth in numbers, not " + to_string(layers) + " layers", "WIDTHS");
    }
    return checked_count(numerator_of(layers.constant()));
}
std::uint64_t whole(std::uint64_t count) { return count; }
std::uint64_t whole(Exponent const& count) { return checked_count(numerator_of(count.constant())); }

/// One run per layer, for lists.
template <class R, class Count>
std::vector<LayerRun<R, Count>> single_layers(std::vector<LayerRun<R, Count>> const& runs) {
    std::vector<LayerRun<R, Count>> out;
    for (auto const& run : runs) {
        for (std::uint64_t i = 0; i < whole(run.count); ++i) {
            out.push_back(run);
            out.back().count = Count(1);
        }
    }
    return out;
}

template <class Kind>
Model<typename Kind::R, typename Kind::Count> build(ModelText const& text, Bindings const& bindings) {
    using R = typename Kind::R;
    using Count = typename Kind::Count;
    auto value_of = [&](std::string const& name) { return Kind::symbol(name, bindings); };
    auto value = [&](Expression const& e, std::string const& option) {
        try {
            return evaluate<R>(e, value_of);
        } catch (DomainError const& error) {
            throw DomainError(option + ": " + error.what(), option);
        } catch (UnsupportedError const& error) {
            throw UnsupportedError(option + ": " + error.what(), option);
        }
    };

    std::vector<WidthRun<R, Count>> widths;
    bool previous_is_counted = false;
    for (auto const& item : text.widths) {
        auto bound = [&](WidthToken const& token, char const* what) -> std::optional<Integer> {
            if (!token.is_symbol) return parse_integer(token.text, "WIDTHS");
            auto const at = bindings.find(token.text);
            if (at == bindings.end()) return std::nullopt;
            if (!is_integer(at->second) || at->second < 1) {
                throw DomainError("--set " + token.text + " = " + printable(to_string(at->second)) + "; a " + what +
                                      " has to be a whole number from 1",
                                  "--set");
            }
            return numerator_of(at->second);
        };
        auto const width = bound(item.width, "width");
        auto const count = bound(item.count, "repeat count");
        if (count && *count > max_layers) {
            throw UnsupportedError(
                "WIDTHS: " + to_string(*count) + " layers; the limit is " + std::to_string(max_layers), "WIDTHS");
        }
        R const w = width ? R(*width) : value_of(item.width.text);
        Count const c = count ? Count(static_cast<int>(*count)) : Kind::count_symbol(item.count.text, bindings);
        // Equal neighbours are one run, however they were typed.
        if (!widths.empty() && count && previous_is_counted && widths.back().width == w) {
            widths.back().count = widths.back().count + c;
        } else {
            widths.push_back({.width = w, .count = c});
        }
        previous_is_counted = count.has_value();
    }
    Model<R, Count> out;
    out.ties = text.ties;
    auto& net = out.net;
    net.layers = layers_between(widths);
    if (net.layers.empty())
        throw ParseError("WIDTHS: one width only; a network needs an input and an output, such as 2,1", "WIDTHS");
    net.activation = {.kind = text.activation, .slope = text.slope ? value(*text.slope, "--activation leaky") : R(0)};
    net.gated_head = text.gated_head;

    auto check_list = [&](std::size_t entries, std::string const& option) {
        if (entries <= 1) return;
        auto const layers = layer_count(net.layers);
        if (layers != entries) {
            throw DomainError(option + ": " + std::to_string(entries) + " values for " + std::to_string(layers) +
                                  " weight layers; give one for all or one for each",
                              option);
        }
        net.layers = single_layers(net.layers);
    };
    check_list(text.variances.size(), "--variance");
    check_list(text.kurtoses.size(), text.kurtosis_option);

    if (text.scheme == Scheme::mean_field && !(net.layers.back().count == Count(1))) {
        // The output layer has a variance of its own: a run by itself.
        auto head = net.layers.back();
        net.layers.back().count = head.count - Count(1);
        head.count = Count(1);
        net.layers.push_back(head);
    }
    for (std::size_t i = 0; i < net.layers.size(); ++i) {
        auto& run = net.layers[i];
        bool const last_run = i + 1 == net.layers.size();
        if (!text.variances.empty()) {
            run.variance = value(text.variances[text.variances.size() == 1 ? 0 : i], "--variance");
            require_positive(run.variance, "--variance");
        } else {
            run.variance =
                weight_variance(text.scheme.value_or(Scheme::he), net.activation, run.fan_in, run.fan_out, last_run);
        }
        if (text.kurtoses.empty()) {
            run.law.kind = text.law.value_or(LawKind::gaussian);
        } else {
            run.law = {.kind = LawKind::kurtosis,
                       .kurtosis_value = value(text.kurtoses[text.kurtoses.size() == 1 ? 0 : i], text.kurtosis_option)};
            require_at_least(run.law.kurtosis_value, R(1), text.kurtosis_option,
                             "E w^4 >= (E w^2)^2, so a kurtosis or fourth moment is at least 1");
        }
    }

    if (text.data_scale) out.data_scale = value(*text.data_scale, "--c");
    require_positive(out.data_scale, "--c");
    if (!text.input.empty()) {
        R square(0);
        R fourth(0);
        for (auto const& e : text.input) {
            R const x = value(e, "--input");
            out.input.push_back(x);
            square = square + x * x;
            fourth = fourth + x * x * x * x;
        }
        auto const gap = sign_of(R(net.input_width() - R(static_cast<int>(out.input.size()))));
        if (gap && *gap != 0) {
            throw DomainError("--input: " + std::to_string(out.input.size()) + " coordinates for an input width of " +
                                  to_string(net.input_width()),
                              "--input");
        }
        out.squared_norm = square;
        out.fourth = fourth;
        require_positive(out.squared_norm, "--input: |x|^2");
    } else {
        if (text.squared_norm) out.squared_norm = value(*text.squared_norm, "--input-squared-norm");
        require_positive(out.squared_norm, "--input-squared-norm");
        if (text.fourth) {
            out.fourth = value(*text.fourth, "--input-fourth");
            R const most = out.squared_norm * out.squared_norm;
            require_at_least(*out.fourth, R(most / net.input_width()), "--input-fourth",
                             "sum x_i^4 is at least |x|^4/d_0 = " + to_string(R(most / net.input_width())));
            require_at_least(most, *out.fourth, "|x|^4",
                             "it is at least sum x_i^4 = --input-fourth = " + to_string(*out.fourth));
        }
    }
    return out;
}

}  // namespace

NumericModel numeric_model(ModelText const& text, Bindings const& bindings) {
    return build<NumericKind>(text, bindings);
}
SymbolicModel symbolic_model(ModelText const& text, Bindings const& bindings) {
    return build<SymbolicKind>(text, bindings);
}

double to_double(Surd const& x) { return Value(x).to_double(); }
double to_double(RationalFunction const& x) { return Value(x).to_double(); }

}  // namespace isserlis::cli
