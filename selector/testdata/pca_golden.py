"""Writes pca_golden.json: scikit-learn's PCA of a table of 50 rows and 6 columns.

Run with Debian's python3-sklearn (1.2.1):  /usr/bin/python3 pca_golden.py > pca_golden.json
"""
import json

import numpy as np
import sklearn
from sklearn.decomposition import PCA

rng = np.random.default_rng(6)
x = np.round(rng.normal(size=(50, 3)) @ rng.normal(size=(3, 6)) + 0.4 * rng.normal(size=(50, 6)) + [0, 5, -3, 100, 1e4, 0.1], 9)
out = {"sklearn": sklearn.__version__, "x": x.tolist()}
for whiten in (False, True):
    p = PCA(4, svd_solver="full", whiten=whiten).fit(x)
    # the sign of a direction is free: here its entry of largest magnitude is positive
    sign = np.sign(p.components_[np.arange(4), np.abs(p.components_).argmax(axis=1)])
    out["whitened" if whiten else "scores"] = (p.transform(x) * sign).tolist()
    out["variances"] = p.explained_variance_.tolist()
print(json.dumps(out))
