// SPDX-License-Identifier: MIT
#include "quantity/verify_lines.hpp"

namespace isserlis::quantity {

std::vector<VerifiedLine> const& verified_lines() {
    static std::string const entry = " 2,3,2 activation=linear variance=1";  // |x| = 1: an entry of a product
    static std::vector<VerifiedLine> const all = {
        {.asked = "moments 2,3,2",
         .twins = {{"second_moment", {"2"}, "z[1]^2" + entry},
                   {"rho", {"2"}, "z[1]^4" + entry},
                   {"gamma", {"2"}, "'z[1]^2 z[2]^2'" + entry}}},
        {.asked = "products 2,3,1"},
        {.asked = "init 2,8,2 activation=crelu printed"},
        {.asked = "init 2,3,1 parametrisation=mup"},
        {.asked = "scaling-factor 2,3,1 2,4,1"},
        {.asked = "norm 2,4,1",
         .twins = {{"squared_norm_mean", {"2"}, "z[i]^2 2,4,1"},
                   {"squared_norm_variance", {"2"}, "'Var[z[i]^2]' 2,4,1"},
                   {"squared_norm_moment", {"2", "2"}, "'(z[i]^2)^2' 2,4,1"},
                   {"relative_variance", {"2"}, "'Var[z[i]^2]/E[z[i]^2]^2' 2,4,1"}}},
        {.asked = "expect '(z[i]^2)^2' 2,4,1"},
        {.asked = "expect z[i]^2 n,n:L,1"},
        {.asked = "expect z[i]^2 n,n:L,1 series=1/n"},
        {.asked = "expect z[i]^2 n,n:L,1 variance=1/n limit=double-scaling"},
        {.asked = "expect z[i]^2 n,n:L,1 limit=double-scaling"},
        {.asked = "hessian 2,3,1",
         .twins = {{"hessian_frobenius_squared", {}, "'(D[m,n] loss)^2' 2,3,1"},
                   {"gauss_newton", {}, "'z[;m]^2 z[;n]^2' 2,3,1"},
                   {"functional", {}, "'z^2 z[;m,n]^2' 2,3,1"},
                   {"cross", {}, "'2*z z[;m,n] z[;m] z[;n]' 2,3,1"},
                   {"target", {}, "'z[;m,n]^2' 2,3,1"},
                   {"block", {"2", "2"}, "'(D[m,n] loss)^2 where m in 2, n in 2' 2,3,1"}}},
        {.asked = "hessian 2,3,2,1 functionals layer=2",
         .twins = {{"u", {"2"}, "'z{2}[1;m]^2' 2,3,2,1"},
                   {"v", {"2"}, "'z{2}[1;m,n]^2' 2,3,2,1"},
                   {"y0", {"2"}, "'z{2}[i;m]^2 z{2}[j]^2/4' 2,3,2,1"},
                   {"y1", {"2"}, "'z{2}[i] z{2}[i;m] z{2}[j] z{2}[j;m]/4' 2,3,2,1"},
                   {"ystar", {"2"}, "'z{2}[1]^2 z{2}[1;m]^2' 2,3,2,1"},
                   {"p0", {"2"}, "'z{2}[i;m]^2 z{2}[j;n]^2/4' 2,3,2,1"},
                   {"p1", {"2"}, "'z{2}[i;m] z{2}[i;n] z{2}[j;m] z{2}[j;n]/4' 2,3,2,1"},
                   {"pstar", {"2"}, "'z{2}[1;m]^2 z{2}[1;n]^2' 2,3,2,1"},
                   {"q0", {"2"}, "'z{2}[i;m,n]^2 z{2}[j]^2/4' 2,3,2,1"},
                   {"q1", {"2"}, "'z{2}[i] z{2}[i;m,n] z{2}[j] z{2}[j;m,n]/4' 2,3,2,1"},
                   {"qstar", {"2"}, "'z{2}[1]^2 z{2}[1;m,n]^2' 2,3,2,1"},
                   {"r0", {"2"}, "'z{2}[i;m,n] z{2}[i;m] z{2}[j] z{2}[j;n]/4' 2,3,2,1"},
                   {"r2", {"2"}, "'z{2}[i] z{2}[i;m,n] z{2}[j;m] z{2}[j;n]/4' 2,3,2,1"},
                   {"rstar", {"2"}, "'z{2}[1] z{2}[1;m,n] z{2}[1;m] z{2}[1;n]' 2,3,2,1"}}},
        {.asked = "hessian n,n:L,1"},
        {.asked = "hessian n,n:L,1 effective input_squared_norm=n"},
        {.asked = "hessian 2,n,1"},
        {.asked = "ntk 2,3,2",
         .twins = {{"ntk_mean", {}, "'z[1;m]^2' 2,3,2"},
                   {"ntk_second_moment", {}, "'(z[1;m]^2)^2' 2,3,2"},
                   {"ntk_variance", {}, "'Var[z[1;m]^2]' 2,3,2"},
                   {"ntk_trace_mean", {}, "'z[i;m]^2' 2,3,2"},
                   {"ntk_trace_second_moment", {}, "'(z[i;m]^2)^2' 2,3,2"},
                   {"ntk_squared_trace_mean", {}, "'(z[i;m] z[i;n])^2' 2,3,2"}}},
        {.asked = "mup 2,3,1", .twins = {{"preactivation_fourth_mean", {"1"}, "'z{1}[1]^4' 2,3,1"}}},
        {.asked = "mup depths=1..2 width_list=4"},
        {.asked = "mup n,n:L,1"},
        {.asked = "jacobian 2,3,1",
         .twins = {{"output_mean", {}, "z[i]^2 2,3,1"},
                   {"output_second_moment", {}, "'(z[i]^2)^2' 2,3,1"},
                   {"output_variance", {}, "'Var[z[i]^2]' 2,3,1"},
                   {"output_relative_variance", {}, "'Var[z[i]^2]/E[z[i]^2]^2' 2,3,1"},
                   {"jacobian_mean", {"2"}, "'z[i;m]^2 where m in 2' 2,3,1"},
                   {"jacobian_second_moment", {"2"}, "'(z[i;m]^2)^2 where m in 2' 2,3,1"},
                   {"jacobian_variance", {"2"}, "'Var[z[i;m]^2] where m in 2' 2,3,1"},
                   {"relative_variance", {"2"}, "'Var[z[i;m]^2]/E[z[i;m]^2]^2 where m in 2' 2,3,1"},
                   {"gradient_squared_mean", {"2"}, "'(D[m] loss)^2 where m in 2' 2,3,1"}}},
        {.asked = "jacobian 2,3,1 wrt=input",
         .twins = {{"jacobian_mean", {}, "'tr(J J^T)' 2,3,1"},
                   {"jacobian_second_moment", {}, "'tr(J J^T)^2' 2,3,1"},
                   {"spectral_moment", {"2"}, "'tr((J J^T)^2)' 2,3,1"}}},
        {.asked = "jacobian 4:3 head=activation bounds=growth printed"},
        {.asked = "jacobian 2,n,1 solve=width of=output_relative_variance target=4"},
        {.asked = "jacobian 4,10:L,1 solve=depth of=output_relative_variance target=4"},
        {.asked = "jacobian 2,3,1 variance=v solve=v of=output_mean target=2"},
        {.asked = "jacobian 2:3 network=resnet:2 solve=alpha of=output_mean target=2"},
        {.asked = "jacobian 4:4 budget"},
        {.asked = "loss-curve 2,3,1 2,4,1 activation=linear data=cos gradient=random printed"},
        {.asked = "coord-check 2,3,1"},
        {.asked = "coord-check 2,3,1 optimiser=muon steps=1"},
        {.asked = "coord-check 2:3 network=resnet:1"},
        {.asked = "depth-rules 2,3,1 network=resnet:1 depths=2,3 multiplier=1/4"},
        {.asked = "transfer 2,3,1 2,4,1"},
        {.asked = "trace tr(W*W^T)^2 shape=W=2,3"},
        {.asked = "trace tr(W*W^T)^2 shape=W=n"},
        {.asked = "trace tr(W*W^T)^2 shape=W=n series=1/n"},
        {.asked = "report 2,3,1"},
    };
    return all;
}

char const* why_unverified(std::string const& command, std::string const& name) {
    if (command == "train" || command == "max-rate" || command == "sharpness")
        return "a number of one run from one seed, not an expectation";
    if (command == "form") return "its constants are in a file; form with `check` sets it beside sampled matrices";
    if (command == "errata") return "errata sets the two sides of each entry beside one another itself";
    if (command == "reproduce") return "a number of sampled networks and a fit";
    if (command == "claim") return "claim sets the two sides beside one another itself";
    if (name == "hessian_mean_loss_upper")
        return "its inputs are in a file; hessian with `input` and `check` sets it beside sampled networks";
    return nullptr;
}

}  // namespace isserlis::quantity
