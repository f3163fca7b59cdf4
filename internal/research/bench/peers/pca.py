"""scikit-learn's randomised PCA: dense components, the fit alone.

usage: pca.py FILE.npy M REPEATS -> one line of JSON with the seconds of each fit
"""
import json
import resource
import sys
import time

import numpy as np
from sklearn.decomposition import PCA

path, m, repeats = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
x = np.load(path)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
seconds = []
for seed in range(repeats):
    start = time.perf_counter()
    p = PCA(n_components=m, svd_solver="randomized", random_state=seed).fit(x)
    seconds.append(time.perf_counter() - start)
print(json.dumps({
    "seconds": seconds,
    "extra_mib": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024,
    "objective": float(p.explained_variance_.sum()),
}))
