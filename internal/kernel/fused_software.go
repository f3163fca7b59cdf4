//go:build !amd64 && !arm64 && !loong64 && !ppc64 && !ppc64le && !riscv64 && !s390x

package kernel

// fusedInHardware says that math.FMA is one instruction here and not an
// emulation, which is some fifty times slower.
const fusedInHardware = false
