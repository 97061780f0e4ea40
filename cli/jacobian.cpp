// SPDX-License-Identifier: MIT
#include <algorithm>
#include <isserlis/formula/dense_jacobian.hpp>
#include <isserlis/formula/gaussian_jacobian.hpp>
#include <type_traits>

#include "commands.hpp"
#include "jacobian_check.hpp"

namespace isserlis::cli {
namespace {

constexpr char const* not_numeric = "symbols cannot be sampled; give them values with --set";

/// --layer, split into the layer or block and the matrix of its branch, or the layer that a block of W^k reads.
struct Request {
    std::optional<std::string> layer;
    std::optional<std::size_t> matrix;
    std::optional<std::size_t> source;
    bool by_input = false;
    bool by_block = false;
    bool positive_part = false;  ///< of concatenated ReLU: by P alone
};

template <class Count>
struct Asked {
    LayerPlace<Count> place;
    std::size_t matrix = 1;
    std::vector<std::string> index;
};

/// Exact values of one matrix as the command prints them; `larger_kurtosis` is max(kappa, 3) where it is known.
template <class R>
struct Matrix {
    LayerJacobian<R> moments;
    R variance;
    R kurtosis;
    std::optional<R> larger_kurtosis;
};

Request read_request(Session const& session, ModelText const& text) {
    Request out;
    auto const& arguments = session.arguments;
    if (auto const t = arguments.value("--wrt")) {
        if (*t != "weights" && *t != "input")
            throw ParseError("--wrt: '" + printable(*t) + "' is not weights or input", "--wrt");
        out.by_input = *t == "input";
    }
    if (auto const t = arguments.value("--part")) {
        if (*t != "P") throw ParseError("--part: '" + printable(*t) + "' is not P", "--part");
        bool const two_parts =
            text.activation == ActivationKind::crelu || text.activation == ActivationKind::crelu_tied;
        if (!two_parts) throw ParseError("--part P: --activation crelu and crelu-tied alone have the part P", "--part");
        if (text.wiring == Wiring::dense || out.by_input)
            throw UnsupportedError("--part P: served for the matrices of vanilla and residual networks", "--part");
        out.positive_part = true;
    }
    out.by_block = arguments.has("--block");
    if (out.by_block && text.wiring != Wiring::dense)
        throw ParseError("--block: the matrices of --network densenet alone have a block for each layer below",
                         "--block");
    if (out.by_block && out.by_input) throw ParseError("--block: the Jacobian by the input has no blocks", "--block");
    if (!session.layer) return out;
    if (out.by_input) throw ParseError("--layer: the Jacobian by the input belongs to no layer", "--layer");
    std::size_t const comma = session.layer->find(',');
    out.layer = session.layer->substr(0, comma);
    if (comma == std::string::npos) return out;
    std::string const matrix = session.layer->substr(comma + 1);
    if (out.by_block) {
        out.source = static_cast<std::size_t>(parse_count(matrix, "--layer", text.first_source, max_layers));
        return out;
    }
    if (text.wiring != Wiring::residual)
        throw DomainError("--layer " + printable(*session.layer) +
                              ": layers have one matrix each; a pair k,k' names matrix k' of residual block k",
                          "--layer");
    Integer const number = parse_integer(matrix, "--layer");
    if (number < 1 || number > text.branch_matrices) {
        throw DomainError("--layer " + printable(*session.layer) + ": branches have the matrices 1 .. " +
                              std::to_string(text.branch_matrices),
                          "--layer");
    }
    out.matrix = static_cast<std::size_t>(number);
    return out;
}

template <class R, class Count>
std::vector<TransferBlock<R, Count>> blocks_of(Model<R, Count> const& model, ModelText const& text) {
    if (text.wiring != Wiring::dense) return transfer_blocks(model.graph);
    std::vector<TransferBlock<R, Count>> out;
    for (auto const& layer : dense_layers(model.graph)) out.push_back({.layers = {layer}});
    return out;
}

template <class R, class Count>
bool has_kurtosis_three(std::vector<TransferBlock<R, Count>> const& blocks) {
    return std::all_of(blocks.begin(), blocks.end(), [](auto const& block) {
        return std::all_of(block.layers.begin(), block.layers.end(), [](auto const& l) { return l.kurtosis == R(3); });
    });
}

/// sum x_i^4; where every kurtosis is 3 nothing depends on it.
template <class R, class Count>
R fourth_of(Model<R, Count> const& model, std::vector<TransferBlock<R, Count>> const& blocks) {
    if (model.fourth) return *model.fourth;
    if (!has_kurtosis_three(blocks)) {
        throw DomainError(
            "--input-fourth is missing: with a kurtosis other than 3 the second moments depend on sum x_i^4; give it, "
            "or the input itself with --input",
            "--input-fourth");
    }
    return model.squared_norm * model.squared_norm;
}

template <class R, class Count>
std::vector<Asked<Count>> asked(std::vector<TransferBlock<R, Count>> const& blocks, ModelText const& text,
                                Request const& request, Answer& answer) {
    std::vector<LayerRun<R, Count>> runs;
    for (auto const& block : blocks) {
        runs.push_back(
            {.fan_in = block.layers.front().fan_in, .fan_out = block.layers.back().fan_out, .count = block.count});
    }
    std::vector<Asked<Count>> out;
    for (auto const& place : layer_places(runs, request.layer, answer)) {
        std::size_t const matrices = blocks[place.run].layers.size();
        for (std::size_t j = 1; j <= matrices; ++j) {
            if (request.matrix && *request.matrix != j) continue;
            std::vector<std::string> index{place.label};
            if (text.wiring == Wiring::residual) index.push_back(std::to_string(j));
            out.push_back({.place = place, .matrix = j, .index = std::move(index)});
        }
    }
    return out;
}

Value shown(Rational const& x) { return Surd(x); }
Value shown(Surd const& x) { return x; }
/// As one fraction or as a sum of products, both exact: the shorter one.
Value shown(RationalFunction const& x) {
    try {
        RationalFunction const merged = x.merged();
        return to_string(x).size() < to_string(merged).size() ? x : merged;
    } catch (UnsupportedError const&) {
        return x;
    }
}

std::optional<Rational> larger_kurtosis(Rational const& kurtosis) { return std::max(kurtosis, Rational(3)); }
std::optional<Surd> larger_kurtosis(Surd const& kurtosis) { return sign(kurtosis - Surd(3)) < 0 ? Surd(3) : kurtosis; }
std::optional<RationalFunction> larger_kurtosis(RationalFunction const& kurtosis) {
    if (!kurtosis.is_numeric()) return std::nullopt;
    return RationalFunction(*larger_kurtosis(kurtosis.evaluate({})));
}

/// A mean, second moment and variance under the names prefix_mean, ..
template <class R>
void add_moments_of(std::string const& prefix, std::vector<std::string> const& index, NormMoments<R> const& m,
                    std::string const& why, Answer& answer, std::optional<Check> const& mean = {},
                    std::optional<Check> const& second = {}, std::string const& no_second = {}) {
    answer.add(prefix + "_mean", index, shown(m.mean), mean, why);
    answer.add(prefix + "_second_moment", index, shown(m.second), second, no_second.empty() ? why : no_second);
    answer.add(prefix + "_variance", index, shown(m.variance), {},
               mean ? "the mean and the second moment are checked" : why);
}

template <class R>
void add_matrix(std::vector<std::string> const& index, Matrix<R> const& at, JacobianChecks const& checks, bool numeric,
                Answer& answer) {
    auto const& moments = at.moments;
    std::string const other = numeric ? "follows from the moments of J" : not_numeric;
    std::string const symbols = numeric ? "" : not_numeric;
    add_moments_of("reduced_output", index, moments.reduced, other, answer);
    answer.add("through_mean", index, shown(moments.reduced.mean), {}, other);
    answer.add("through_variance", index, shown(moments.reduced.variance), {}, other);
    add_moments_of("jacobian", index, moments.jacobian, symbols, answer, checks.mean, checks.second, checks.no_second);
    R const& mean = moments.jacobian.mean;
    answer.add("relative_variance", index, shown(R(moments.jacobian.variance / (mean * mean))), {}, other);
    auto const bounds = variance_bounds(moments.reduced, at.variance, at.kurtosis, at.larger_kurtosis.value_or(R(3)));
    answer.add("variance_lower_printed", index, shown(bounds.lower_printed), {}, other);
    answer.add("variance_upper_printed", index, shown(bounds.upper_printed), {}, other);
    answer.add("variance_lower", index,
               at.larger_kurtosis ? shown(bounds.lower)
                                  : Value::absent("which is larger, the kurtosis or 3, is open; give it by --set"),
               {}, other);
    answer.add("variance_upper", index, shown(bounds.upper), {}, other);
    answer.add("gradient_squared_mean", index, shown(moments.gradient_squared_mean), checks.gradient,
               checks.no_gradient.empty() ? symbols : checks.no_gradient);
}

constexpr std::size_t results_per_matrix = 14;

/// Indices that are computed one by one take the time of a whole network each.
void require_feasible_places(std::size_t moves, std::string const& option) {
    constexpr std::size_t most = 200'000;
    if (moves <= most) return;
    throw UnsupportedError(option + ": the indices asked for take " + std::to_string(moves) +
                               " passes through layers, of at most " + std::to_string(most) +
                               "; ask for one of them with --layer",
                           option);
}

/// ||J||^2 by the block of W^k that each layer below feeds, for the layers asked for.
template <class N, class Count>
void add_blocks(DenseJacobian<N> const& network, std::vector<Asked<Count>> const& places, ModelText const& text,
                Request const& request, std::string const& why, Answer& answer) {
    using R = typename N::Value;
    std::size_t blocks = 0;
    std::size_t depth = 0;
    for (auto const& at : places) {
        blocks += request.source ? 1 : at.place.run + 1;
        depth = std::max(depth, at.place.run + 1);
    }
    require_feasible_places(blocks > 1 ? blocks * depth : 0, "--block");
    for (auto const& at : places) {
        std::size_t const k = at.place.run + 1;
        std::size_t const first = k == 1 ? 0 : text.first_source;
        if (request.source && (*request.source < first || *request.source >= k)) {
            throw DomainError("--layer " + at.index[0] + "," + std::to_string(*request.source) + ": layer " +
                                  at.index[0] + " reads y^" + std::to_string(first) + " .. y^" + std::to_string(k - 1),
                              "--layer");
        }
        for (std::size_t source = first; source < k; ++source) {
            if (request.source && *request.source != source) continue;
            std::vector<std::string> const index{at.index[0], std::to_string(source)};
            NormMoments<R> const moments = network.block(k, source);
            add_moments_of("jacobian", index, moments, why, answer);
            answer.add("relative_variance", index, shown(R(moments.variance / (moments.mean * moments.mean))), {}, why);
        }
    }
}

/// ||J||^2 by the part P of each matrix. The signs of pre-activations are fair coins; of the input they are known when
/// it is; of a sum of a skip and a branch they are neither.
template <class N>
void add_positive_parts(std::vector<TransferBlock<typename N::Value>> const& blocks,
                        std::vector<Asked<std::uint64_t>> const& places,
                        std::optional<typename N::Value> const& positive, typename N::Value const& squared_norm,
                        typename N::Value const& fourth, Answer& answer) {
    using R = typename N::Value;
    require_feasible_places(places.size() > 1 ? places.size() * places.size() : 0, "--part");
    ChainJacobian<N> const network(blocks, squared_norm, fourth);
    std::string const why = "the sampler differentiates by P and N together";
    add_moments_of("output", {}, network.output(), why, answer);
    for (auto const& at : places) {
        BlockPlace<> const place{.run = at.place.run, .within = at.place.within, .matrix = at.matrix};
        bool const skip = blocks[place.run].skip;
        bool const first = place.run == 0 && place.within == 1 && place.matrix == 1;
        std::optional<NormMoments<R>> moments;
        if (first && positive) {
            moments = ChainJacobian<N>(blocks, *positive, fourth).at(place, R(0)).jacobian;
        } else if (!first && (!skip || place.matrix > 1)) {
            moments = network.positive_part(place);
        }
        if (!moments) {
            std::string const reason = first ? "the part P of the first matrix depends on the signs of x; give --input"
                                             : "the signs of the sum of skip and branch are no fair coins";
            for (char const* name : {"jacobian_mean", "jacobian_second_moment", "jacobian_variance"})
                answer.add(name, at.index, Value::absent(reason), {}, why);
            continue;
        }
        add_moments_of("jacobian", at.index, *moments, why, answer);
    }
}

// ---- numbers

/// Refuses an answer of all layers that would be too long before it is computed.
template <class R>
void require_printable(LayerJacobian<R> const& middle, std::size_t matrices, Answer const& answer) {
    if (answer.options().unlimited) return;
    auto const text = shown(middle.jacobian.second).exact();
    double const size =
        static_cast<double>(text ? text->size() : 0) * static_cast<double>(matrices * results_per_matrix);
    if (size <= static_cast<double>(Answer::size_limit)) return;
    throw UnsupportedError("the answer would be about " + std::to_string(static_cast<std::uint64_t>(size / 1e6)) +
                               " MB of digits; ask for one index with --layer, or write it with --output",
                           "--layer");
}

/// Prints what a network of either kind says of itself; `single` gives one matrix, `sweep` all of them.
template <class R>
struct Printer {
    std::vector<TransferBlock<R>> const& blocks;
    std::vector<Asked<std::uint64_t>> const& places;
    bool all = true;
    JacobianSampling const* sampling = nullptr;
    Answer& answer;

    void output(NormMoments<R> const& moments) const {
        JacobianChecks const checks =
            sampling ? sampling->network(number(moments.mean), number(moments.second)) : JacobianChecks{};
        add_moments_of("output", {}, moments, "", answer, checks.mean, checks.second, checks.no_second);
    }
    [[nodiscard]] JacobianChecks checks(std::vector<std::string> const& index, LayerJacobian<R> const& moments) const {
        if (sampling == nullptr) return {};
        return sampling->matrix(index, {.mean = number(moments.jacobian.mean),
                                        .second = number(moments.jacobian.second),
                                        .gradient = number(moments.gradient_squared_mean)});
    }
    static double number(R const& x) { return shown(x).to_double(); }
    void matrix(Asked<std::uint64_t> const& at, LayerJacobian<R> const& moments) const {
        auto const& layer = blocks[at.place.run].layers[at.matrix - 1];
        add_matrix<R>(at.index,
                      {.moments = moments,
                       .variance = layer.variance,
                       .kurtosis = layer.kurtosis,
                       .larger_kurtosis = larger_kurtosis(layer.kurtosis)},
                      checks(at.index, moments), true, answer);
    }
    void matrices(auto const& single, auto const& sweep) const {
        constexpr std::size_t many = 300;
        if (!all) {
            for (auto const& at : places) matrix(at, single(at));
            return;
        }
        if (places.size() > many) require_printable<R>(single(places[places.size() / 2]), places.size(), answer);
        std::size_t next = 0;
        sweep([&](LayerJacobian<R> const& moments) { matrix(places[next++], moments); });
    }
};

template <class R>
void add_input_jacobian(NormMoments<R> const& moments, bool numeric, Answer& answer) {
    std::string const why = numeric ? "the sampler differentiates by weights only" : not_numeric;
    add_moments_of("jacobian", {}, moments, why, answer);
    answer.add("relative_variance", {}, shown(R(moments.variance / (moments.mean * moments.mean))), {}, why);
}

struct Case {
    ModelText const& text;
    Request const& request;
    Session const& session;
    Answer& answer;
};

/// Numbers of R, carried as N says.
template <class N>
void add_numbers(Case const& c, std::vector<TransferBlock<typename N::Value>> const& blocks,
                 std::vector<Asked<std::uint64_t>> const& places, typename N::Value const& squared_norm,
                 typename N::Value const& fourth, typename N::Value const& target, JacobianSampling const* sampling) {
    using R = typename N::Value;
    Printer<R> const printer{
        .blocks = blocks, .places = places, .all = !c.request.layer, .sampling = sampling, .answer = c.answer};
    auto add = [&](auto const& network, auto const& single, auto const& sweep) {
        printer.output(network.output());
        if (c.request.by_input) {
            add_input_jacobian<R>(network.input_jacobian(), true, c.answer);
        } else {
            printer.matrices(single, sweep);
        }
    };
    if (c.text.wiring == Wiring::dense) {
        std::vector<TransferLayer<R>> layers;
        for (auto const& block : blocks) layers.push_back(block.layers.front());
        DenseJacobian<N> const network(layers, c.text.first_source, squared_norm, fourth);
        if (c.request.by_block) {
            printer.output(network.output());
            add_blocks(network, places, c.text, c.request, "the sampler differentiates by whole matrices", c.answer);
            return;
        }
        add(
            network, [&](auto const& at) { return network.at(at.place.run + 1, target); },
            [&](auto const& f) { network.for_each(target, [&](std::size_t, auto const& m) { f(m); }); });
        return;
    }
    ChainJacobian<N> const network(blocks, squared_norm, fourth);
    add(
        network,
        [&](auto const& at) {
            return network.at({.run = at.place.run, .within = at.place.within, .matrix = at.matrix}, target);
        },
        [&](auto const& f) { network.for_each(target, [&](BlockPlace<> const&, auto const& m) { f(m); }); });
}

/// Blocks over another number type.
template <class S, class R, class Count, class F>
std::vector<TransferBlock<S>> over(std::vector<TransferBlock<R, Count>> const& blocks, F const& f) {
    std::vector<TransferBlock<S>> out;
    for (auto const& block : blocks) {
        TransferBlock<S> b{.layers = {}, .skip = block.skip};
        if constexpr (std::is_same_v<Count, Exponent>) {
            if (!block.count.is_constant()) {
                throw UnsupportedError(
                    "jacobian: at symbolic depth there is a closed form for Gaussian weights only; give the depth a "
                    "number with --set",
                    "--kurtosis");
            }
            b.count = checked_count(numerator_of(block.count.constant()));
        } else {
            b.count = block.count;
        }
        for (auto const& l : block.layers) {
            b.layers.push_back({.fan_in = f(l.fan_in),
                                .fan_out = f(l.fan_out),
                                .variance = f(l.variance),
                                .kurtosis = f(l.kurtosis),
                                .slope = f(l.slope)});
        }
        out.push_back(std::move(b));
    }
    return out;
}

/// Does every number satisfy the predicate?
template <class R, class Count>
bool all_of(std::vector<TransferBlock<R, Count>> const& blocks, auto const& good) {
    return std::all_of(blocks.begin(), blocks.end(), [&](auto const& block) {
        return std::all_of(block.layers.begin(), block.layers.end(), [&](auto const& l) {
            return good(l.fan_in) && good(l.fan_out) && good(l.variance) && good(l.kurtosis) && good(l.slope);
        });
    });
}

/// |relu(x)|^2, when x is known.
std::optional<Surd> positive_square(NumericModel const& model) {
    if (model.input.empty()) return std::nullopt;
    Surd sum(0);
    for (auto const& x : model.input) {
        if (sign(x) > 0) sum = sum + x * x;
    }
    return sum;
}

void add_jacobian(Case const& c, NumericModel const& model) {
    auto const blocks = blocks_of(model, c.text);
    Surd const fourth = fourth_of(model, blocks);
    Surd const target = model.target_second / model.graph.output_width();
    auto const places =
        c.request.by_input ? std::vector<Asked<std::uint64_t>>{} : asked(blocks, c.text, c.request, c.answer);
    c.answer.expect(3 + results_per_matrix * places.size());
    if (c.request.positive_part) {
        add_positive_parts<PlainNumerators<Surd>>(over<Surd>(blocks, [](Surd const& x) { return x; }), places,
                                                  positive_square(model), model.squared_norm, fourth, c.answer);
        return;
    }
    std::optional<JacobianSampling> sampling;
    if (c.session.samples) sampling.emplace(model, c.text.wiring, c.session, c.answer);
    auto const is_rational = [](Surd const& x) { return x.is_rational(); };
    if (all_of(blocks, is_rational) && model.squared_norm.is_rational() && fourth.is_rational() &&
        target.is_rational()) {
        auto const to_rational = [](Surd const& x) { return x.to_rational(); };
        add_numbers<Numerators<Rational>>(c, over<Rational>(blocks, to_rational), places,
                                          model.squared_norm.to_rational(), fourth.to_rational(), target.to_rational(),
                                          sampling ? &*sampling : nullptr);
    } else {
        add_numbers<PlainNumerators<Surd>>(c, over<Surd>(blocks, [](Surd const& x) { return x; }), places,
                                           model.squared_norm, fourth, target, sampling ? &*sampling : nullptr);
    }
}

// ---- formulas

bool is_fraction(RationalFunction const& x) {
    try {
        (void)x.merged().as_fraction();
        return true;
    } catch (UnsupportedError const&) {
        return false;
    }
}

void add_closed_form(Case const& c, SymbolicModel const& model,
                     std::vector<TransferBlock<RationalFunction, Exponent>> const& blocks,
                     std::vector<Asked<Exponent>> const& places, RationalFunction const& target) {
    GaussianJacobian<RationalFunction, Exponent> const network(blocks, model.squared_norm);
    add_moments_of("output", {}, network.output(), not_numeric, c.answer);
    if (c.request.by_input) add_input_jacobian(network.input_jacobian(), false, c.answer);
    for (auto const& at : places) {
        auto const& layer = blocks[at.place.run].layers[at.matrix - 1];
        add_matrix<RationalFunction>(
            at.index,
            {.moments = network.at({.run = at.place.run, .within = at.place.within, .matrix = at.matrix}, target),
             .variance = layer.variance,
             .kurtosis = RationalFunction(3),
             .larger_kurtosis = RationalFunction(3)},
            {}, false, c.answer);
    }
}

/// Any kurtosis, and dense networks: the recursion in symbols.
template <class N>
void add_recursion(Case const& c, SymbolicModel const& model,
                   std::vector<TransferBlock<RationalFunction, Exponent>> const& blocks,
                   std::vector<Asked<Exponent>> const& places, RationalFunction const& fourth,
                   RationalFunction const& target) {
    using R = RationalFunction;
    auto const counted = over<R>(blocks, [](R const& x) { return x; });
    auto add = [&](auto const& network, auto const& single) {
        add_moments_of("output", {}, network.output(), not_numeric, c.answer);
        if (c.request.by_input) add_input_jacobian(network.input_jacobian(), false, c.answer);
        for (auto const& at : places) {
            auto const& layer = counted[at.place.run].layers[at.matrix - 1];
            add_matrix<R>(at.index,
                          {.moments = single(at),
                           .variance = layer.variance,
                           .kurtosis = layer.kurtosis,
                           .larger_kurtosis = larger_kurtosis(layer.kurtosis)},
                          {}, false, c.answer);
        }
    };
    if (c.text.wiring == Wiring::dense) {
        std::vector<TransferLayer<R>> layers;
        for (auto const& block : counted) layers.push_back(block.layers.front());
        DenseJacobian<N> const network(layers, c.text.first_source, model.squared_norm, fourth);
        if (c.request.by_block) {
            add_moments_of("output", {}, network.output(), not_numeric, c.answer);
            add_blocks(network, places, c.text, c.request, not_numeric, c.answer);
            return;
        }
        add(network, [&](auto const& at) { return network.at(at.place.run + 1, target); });
        return;
    }
    ChainJacobian<N> const network(counted, model.squared_norm, fourth);
    add(network, [&](auto const& at) {
        auto const within = checked_count(numerator_of(at.place.within.constant()));
        return network.at({.run = at.place.run, .within = within, .matrix = at.matrix}, target);
    });
}

void add_jacobian(Case const& c, SymbolicModel const& model) {
    if (c.request.positive_part)
        throw UnsupportedError("--part P: served for numbers; give the symbols values with --set", "--part");
    auto const blocks = blocks_of(model, c.text);
    RationalFunction const fourth = fourth_of(model, blocks);
    RationalFunction const target = model.target_second / model.graph.output_width();
    auto const places =
        c.request.by_input ? std::vector<Asked<Exponent>>{} : asked(blocks, c.text, c.request, c.answer);
    c.answer.expect(3 + results_per_matrix * places.size());
    if (has_kurtosis_three(blocks) && c.text.wiring != Wiring::dense) {
        add_closed_form(c, model, blocks, places, target);
    } else if (all_of(blocks, is_fraction) && is_fraction(model.squared_norm) && is_fraction(fourth) &&
               is_fraction(target)) {
        add_recursion<Numerators<RationalFunction>>(c, model, blocks, places, fourth, target);
    } else {
        add_recursion<PlainNumerators<RationalFunction>>(c, model, blocks, places, fourth, target);
    }
}

void state_meaning(ModelText const& text, Request const& request, Answer& answer) {
    std::string const y = text.wiring != Wiring::residual && text.gated_head ? "the gated output" : "the output";
    if (request.by_input) {
        answer.assume("J = dy/dx, y " + y + "; no coordinate of x is 0 where an activation acts on it");
        return;
    }
    if (request.positive_part) {
        answer.assume("J = dy/dP alone, y " + y);
        return;
    }
    bool const two_sides = text.activation == ActivationKind::crelu || text.activation == ActivationKind::crelu_tied;
    answer.assume(std::string("J = dy/dW by all entries of the matrix") + (two_sides ? "s P and N" : "") + ", y " + y +
                  "; reduced: nothing passes the matrix by");
    if (request.by_block) {
        answer.assume("blocks: J by the weights of one source alone; the index is k and the source");
        return;
    }
    answer.assume("gradient of |y - target|^2/2, targets independent of the weights, mean 0, E|target|^2 " +
                  std::string(text.target_second ? "as given" : "= 1"));
}

}  // namespace

Command jacobian_command() {
    static constexpr ModelOptions which{
        .wiring = true, .activation = true, .variance = true, .law = true, .input = true};
    Command out;
    out.text = {
        .name = "jacobian",
        .summary = "Per-layer Jacobian norms: exact mean and variance, beside the bounds of the paper",
        .positional = "WIDTHS",
        .positional_help = "d_0,..,d_n or y^0..y^L; numbers or symbols, 10:3 repeats",
        .most_positionals = 1000,
        .options = option_texts(which),
        .examples =
            "Examples:\n"
            "  isserlis jacobian 2,10:3,1 --layer 2 --check 200000      exact beside sampled\n"
            "  isserlis jacobian n0,n:L,1 --layer l                     formulas in width and depth\n"
            "  isserlis jacobian 16:4 --network resnet:2 --layer 2,1    matrix 1 of block 2\n"
            "  isserlis jacobian 4:6 --network densenet --head activation\n"
            "  isserlis jacobian 784,100:1000,10 --wrt input\n",
    };
    auto& options = out.text.options;
    options.push_back({"--alpha", "A", "Multiplies every variance of the scheme (default 1)"});
    options.push_back({"--branch-widths", "LIST", "Hidden widths of a residual branch: one for all or one for each"});
    options.push_back({"--first-source", "0|1", "Where the sum of a dense layer starts: y^0 (default) or y^1"});
    options.push_back(
        {"--block", "", "Dense networks: by the block of W^k that each layer below feeds, index k,source"});
    options.push_back({"--part", "P", "Concatenated ReLU: by the weights P alone"});
    options.push_back({"--wrt", "weights|input", "Differentiate by each weight matrix (default) or by the input"});
    options.push_back({"--target-second-moment", "R", "E|target|^2 over all outputs, for the gradient (default 1)"});
    out.evaluate = [](Session const& session, Bindings const& bindings, Answer& answer) {
        for_each_network(
            session, bindings, which, answer, "--kurtosis",
            [&](ModelText const& text) {
                if (text.wiring == Wiring::file) {
                    throw UnsupportedError(
                        "--network: jacobian serves vanilla, resnet:M and densenet; `isserlis "
                        "expect 'z[i;m]^2 where m in EDGE'` serves network files",
                        "--network");
                }
                Request const request = read_request(session, text);
                state_meaning(text, request, answer);
                with_model(text, bindings, [&](auto const& model) {
                    add_jacobian({.text = text, .request = request, .session = session, .answer = answer}, model);
                });
            },
            true);
    };
    return out;
}

}  // namespace isserlis::cli
