//go:build !noasm

package kernel

// groups projects groups of rows from row i0 on where there is a kernel for it
// and returns how many.
func (p *Projection) groups(dst, x Matrix, i0, groups int) int {
	if active != avx512 || groups == 0 || p.cols > groupColumns {
		return 0
	}
	mean := p.mean
	if mean == nil {
		mean = p.zero
	}
	project := project2AVX512
	switch p.v.Stride {
	case 4:
		project = project4AVX512
	case 6:
		project = project6AVX512
	case 8:
		project = project8AVX512
	case 10:
		project = project10AVX512
	case 12:
		project = project12AVX512
	}
	ahead := 0
	if x.dense() {
		ahead = aheadGroups * groupRows * x.Stride * size
	}
	project(groups, x.Cols, &x.Data[i0*x.Stride], x.Stride*size, &mean[0], &p.v.Data[0], ahead, p.cols, &dst.Data[i0*dst.Stride], dst.Stride*size)
	return groups
}

// aheadGroups is how many groups ahead of the one at hand rows are asked for.
const aheadGroups = 8
