package kernel

import "golang.org/x/sys/cpu"

// fusedInHardware says that math.FMA is one instruction here and not an
// emulation, which is some fifty times slower.
var fusedInHardware = cpu.X86.HasFMA
