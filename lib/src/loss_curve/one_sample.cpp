// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/observable/observable.hpp>
#include <isserlis/strand/expectation.hpp>

#include "closed_forms.hpp"

namespace isserlis {
namespace {

/// One sample through gates: the strand engine.
class OneSample {
public:
    OneSample(NumericModel const& model, CurveData const& data) : model_(model) {
        setting_.inputs.vectors = {exact_inputs(data.set).front()};
    }
    void give(std::string const& name, ConstantValue<Surd> value) { setting_.constants[name] = std::move(value); }
    [[nodiscard]] Surd operator()(std::string const& query) const {
        return expectation(parse_query(query), model_.graph(), setting_, {});
    }

private:
    NumericModel const& model_;
    ObservableSetting<Surd> setting_;
};

/// A unit vector, and the matrix of two of them.
std::vector<Surd> unit(std::size_t size, std::size_t i) {
    std::vector<Surd> out(size, Surd(0));
    out[i] = Surd(1);
    return out;
}

/// g'g and three forms of H and g, which are all that gradients and Hessians of one sample can enter by: outputs of a
/// linear head are exchangeable, and of even degree in the weights of each.
struct OneSampleForms {
    Surd slope;  ///< of g'g
    Surd same;   ///< of sum_i H_ii g_i^2
    Surd other;  ///< of sum_(i != j) H_ii g_j^2
    Surd mixed;  ///< of sum_(i != j) H_ij g_i g_j
};

class OneSampleFixed {
public:
    OneSampleFixed(NumericModel const& model, CurveData const& data) : engine_(model, data) {}

    Surd slope(std::vector<Surd> const& g) {
        engine_.give("g", {g});
        return Surd(0) - engine_("g[i] g[j] z[i;m] z[j;m]");
    }
    Surd curvature(std::vector<Surd> const& g, Rows<Surd> const& h) {
        engine_.give("g", {g});
        engine_.give("H", h);
        return engine_("H[i,j] z[i;m] g[k] z[k;m] z[j;n] g[l] z[l;n]");
    }
    OneSampleForms forms(std::size_t outputs) {
        Rows<Surd> const none(outputs, std::vector<Surd>(outputs, Surd(0)));
        auto const first = unit(outputs, 0);
        Rows<Surd> h = none;
        h[0][0] = Surd(1);
        OneSampleForms out{.slope = slope(first), .same = curvature(first, h), .other = Surd(0), .mixed = Surd(0)};
        if (outputs == 1) return out;
        h = none;
        h[1][1] = Surd(1);
        out.other = curvature(first, h);
        h = none;
        h[0][1] = h[1][0] = Surd(1);
        auto both = first;
        both[1] = Surd(1);
        out.mixed = curvature(both, h) / Surd(2);
        return out;
    }

private:
    OneSample engine_;
};

}  // namespace

void one_sample_fixed(NumericModel const& model, CurveData const& data, LossCurveNumbers& out) {
    OneSampleFixed engine(model, data);
    if (data.at->is_exact() && (!data.at->uses_targets() || data.set.has_exact_targets())) {
        auto const g = exact_gradients(data.set, *data.at).front();
        out.slope = engine.slope(g);
        out.curvature = out.curvature_chi = engine.curvature(g, exact_hessians(*data.at).front());
        return;
    }
    constexpr char const* form = "an exact function of the gradient";
    auto const forms = engine.forms(data.set.output_width());
    out.slope = CurveNumber::enclosed(
        [=](unsigned bits) {
            auto const g = enclosed_gradients(data.set, *data.at, bits).front();
            return Enclosed(enclose(forms.slope, bits)) * dot(g, g);
        },
        form);
    out.curvature = out.curvature_chi = CurveNumber::enclosed(
        [=](unsigned bits) {
            auto const g = enclosed_gradients(data.set, *data.at, bits).front();
            auto const h = enclosed_hessians(*data.at, bits).front();
            auto const of = [&](Surd const& x) { return Enclosed(enclose(x, bits)); };
            Enclosed sum;
            for (std::size_t i = 0; i < g.size(); ++i) {
                for (std::size_t j = 0; j < g.size(); ++j) {
                    sum = sum +
                          (i == j ? of(forms.same) * h[i][i] * g[i] * g[i]
                                  : of(forms.other) * h[i][i] * g[j] * g[j] + of(forms.mixed) * h[i][j] * g[i] * g[j]);
                }
            }
            return sum;
        },
        form);
}

void one_sample_squared(NumericModel const& model, CurveData const& data, LossCurveNumbers& out) {
    if (!data.set.has_exact_targets()) throw UnsupportedError("the target is no sum of square roots", "data");
    OneSample engine(model, data);
    // Samples of one input are as far from z as their mean is, but for a constant.
    std::vector<Surd> mean(data.set.output_width(), Surd(0));
    for (auto const& row : exact_targets(data.set))
        for (std::size_t i = 0; i < row.size(); ++i)
            mean[i] = mean[i] + row[i] / Surd(static_cast<int>(data.samples()));
    engine.give("t", {mean});
    Surd const c = data.squared_factor();
    // |z - t|^2 without its constant.
    std::string const f = "(z[i]^2 - 2*t[i]*z[i])";
    out.slope = Surd(0) - c * c * engine("(D[m] " + f + ")^2");
    Surd const whole = engine("D[m] " + f + " * D[n] " + f + " * D[m,n] " + f);
    Surd const chi = Surd(2) * engine("z[j;m] z[j;n] * D[m] " + f + " * D[n] " + f);
    Surd const cube = c * c * c;
    out.curvature = cube * whole;
    out.curvature_chi = cube * chi;
    out.curvature_gamma = cube * (whole - chi);
}

}  // namespace isserlis
