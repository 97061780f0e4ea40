// SPDX-License-Identifier: MIT
#include <algorithm>
#include <isserlis/error.hpp>

#include "commands.hpp"
#include "jacobian_budget.hpp"
#include "jacobian_dense_products.hpp"
#include "jacobian_plot.hpp"
#include "jacobian_request.hpp"
#include "jacobian_solve.hpp"
#include "known_queries.hpp"
#include "model_statement.hpp"

namespace isserlis::cli {
namespace {

void state_meaning(ModelText const& text, JacobianRequest const& request, Answer& answer) {
    if (text.target_second && (request.by_input || request.by_block || request.positive_part)) {
        answer.warn(std::string("--target-second-moment has no effect with ") +
                    (request.by_input   ? "--wrt input"
                     : request.by_block ? "--block"
                                        : "--part") +
                    ", which prints no gradient");
    }
    std::string const y = text.wiring != Wiring::residual && text.gated_head ? "the gated output" : "the output";
    if (request.by_input) {
        answer.assume("J = dy/dx, y " + y + "; no coordinate of x is 0 where an activation acts on it");
        return;
    }
    bool const by_theta = text.has_unit_parameters();
    if (request.positive_part) {
        answer.assume("J = dy/dP alone, y " + y +
                      (by_theta ? "; derivatives by theta of P = sqrt(variance) theta" : ""));
        return;
    }
    bool const two_sides = text.activation == ActivationKind::crelu || text.activation == ActivationKind::crelu_tied;
    std::string const side = two_sides ? "s P and N" : "";
    answer.assume((by_theta ? "J = dy/dtheta by all entries of theta, W = sqrt(variance) theta the matrix" + side
                            : "J = dy/dW by all entries of the matrix" + side) +
                  ", y " + y + "; reduced: nothing passes the matrix by");
    if (request.by_block) {
        answer.assume("blocks: J by the weights of one source alone; the index is k and the source");
        return;
    }
    answer.assume(std::string("gradient ") + (by_theta ? "by theta " : "") +
                  "of |y - target|^2/2, targets independent of the weights, mean 0, " +
                  target_moment(text, "E|target|^2"));
}

constexpr ModelOptions jacobian_options{
    .wiring = true, .activation = true, .variance = true, .law = true, .input = true};

void evaluate_jacobian(Session const& session, Bindings const& bindings, Answer& answer) {
    for_each_network(
        session, bindings, jacobian_options, answer, "--kurtosis",
        [&](ModelText const& text) {
            JacobianRequest const request = read_jacobian_request(session, text);
            for (char const* other : {"--budget", "--solve"}) {
                if (session.arguments.has(other) && emits_test(session))
                    throw ParseError(std::string(other) + ": --emit-test tests one network; leave it out", other);
            }
            if (session.arguments.has("--budget")) {
                add_budget(text, session, bindings, answer);
                return;
            }
            if (auto const solve = read_solve_request(session, text)) {
                add_solution(*solve, request, text, bindings, answer);
                return;
            }
            state_meaning(text, request, answer);
            if (has_open_dense_depth(text, bindings)) {
                add_dense_products({.text = text, .request = request, .session = session, .answer = answer}, bindings);
                return;
            }
            with_model(text, bindings, [&](auto const& model) {
                add_jacobian({.text = text, .request = request, .session = session, .answer = answer}, model);
                if constexpr (std::is_same_v<std::decay_t<decltype(model)>, NumericModel>) {
                    emit_jacobian_test(model, text, session, answer);
                } else {
                    refuse_symbols_in_test(session);
                }
            });
        },
        true);
}

/// Errors  UnsupportedError for a network file, with the query that serves it.
void refuse_network_file(Session const& session) {
    auto const file = session.arguments.value("--network");
    if (!file || !file->ends_with(".json")) return;
    throw UnsupportedError(
        "--network: jacobian serves vanilla, resnet:M and densenet; for a file, isserlis expect "
        "'z[i;m]^2 where m in EDGE' --network " +
            printable(*file) +
            " is E||dy/dW||^2 of the matrix of an edge, '(z[i;m]^2)^2 where m in "
            "EDGE' its E||dy/dW||^4",
        "--network");
}

/// One answer for each entry of a list --alpha, which comes before the other indices.
void evaluate_alphas(Session const& session, Bindings const& bindings, Answer& answer) {
    refuse_network_file(session);
    check_plot(session);
    auto const alphas = session.arguments.value("--alpha");
    if (!alphas || alphas->find(',') == std::string::npos) {
        evaluate_jacobian(session, bindings, answer);
        return;
    }
    if (emits_test(session)) throw ParseError("--alpha: a test has one network; give one alpha", "--alpha");
    if (session.arguments.positionals.size() > 1)
        throw ParseError("--alpha: a list is served for one network; several are compared at one alpha", "--alpha");
    for (std::size_t start = 0; start <= alphas->size();) {
        std::size_t const comma = std::min(alphas->find(',', start), alphas->size());
        std::string const alpha = alphas->substr(start, comma - start);
        Session one = session;
        one.arguments.options["--alpha"] = {alpha};
        auto prefix = session.sweep_prefix(bindings);
        prefix.push_back(alpha);
        answer.set_index_prefix(prefix);
        answer.warn("several alpha: the first index of a network is alpha");
        evaluate_jacobian(one, bindings, answer);
        start = comma + 1;
    }
}

}  // namespace

Command jacobian_command() {
    Command out;
    out.text = {
        .name = "jacobian",
        .summary = "Per-layer Jacobian norms: exact mean and variance, beside the bounds of the paper",
        .positional = "WIDTHS",
        .positional_help = "d_0,..,d_n or y^0..y^L; numbers or symbols, 10:3 repeats",
        .most_positionals = 1000,
        .options = option_texts(jacobian_options),
        .examples =
            "Examples:\n"
            "  isserlis jacobian 2,10:3,1 --layer 2 --check 200000      exact beside sampled\n"
            "  isserlis jacobian n0,n:L,1 --layer l                     formulas in width and depth\n"
            "  isserlis jacobian 16:4 --network resnet:2 --layer 2,1    matrix 1 of block 2\n"
            "  isserlis jacobian 4:6 --network densenet --head activation\n"
            "  isserlis jacobian 784,100:1000,10 --wrt input\n"
            "  isserlis jacobian 64:101 --network resnet:2 --solve alpha --of output_mean --target 2\n",
    };
    auto& options = out.text.options;
    for (auto& option : options) {
        if (option.name != "--network") continue;
        option.value = "vanilla|resnet:M|densenet";
        option.help =
            "Wiring: WIDTHS of resnet:M (branches of M matrices) and densenet are those of y^0..y^L; default "
            "vanilla. For a network file: isserlis expect";
    }
    options.push_back(
        {"--alpha", "A|LIST", "Multiplies every variance of the scheme (default 1); a list gives one answer for each"});
    options.push_back({"--branch-widths", "LIST", "Hidden widths of a residual branch: one for all or one for each"});
    options.push_back({"--first-source", "0|1", "Where the sum of a dense layer starts: y^0 (default) or y^1"});
    options.push_back(
        {"--block", "", "Dense networks: by the block of W^k that each layer below feeds, index k,source"});
    options.push_back({"--part", "P", "Concatenated ReLU: by the weights P alone"});
    options.push_back({"--bounds", "theorem1|growth",
                       "Bounds of the variance by |y_(k)|^2 (default), or by widths alone: Lemma 2, Theorems 2 and 3"});
    options.push_back(printed_option());
    options.push_back({"--wrt", "weights|input", "Differentiate by each weight matrix (default) or by the input"});
    options.push_back(
        {"--limit", "wide|double-scaling|deep",
         "Relative variances as the width grows, or width and depth with depth/width = b, layer t*L, or the "
         "depth alone"});
    options.push_back({"--plot", "FILE", "Draw the variance against depth by gnuplot: .svg, .png or .pdf"});
    options.push_back({"--plot-of", "QUANTITY", "What --plot draws (default jacobian_variance)"});
    options.push_back(
        {"--budget", "", "Compare with concatenated ReLU, residual and dense networks of as many parameters"});
    options.push_back(
        {"--solve", "alpha|width", "The scale alpha, or the least width n in WIDTHS, that meets a target"});
    options.push_back({"--of", "QUANTITY",
                       "What --solve adjusts: output_mean, output_relative_variance, jacobian_mean, "
                       "relative_variance"});
    options.push_back({"--target", "T", "The value it is to have; for a width, the most it may have"});
    options.push_back({"--target-second-moment", "R", "E|target|^2 over all outputs, for the gradient (default 1)"});
    for (auto const& option : emit_options()) options.push_back(option);
    out.finish = draw_plot;
    out.evaluate = evaluate_alphas;
    return out;
}

}  // namespace isserlis::cli
