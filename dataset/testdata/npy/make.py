# Writes the .npy files of the tests with NumPy (they are from 1.24.2): run it in dataset/testdata/npy.
import numpy as np

base = np.arange(12).reshape(3, 4)
for kind, orders in [("<f8", "CF"), (">f8", "C"), ("<f4", "CF"), (">f4", "C"), ("|i1", "C"), ("|u1", "C"), ("<i2", "C"), (">i2", "C"),
                     ("<u2", "CF"), ("<f2", "CF"), (">f2", "C"), ("<i4", "C"), (">u4", "C"), ("<i8", "C"), (">i8", "C"), ("<u8", "C")]:
    a = base.astype(kind)
    if kind[1] != "u":
        a = (-a).astype(kind)
    end = {"<": "le", ">": "be", "|": ""}[kind[0]]
    for order in orders:
        np.save(f"{kind[1:]}{end}_{order.lower()}.npy", np.asarray(a, order=order))
np.save("bool_c.npy", base % 2 == 1)
np.save("vector.npy", np.arange(5.0))
for version in [(2, 0), (3, 0)]:
    with open(f"version{version[0]}.npy", "wb") as f:
        np.lib.format.write_array(f, -base.astype("f8"), version=version)

np.save("bad_scalar.npy", np.array(3.0))
np.save("bad_cube.npy", np.zeros((2, 2, 2)))
np.save("bad_complex.npy", np.zeros((2, 2), dtype="c16"))
np.save("bad_text.npy", np.array([["a", "b"]]))
np.save("bad_records.npy", np.zeros(3, dtype=[("a", "f8"), ("b", "i4")]))
np.save("bad_empty.npy", np.zeros((0, 3)))
np.save("bad_nan.npy", np.array([[1, 2], [np.nan, np.inf]]))
np.save("bad_object.npy", np.array([[None]], dtype=object), allow_pickle=True)
np.save("bad_int.npy", np.array([[1, 2**53 + 1]], dtype="i8"))
np.save("bad_uint.npy", np.array([[1], [2**64 - 1]], dtype="u8"))
