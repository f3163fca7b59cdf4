"""Writes sklearn_golden.json: what scikit-learn's steps make of a table of 60 rows.

Run with Debian's python3-sklearn (1.2.1):  /usr/bin/python3 sklearn_golden.py > sklearn_golden.json
"""
import datetime
import json

import numpy as np
import sklearn
from sklearn.feature_selection import VarianceThreshold
from sklearn.impute import MissingIndicator
from sklearn.preprocessing import KBinsDiscretizer, OrdinalEncoder, PowerTransformer, RobustScaler

rng = np.random.default_rng(14)
n = 60
base = rng.normal(size=n)
table = {
    "normal": np.round(base, 6),
    "skewed": np.round(np.exp(1.3 * rng.normal(size=n)), 6),
    "left": np.round(-np.exp(0.8 * rng.normal(size=n)) + 1, 6),
    "counts": rng.poisson(2.0, size=n).astype(float),
    "offset": np.round(1e6 + 30 * rng.gamma(2.0, size=n), 6),
    "small": np.round(rng.gamma(1.5, size=n) * 1e-3, 9),
    "alike": np.round(base + 0.05 * rng.normal(size=n), 6),
    "flat": np.full(n, 0.1),
    "mostly zero": np.where(rng.uniform(size=n) < 0.8, 0.0, np.round(rng.gamma(2.0, size=n), 6)),
}
names = list(table)
x = np.column_stack([table[c] for c in names])
new = x[:7] + 0.125  # rows that were not fitted on
levels = [str(v) for v in rng.choice(["10", "9", "red", "blue", "Blue"], size=n)]
numbers = [str(v) for v in rng.choice(["10", "9", "2", "-1"], size=n)]
holes = x[:, :3].copy()
holes[rng.uniform(size=n) < 0.2, 1] = np.nan
holes[7, 2] = np.nan
dates = [(datetime.datetime(1999, 12, 20, 23, 59, 1) + datetime.timedelta(days=37 * i, seconds=4567 * i)) for i in range(n)]


def columns(m):
    return [list(c) for c in np.asarray(m, dtype=float).T]


def both(step):
    step.fit(x)
    return {"train": columns(step.transform(x)), "new": columns(step.transform(new))}


power = PowerTransformer().fit(x)
corr = np.corrcoef(np.delete(x, names.index("flat"), axis=1), rowvar=False)
varying = [c for c in names if c != "flat"]
kept = []
for j, c in enumerate(varying):
    if not any(abs(corr[j, varying.index(k)]) > 0.95 for k in kept):
        kept.append(c)
parts = {
    "year": [d.year for d in dates], "month": [d.month for d in dates], "day": [d.day for d in dates],
    "weekday": [d.weekday() for d in dates], "yearday": [d.timetuple().tm_yday for d in dates],
    "quarter": [(d.month - 1) // 3 + 1 for d in dates], "week": [d.isocalendar()[1] for d in dates],
    "weekyear": [d.isocalendar()[0] for d in dates], "hour": [d.hour for d in dates],
    "minute": [d.minute for d in dates], "second": [d.second for d in dates],
    "unix": [d.replace(tzinfo=datetime.timezone.utc).timestamp() for d in dates],
}
print(json.dumps({
    "sklearn": sklearn.__version__,
    "names": names,
    "columns": columns(x),
    "new": columns(new),
    "robust": both(RobustScaler()),
    "log1p": columns(np.log1p(x[:, [names.index("skewed"), names.index("counts"), names.index("small")]])),
    "power": both(PowerTransformer()),
    "power_raw": both(PowerTransformer(standardize=False)),
    "lambdas": dict(zip(names, power.lambdas_)),
    "bins": {str(b): both(KBinsDiscretizer(n_bins=b, encode="ordinal", strategy="quantile")) for b in (2, 4, 5, 10)},
    "levels": levels,
    "ordinal": list(OrdinalEncoder().fit_transform(np.array(levels).reshape(-1, 1))[:, 0]),
    "numbers": numbers,
    "ordinal_numbers": list(OrdinalEncoder().fit_transform(np.array(numbers, dtype=int).reshape(-1, 1))[:, 0]),
    "holes": [[None if np.isnan(v) else v for v in c] for c in holes.T],
    "indicator": columns(MissingIndicator().fit_transform(holes)),
    "variance": {str(t): [names[j] for j in VarianceThreshold(t).fit(x).get_support(indices=True)] for t in (0.0, 1e-3, 0.9, 2.0)},
    "correlation": kept,
    "dates": [d.isoformat(sep=" ") for d in dates],
    "parts": parts,
}))
