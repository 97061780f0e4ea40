// SPDX-License-Identifier: MIT
#include <isserlis/report/bibliography.hpp>

namespace isserlis {

std::string_view bibtex() {
    return R"bib(@article{box1958,
  author  = {Box, G. E. P. and Muller, M. E.},
  title   = {A note on the generation of random normal deviates},
  journal = {The Annals of Mathematical Statistics},
  volume  = {29}, number = {2}, pages = {610--611}, year = {1958}
}
@inproceedings{brock2021,
  author    = {Brock, A. and De, S. and Smith, S. L.},
  title     = {Characterizing signal propagation to close the performance gap in unnormalized {ResNets}},
  booktitle = {International Conference on Learning Representations}, year = {2021}, note = {arXiv:2101.08692}
}
@techreport{chan1979,
  author      = {Chan, T. F. and Golub, G. H. and LeVeque, R. J.},
  title       = {Updating formulae and a pairwise algorithm for computing sample variances},
  institution = {Stanford University}, number = {STAN-CS-79-773}, year = {1979}
}
@inproceedings{cho2009,
  author    = {Cho, Y. and Saul, L. K.},
  title     = {Kernel methods for deep learning},
  booktitle = {Advances in Neural Information Processing Systems},
  volume    = {22}, pages = {342--350}, year = {2009}
}
@article{collins2006,
  author  = {Collins, B. and \'Sniady, P.},
  title   = {Integration with respect to the {Haar} measure on unitary, orthogonal and symplectic group},
  journal = {Communications in Mathematical Physics},
  volume  = {264}, number = {3}, pages = {773--795}, year = {2006}, note = {arXiv:math-ph/0402073}
}
@article{dalal1989,
  author  = {Dalal, S. R. and Fowlkes, E. B. and Hoadley, B.},
  title   = {Risk analysis of the space shuttle: pre-{Challenger} prediction of failure},
  journal = {Journal of the American Statistical Association},
  volume  = {84}, number = {408}, pages = {945--957}, year = {1989}
}
@article{diaconis1994,
  author  = {Diaconis, P. and Shahshahani, M.},
  title   = {On the eigenvalues of random matrices},
  journal = {Journal of Applied Probability},
  volume  = {31A}, pages = {49--62}, year = {1994}
}
@inproceedings{glorot2010,
  author    = {Glorot, X. and Bengio, Y.},
  title     = {Understanding the difficulty of training deep feedforward neural networks},
  booktitle = {AISTATS}, series = {PMLR}, volume = {9}, pages = {249--256}, year = {2010}
}
@misc{guillen2025,
  author = {Guillen, M. and Misof, P. and Gerken, J. E.},
  title  = {Finite-width neural tangent kernels from {Feynman} diagrams},
  year   = {2025}, note = {arXiv:2508.11522}
}
@misc{hanin2017,
  author = {Hanin, B. and Sellke, M.},
  title  = {Approximating continuous functions by {ReLU} nets of minimal width},
  year   = {2017}, note = {arXiv:1710.11278}
}
@inproceedings{hanin2018,
  author    = {Hanin, B.},
  title     = {Which neural net architectures give rise to exploding and vanishing gradients?},
  booktitle = {Advances in Neural Information Processing Systems},
  volume    = {31}, pages = {582--591}, year = {2018}, note = {arXiv:1801.03744}
}
@inproceedings{he2015,
  author    = {He, K. and Zhang, X. and Ren, S. and Sun, J.},
  title     = {Delving deep into rectifiers: surpassing human-level performance on {ImageNet} classification},
  booktitle = {ICCV}, pages = {1026--1034}, year = {2015}, note = {arXiv:1502.01852}
}
@misc{hendrycks2016,
  author = {Hendrycks, D. and Gimpel, K.},
  title  = {Gaussian error linear units ({GELUs})},
  year   = {2016}, note = {arXiv:1606.08415}
}
@phdthesis{hettinger2019,
  author = {Hettinger, C. J.},
  title  = {Hyperparameters for Dense Neural Networks},
  school = {Brigham Young University}, year = {2019}, note = {BYU ScholarsArchive, Theses and Dissertations 7531}
}
@article{isserlis1918,
  author  = {Isserlis, L.},
  title   = {On a formula for the product-moment coefficient of any order of a normal frequency distribution in any
             number of variables},
  journal = {Biometrika},
  volume  = {12}, number = {1-2}, pages = {134--139}, year = {1918}
}
@inproceedings{iyer2023,
  author    = {Iyer, G. and Hanin, B. and Rolnick, D.},
  title     = {Maximal initial learning rates in deep {ReLU} networks},
  booktitle = {ICML}, series = {PMLR}, volume = {202}, year = {2023}, note = {arXiv:2212.07295}
}
@inproceedings{jacot2018,
  author    = {Jacot, A. and Gabriel, F. and Hongler, C.},
  title     = {Neural tangent kernel: convergence and generalization in neural networks},
  booktitle = {Advances in Neural Information Processing Systems},
  volume    = {31}, pages = {8571--8580}, year = {2018}, note = {arXiv:1806.07572}
}
@misc{jelassi2023,
  author = {Jelassi, S. and Hanin, B. and Ji, Z. and Reddi, S. J. and Bhojanapalli, S. and Kumar, S.},
  title  = {Depth dependence of {muP} learning rates in {ReLU} {MLPs}},
  year   = {2023}, note = {arXiv:2305.07810}
}
@article{joldes2017,
  author  = {Joldes, M. and Muller, J.-M. and Popescu, V.},
  title   = {Tight and rigorous error bounds for basic building blocks of double-word arithmetic},
  journal = {ACM Transactions on Mathematical Software},
  volume  = {44}, number = {2}, pages = {15:1--15:27}, year = {2017}
}
@inproceedings{kingma2015,
  author    = {Kingma, D. P. and Ba, J.},
  title     = {Adam: a method for stochastic optimization},
  booktitle = {ICLR}, year = {2015}, note = {arXiv:1412.6980}
}
@inproceedings{klambauer2017,
  author    = {Klambauer, G. and Unterthiner, T. and Mayr, A. and Hochreiter, S.},
  title     = {Self-normalizing neural networks},
  booktitle = {Advances in Neural Information Processing Systems},
  volume    = {30}, pages = {971--980}, year = {2017}, note = {arXiv:1706.02515}
}
@incollection{lecun2012,
  author    = {LeCun, Y. and Bottou, L. and Orr, G. B. and M{\"u}ller, K.-R.},
  title     = {Efficient {BackProp}},
  booktitle = {Neural Networks: Tricks of the Trade}, edition = {second}, series = {LNCS}, volume = {7700},
  pages     = {9--48}, publisher = {Springer}, year = {2012}
}
@inproceedings{lee2018,
  author    = {Lee, J. and Bahri, Y. and Novak, R. and Schoenholz, S. S. and Pennington, J. and Sohl-Dickstein, J.},
  title     = {Deep neural networks as {Gaussian} processes},
  booktitle = {International Conference on Learning Representations}, year = {2018}, note = {arXiv:1711.00165}
}
@unpublished{liquet2024,
  author = {Liquet, B. and Moka, S. and Nazarathy, Y.},
  title  = {Mathematical Engineering of Deep Learning},
  year   = {2024}, note = {Book draft of 28 February 2024}
}
@inproceedings{loshchilov2019,
  author    = {Loshchilov, I. and Hutter, F.},
  title     = {Decoupled weight decay regularization},
  booktitle = {ICLR}, year = {2019}, note = {arXiv:1711.05101}
}
@article{matsumoto2011,
  author  = {Matsumoto, S.},
  title   = {{Jucys}-{Murphy} elements, orthogonal matrix integrals, and {Jack} measures},
  journal = {The Ramanujan Journal},
  volume  = {26}, number = {1}, pages = {69--107}, year = {2011}, note = {arXiv:1001.2345}
}
@article{mezzadri2007,
  author  = {Mezzadri, F.},
  title   = {How to generate random matrices from the classical compact groups},
  journal = {Notices of the AMS},
  volume  = {54}, number = {5}, pages = {592--604}, year = {2007}, note = {arXiv:math-ph/0609050}
}
@article{neumaier1974,
  author  = {Neumaier, A.},
  title   = {{Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen}},
  journal = {Zeitschrift f{\"u}r Angewandte Mathematik und Mechanik},
  volume  = {54}, number = {1}, pages = {39--51}, year = {1974}
}
@inproceedings{noci2021,
  author    = {Noci, L. and Bachmann, G. and Roth, K. and Nowozin, S. and Hofmann, T.},
  title     = {Precise characterization of the prior predictive distribution of deep {ReLU} networks},
  booktitle = {Advances in Neural Information Processing Systems},
  volume    = {34}, year = {2021}, note = {arXiv:2106.06615}
}
@book{nocedal2006,
  author    = {Nocedal, J. and Wright, S. J.},
  title     = {Numerical Optimization}, edition = {second}, publisher = {Springer}, year = {2006}
}
@article{owen1956,
  author  = {Owen, D. B.},
  title   = {Tables for computing bivariate normal probabilities},
  journal = {The Annals of Mathematical Statistics},
  volume  = {27}, number = {4}, pages = {1075--1090}, year = {1956}
}
@article{pearlmutter1994,
  author  = {Pearlmutter, B. A.},
  title   = {Fast exact multiplication by the {Hessian}},
  journal = {Neural Computation},
  volume  = {6}, number = {1}, pages = {147--160}, year = {1994}
}
@inproceedings{pennington2018,
  author    = {Pennington, J. and Schoenholz, S. S. and Ganguli, S.},
  title     = {The emergence of spectral universality in deep networks},
  booktitle = {AISTATS},
  series    = {PMLR}, volume = {84}, pages = {1924--1932}, year = {2018}, note = {arXiv:1802.09979}
}
@misc{pytorch2024,
  author = {{The PyTorch contributors}},
  title  = {torch.nn.Linear},
  year   = {2024}, note = {Documentation of PyTorch 2.x}
}
@unpublished{residual2019,
  author = {Littwin, E. and Wolf, L.},
  title  = {The effect of residual architecture on the per-layer gradient of deep networks},
  year   = {2019}, note = {Submission to ICLR 2020, under review without names}
}
@book{roberts2022,
  author    = {Roberts, D. A. and Yaida, S. and Hanin, B.},
  title     = {The Principles of Deep Learning Theory},
  publisher = {Cambridge University Press}, year = {2022}, note = {arXiv:2106.10165}
}
@inproceedings{salmon2011,
  author    = {Salmon, J. K. and Moraes, M. A. and Dror, R. O. and Shaw, D. E.},
  title     = {Parallel random numbers: as easy as 1, 2, 3},
  booktitle = {SC '11}, note = {Article 16}, year = {2011}
}
@inproceedings{schoenholz2017,
  author    = {Schoenholz, S. S. and Gilmer, J. and Ganguli, S. and Sohl-Dickstein, J.},
  title     = {Deep information propagation},
  booktitle = {International Conference on Learning Representations}, year = {2017}, note = {arXiv:1611.01232}
}
@misc{shafranovich2005,
  author = {Shafranovich, Y.},
  title  = {Common format and {MIME} type for comma-separated values ({CSV}) files},
  year   = {2005}, note = {RFC 4180}
}
@misc{sohldickstein2020,
  author = {Sohl-Dickstein, J. and Novak, R. and Schoenholz, S. S. and Lee, J.},
  title  = {On the infinite width limit of neural networks with a standard parameterization},
  year   = {2020}, note = {arXiv:2001.07301}
}
@article{speed1983,
  author  = {Speed, T. P.},
  title   = {Cumulants and partition lattices},
  journal = {Australian Journal of Statistics},
  volume  = {25}, number = {2}, pages = {378--388}, year = {1983}
}
@article{trefethen2014,
  author  = {Trefethen, L. N. and Weideman, J. A. C.},
  title   = {The exponentially convergent trapezoidal rule},
  journal = {SIAM Review},
  volume  = {56}, number = {3}, pages = {385--458}, year = {2014}
}
@article{welford1962,
  author  = {Welford, B. P.},
  title   = {Note on a method for calculating corrected sums of squares and products},
  journal = {Technometrics},
  volume  = {4}, number = {3}, pages = {419--420}, year = {1962}
}
@article{williams1998,
  author  = {Williams, C. K. I.},
  title   = {Computation with infinite neural networks},
  journal = {Neural Computation},
  volume  = {10}, number = {5}, pages = {1203--1216}, year = {1998}
}
@inproceedings{yaida2019,
  author    = {Yaida, S.},
  title     = {Non-{Gaussian} processes and neural networks at finite widths},
  booktitle = {Mathematical and Scientific Machine Learning},
  series    = {PMLR}, volume = {107}, year = {2020}, note = {arXiv:1910.00019}
}
@inproceedings{yang2021,
  author    = {Yang, G. and Hu, E. J.},
  title     = {Tensor programs {IV}: feature learning in infinite-width neural networks},
  booktitle = {ICML}, series = {PMLR}, volume = {139}, pages = {11727--11737}, year = {2021},
  note      = {arXiv:2011.14522}
}
@misc{yang2022,
  author = {Yang, G. and Hu, E. J. and Babuschkin, I. and Sidor, S. and Liu, X. and Farhi, D. and Ryder, N. and
            Pachocki, J. and Chen, W. and Gao, J.},
  title  = {Tensor programs {V}: tuning large neural networks via zero-shot hyperparameter transfer},
  year   = {2022}, note = {arXiv:2203.03466}
}
@inproceedings{zavatoneveth2021,
  author    = {Zavatone-Veth, J. A. and Pehlevan, C.},
  title     = {Exact marginal prior distributions of finite {Bayesian} neural networks},
  booktitle = {Advances in Neural Information Processing Systems},
  volume    = {34}, year = {2021}, note = {arXiv:2104.11734}
}
@inproceedings{zhang2019,
  author    = {Zhang, H. and Dauphin, Y. N. and Ma, T.},
  title     = {Fixup initialization: residual learning without normalization},
  booktitle = {ICLR}, year = {2019}, note = {arXiv:1901.09321}
}
)bib";
}

}  // namespace isserlis
