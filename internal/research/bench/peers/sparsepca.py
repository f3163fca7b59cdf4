"""scikit-learn's SparsePCA by coordinate descent: one fit.

usage: sparsepca.py FILE.npy M REPEATS
"""
import json
import resource
import sys
import time

import numpy as np
from sklearn.decomposition import SparsePCA

path, m, repeats = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
x = np.load(path)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
seconds = []
for seed in range(repeats):
    start = time.perf_counter()
    SparsePCA(n_components=m, method="cd", random_state=seed).fit(x)
    seconds.append(time.perf_counter() - start)
print(json.dumps({
    "seconds": seconds,
    "extra_mib": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024,
}))
