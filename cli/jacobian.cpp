// SPDX-License-Identifier: MIT
#include <algorithm>
#include <isserlis/error.hpp>

#include "commands.hpp"
#include "jacobian_budget.hpp"
#include "jacobian_dense_products.hpp"
#include "jacobian_plot.hpp"
#include "jacobian_request.hpp"
#include "jacobian_solve.hpp"

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

constexpr ModelOptions which{.wiring = true, .activation = true, .variance = true, .law = true, .input = true};

void evaluate(Session const& session, Bindings const& bindings, Answer& answer) {
    for_each_network(
        session, bindings, which, answer, "--kurtosis",
        [&](ModelText const& text) {
            if (text.wiring == Wiring::file) {
                throw UnsupportedError(
                    "--network: jacobian serves vanilla, resnet:M and densenet; `isserlis "
                    "expect 'z[i;m]^2 where m in EDGE'` serves network files",
                    "--network");
            }
            JacobianRequest const request = read_jacobian_request(session, text);
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
            if (request.limit == "deep")
                throw DomainError("--limit deep: a dense network of symbolic depth is required, such as n,n:L",
                                  "--limit");
            with_model(text, bindings, [&](auto const& model) {
                add_jacobian({.text = text, .request = request, .session = session, .answer = answer}, model);
            });
        },
        true);
}

/// One answer for each entry of a list --alpha, which comes before the other indices.
void evaluate_alphas(Session const& session, Bindings const& bindings, Answer& answer) {
    check_plot(session);
    auto const alphas = session.arguments.value("--alpha");
    if (!alphas || alphas->find(',') == std::string::npos) {
        evaluate(session, bindings, answer);
        return;
    }
    if (session.arguments.positionals.size() > 1)
        throw ParseError("--alpha: a list is served for one network; several are compared at one alpha", "--alpha");
    for (std::size_t start = 0; start <= alphas->size();) {
        std::size_t const comma = std::min(alphas->find(',', start), alphas->size());
        std::string const alpha = alphas->substr(start, comma - start);
        Session one = session;
        one.arguments.options["--alpha"] = {alpha};
        std::vector<std::string> prefix;
        if (session.sweep) prefix.push_back(to_string(bindings.at(session.sweep->symbol)));
        prefix.push_back(alpha);
        answer.set_index_prefix(prefix);
        answer.warn("several alpha: the first index of a network is alpha");
        evaluate(one, bindings, answer);
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
        .options = option_texts(which),
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
    options.push_back(
        {"--alpha", "A|LIST", "Multiplies every variance of the scheme (default 1); a list gives one answer for each"});
    options.push_back({"--branch-widths", "LIST", "Hidden widths of a residual branch: one for all or one for each"});
    options.push_back({"--first-source", "0|1", "Where the sum of a dense layer starts: y^0 (default) or y^1"});
    options.push_back(
        {"--block", "", "Dense networks: by the block of W^k that each layer below feeds, index k,source"});
    options.push_back({"--part", "P", "Concatenated ReLU: by the weights P alone"});
    options.push_back({"--bounds", "theorem1|growth",
                       "Bounds of the variance by |y_(k)|^2 (default), or by widths alone: Lemma 2, Theorems 2 and 3"});
    options.push_back({"--wrt", "weights|input", "Differentiate by each weight matrix (default) or by the input"});
    options.push_back({"--limit", "wide|double-scaling|deep",
                       "Relative variances as the width grows, or width and depth with depth/width = b, layer t*L; "
                       "deep: dense networks"});
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
    out.finish = draw_plot;
    out.evaluate = evaluate_alphas;
    return out;
}

}  // namespace isserlis::cli
