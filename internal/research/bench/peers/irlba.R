# R's RSpectra (dense components) and irlba::ssvd (sparse components).
#
# usage: irlba.R FILE.npy N D M K REPEATS rspectra|ssvd
args <- commandArgs(TRUE)
n <- as.integer(args[2]); d <- as.integer(args[3])
m <- as.integer(args[4]); k <- as.integer(args[5]); repeats <- as.integer(args[6])
f <- file(args[1], "rb")
invisible(readBin(f, "raw", 128))
x <- t(matrix(readBin(f, "double", n * d), d, n))
close(f)
invisible(gc(reset = TRUE))
suppressMessages(library(if (args[7] == "ssvd") "irlba" else "RSpectra", character.only = TRUE))
seconds <- numeric(repeats)
for (i in seq_len(repeats)) {
  set.seed(i)
  seconds[i] <- system.time({
    if (args[7] == "ssvd") {
      # ssvd has no implicit centring that keeps its sparsity count per component.
      ssvd(scale(x, scale = FALSE), k = m, n = k)
    } else {
      svds(x, m, opts = list(center = TRUE))
    }
  })[["elapsed"]]
}
extra <- sum(gc()[, 6]) - sum(gc()[, 2])
cat(sprintf('{"seconds": [%s], "extra_mib": %.1f}\n', paste(sprintf("%.5f", seconds), collapse = ", "), max(extra, 0)))
