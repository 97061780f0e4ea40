// SPDX-License-Identifier: MIT
#include "examples.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace isserlis::cli {
namespace {

struct ExamplesOf {
    std::string_view command;
    std::string_view text;
};

constexpr ExamplesOf all_examples[] = {
    {"report",
     "  isserlis report 2,10:3,1\n"
     "  isserlis report 2,10:3,1 --check 20000\n"
     "  isserlis report 8,64:4,1 --scheme mean-field --input-squared-norm 8\n"
     "  isserlis report n0,n:L,1 --format latex\n"},
    {"list",
     "  isserlis list                       one line each\n"
     "  isserlis list tau eta               formula, source and assumptions\n"
     "  isserlis list norm                  what a command prints\n"
     "  isserlis list Lemma A.8             what a statement is behind\n"
     "  isserlis list jacobian variance     both words; --explain has formulas too\n"
     "  isserlis list --format json\n"},
    {"merge",
     "  isserlis norm 2,10:3,1 --check 200000 --shard 1/2 -o 1.json    one half\n"
     "  isserlis norm 2,10:3,1 --check 200000 --shard 2/2 -o 2.json    the other\n"
     "  isserlis merge 1.json 2.json                                as without --shard\n"},
    {"moments",
     "  isserlis moments 2,10:3,1                      every product A_q .. A_1\n"
     "  isserlis moments a,b,c --fourth-moment r       formulas\n"
     "  isserlis moments n0,n:L,1                      symbolic depth\n"
     "  isserlis moments 2,10:100000,1 --layer 100001  exact at any depth\n"},
    {"products",
     "  isserlis products 2,10:3,1\n"
     "  isserlis products 2,10:3,1 --layer 1,4    one pair\n"
     "  isserlis products 2,a,b,c,1               formulas\n"},
    {"init",
     "  isserlis init 2,10:3,1\n"
     "  isserlis init 2,8,2 --activation crelu               all update ratios are 1\n"
     "  isserlis init n0,n:L,1 --scheme mean-field --c c\n"
     "  isserlis init n0,n:L,1 --parametrisation mup         rates and multipliers too\n"
     "  isserlis init 2,8,2 --activation crelu --check 20000\n"},
    {"gain",
     "  isserlis gain tanh gelu silu           side by side, certified digits\n"
     "  isserlis gain selu --variance 2        away from its fixed point\n"
     "  isserlis gain gelu --check 200000      beside sampled pre-activations\n"},
    {"normalised",
     "  isserlis normalised n,n:L,1            RMSNorm before each ReLU\n"
     "  isserlis normalised 4,8:3,1 --norm layer --check 20000\n"
     "  isserlis normalised n:L --network resnet:2             pre-norm blocks\n"},
    {"kernel",
     "  isserlis kernel relu --weight-variance 2 --depth 3  two inputs at 60 degrees\n"
     "  isserlis kernel gelu erf --bias-variance 1/20 --gram 1,0,1 --digits 30\n"
     "  isserlis kernel relu leaky:1/10 --check 20000          beside real networks\n"
     "  isserlis kernel relu --data cos --depth 3 --layer 4     every two samples\n"},
    {"transfer",
     "  isserlis transfer 8,16:4,1 8,64:12,1 --rate 1/10               every rule\n"
     "  isserlis transfer 8,16:4,1 8,64:4,1 --parametrisation mup\n"
     "  isserlis transfer 8,16:2,1 8,32:2,1 --check 2000               minimisers too\n"},
    {"scaling-factor",
     "  isserlis scaling-factor 2,10:3,1 2,20:3,1 2,10:4,1   rates beside the 1st\n"
     "  isserlis scaling-factor n0,n:L,1                     in width and depth\n"},
    {"norm",
     "  isserlis norm 2,10:3,1 --check 200000          exact beside sampled\n"
     "  isserlis norm n0,n:L,1 --order 3               formulas in width and depth\n"
     "  isserlis norm 4,8,8,2 --law uniform --input 1/2,1/2,1/2,1/2\n"
     "  isserlis norm 2,10:100000,1 --order 4 --layer 100001\n"},
    {"expect",
     "  isserlis expect '(z[i]^2)^2' 2,10:3,4                   the norm's 4th moment\n"
     "  isserlis expect 'z[;m]^2' n0,n:L,1                      the kernel's mean\n"
     "  isserlis expect 'Var[z[;m]^2]/E[z[;m]^2]^2' n,n:L,1     its relative variance\n"
     "  isserlis expect '(D[m,n] loss)^2' 4,8,8,1 --check 20000 the loss's Hessian\n"
     "  isserlis expect 'z[i;m]^2 where m in 2' 16:4 --network resnet:2\n"},
    {"hessian",
     "  isserlis hessian 4,8,8,1 --check 20000                  exact beside sampled\n"
     "  isserlis hessian n,n:L,1 --input-squared-norm n         in width and depth\n"
     "  isserlis hessian 4,8,8,2 --effective --eta-squared 1/4  weighted by rates\n"
     "  isserlis hessian 2,10:10000,1                           ten thousand layers\n"
     "  isserlis hessian 2,10:3,1 --activation linear --data cos       over samples\n"},
    {"ntk",
     "  isserlis ntk 4,8,8,2 --check 20000               exact beside sampled\n"
     "  isserlis ntk n0,n:L,1 --effective                formulas in width and depth\n"
     "  isserlis ntk 2,n,n,2 --bias-label-factor 1       with biases, which are 0\n"},
    {"mup",
     "  isserlis mup 8,8:3,1 --input-squared-norm 8               every hidden layer\n"
     "  isserlis mup n,n:2,1 --input-squared-norm n               in the width\n"
     "  isserlis mup --depths 1..64 --widths 16,64,256            rates [width, depth]\n"
     "  isserlis mup 8,64:2,1 --optimiser muon --check 2000       Muon's first step\n"},
    {"jacobian",
     "  isserlis jacobian 2,10:3,1 --layer 2 --check 200000      exact beside sampled\n"
     "  isserlis jacobian n0,n:L,1 --layer l                     in width and depth\n"
     "  isserlis jacobian 16:4 --network resnet:2 --layer 2,1    matrix 1 of block 2\n"
     "  isserlis jacobian 4:6 --network densenet --head activation\n"
     "  isserlis jacobian 784,100:1000,10 --wrt input\n"
     "  isserlis jacobian 4,9,1 --solve alpha --of output_mean --target 2\n"},
    {"loss-curve",
     "  isserlis loss-curve 2,9,1 --data cos --gradient random --activation crelu-tied\n"
     "  isserlis loss-curve 2,9,1 2,20,1 --data cos --gradient random -c 20000\n"
     "  isserlis loss-curve 3,n,1 --data FILE.csv --gradient fixed --activation linear\n"
     "  isserlis loss-curve --weights NET.json --data FILE.csv --gradient random\n"},
    {"form",
     "  isserlis form A.14 2,2,2,2 --with FILE.json\n"
     "  isserlis form A.14 2,2,3,2 --with FILE.json --kurtosis 9/5\n"
     "  isserlis form A.15 2,n,n,2 --with FILE.json          a formula in the width\n"},
    {"coord-check",
     "  isserlis coord-check n,n:3,1 --input-squared-norm n --eta 1,1,1,1/n^2 \\\n"
     "      --widths 16,64,256 -f csv                           level in the width\n"
     "  isserlis coord-check n,n:3,1 --input-squared-norm n --measured run.csv\n"
     "  isserlis coord-check 8,8:2,4 --eta 1/8,1/8,1 -c 20000   exact beside sampled\n"
     "  isserlis coord-check n,n:3,1 --input-squared-norm n --scheme ntk \\\n"
     "      --widths 16,64,256\n"
     "  isserlis coord-check 8,n:2,1 --widths 64,256 --optimiser muon\n"},
    {"depth-rules",
     "  isserlis depth-rules 8,64,1 --depths 4,16,64,256,10000  rates [depth, rule]\n"
     "  isserlis depth-rules 2,3,1 --depths 2,4 --check 20000   exact beside sampled\n"
     "  isserlis depth-rules 8,64,1 --network resnet:1 --multiplier 1/2\n"},
    {"train",
     "  isserlis train 2,16,1 --data cos --rate 1/10 --epochs 50 --every 10\n"
     "  isserlis train 2,16,16,1 --data cos --activation gelu --optimiser adam\n"
     "  isserlis train 3,8,1 --data checkerboard --activation tanh --rate 1/20 -f csv\n"
     "  isserlis train 785,256,10 --data idx:images,labels --loss cross-entropy\n"},
    {"max-rate",
     "  isserlis max-rate 3,16,16,1 --data checkerboard --loss binary-cross-entropy \\\n"
     "      --batch-size 8\n"
     "  isserlis max-rate 785,256,256,10 --data idx:images,labels --hold-out 10000 \\\n"
     "      --rate-factors 0.01,1,1 --networks 5 --checkpoint trials.txt\n"},
    {"sharpness",
     "  isserlis sharpness 2,16,16,1 --data cos\n"
     "  isserlis sharpness 2,16,1 --data cos --activation tanh --epochs 90 --every 30\n"},
    {"trace",
     "  isserlis trace 'tr((W W^T)^3)' --shape W=a,b                 trace of the cube\n"
     "  isserlis trace 'tr(W W^T)^3' --shape W=a,b --variance 1/b    cube of the trace\n"
     "  isserlis trace 'Cov[tr(A A^T), tr(A B B^T A^T)]' --shape A=a,b,B=b,c\n"
     "  isserlis trace 'tr((A B)^4)' --shape A=5,6,B=6,5 --check 20000\n"
     "  isserlis trace 'tr((W W^H)^4)' --shape W=n --law complex --series 1/n\n"
     "  isserlis trace 'tr(Q)^4' --shape Q=n --law orthogonal\n"
     "  isserlis trace 'Var[(W W^T)[1,2]]' --shape W=a,b\n"},
    {"verify",
     "  isserlis verify --quick             seconds\n"
     "  isserlis verify                     more networks of each\n"
     "  isserlis verify --check 1e6 --seed 7\n"},
    {"claim",
     "  isserlis claim 'z^4 = 12*(n + 5)/n' 1,n,1\n"
     "  isserlis claim 'squared_norm_variance[L] = ((n + 5)/n)^L - 1' n,n:L,1\n"
     "  isserlis claim 'ntk_mean = 2*n' 1,n,1; echo $?   1, with the right formula\n"
     "  isserlis claim claims.txt                        one a line, # comments\n"},
    {"reproduce",
     "  isserlis reproduce                                  what there is\n"
     "  isserlis reproduce residual-figure-2a --plot 2a.svg\n"
     "  isserlis reproduce maximal-rate-figure-3 --quick    with the power law\n"},
    {"errata",
     "  isserlis errata                     one line each\n"
     "  isserlis errata R24                 both sides, and which holds\n"
     "  isserlis errata M --format csv      those of a source\n"},
};

}  // namespace

std::string examples_of(std::string const& command) {
    auto const at = std::find_if(std::begin(all_examples), std::end(all_examples),
                                 [&](auto const& e) { return e.command == command; });
    return at == std::end(all_examples) ? "" : "Examples:\n" + std::string(at->text);
}

}  // namespace isserlis::cli
