"""Write distributed.pdf: python make_report.py [PDF]. Needs fpdf2."""

import sys
from pathlib import Path

import fpdf

TEXT = """
Distributed training: what travels, and when

Data parallel. Every rank has all weights and a share of the samples. The data set travels once, by Scatterv with counts
that differ by one where P does not divide N. In each step two things travel: the sum of the errors, one number, and the
sums of the derivatives, 25 x 401 and 10 x 26 numbers. They are sums, not means: a mean of the ranks' means would give a
sample of a small share more weight. Costs on 2, 3 and 4 ranks are equal to the sequential ones but for round-off, since
addition in floating point depends on the order: n numbers in two orders differ by at most n times 1.1e-16 of the sum of
their sizes. A bug is larger by many powers of ten.

Collectives. The ring all-reduce sends 2 (P - 1) / P of the array per rank, whatever P is, in 2 (P - 1) steps; the tree
broadcast takes log2 P rounds. With latency a and time per byte b, ring: 2 (P - 1) a + 2 (P - 1) / P n b; tree reduction
and broadcast: 2 log2 P (a + n b). The ring is better for long arrays, the tree for short ones and many ranks; a
parameter server takes 2 (P - 1) n b at one place.

Model parallel. Columns of W1 and the same rows of W2 lie on one rank. Its part of the hidden layer needs nothing of the
others, and its part of the product is a summand of the output: one reduction of the output in the forward pass. On the
way back nothing travels: the derivative by the output is known to all, and each rank needs its own columns and rows
only. So "no communication is required during the backpropagation" is true for this split, for two layers. It is not
true for data parallel training, where the derivatives are all that travels, nor for a pipeline, where derivatives go
back from layer to layer.

The softmax network, 400-128-10 with 800 samples, four steps on 4 ranks, as the grading reports it: with the samples
divided, a rank gives every derivative to MPI in each step, 400 x 128 + 128 x 10 + 138 numbers or 0.42 MB, whatever the
number of samples. With the weights divided it gives the output, 800 x 10 numbers or 64 kB, which grow with the samples
and not with the network. So wide layers and small batches speak for the second, and the other way round. The shares of
time in communication are those of the grading's report; they contain waiting, and depend on the free cores.

Pipeline. With p layers and m micro-batches each rank works m of m + p - 1 steps: the bubble is (p - 1) / (m + p - 1).
For p = 4 and m = 5 that is 38 %, for m = 20 it is 13 %.
"""


def main() -> None:
    """Write the report."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("distributed.pdf")
    page = fpdf.FPDF()
    page.add_page()
    page.set_font("helvetica", size=11)
    page.multi_cell(0, 5.5, TEXT)
    page.output(str(path))


if __name__ == "__main__":
    main()
