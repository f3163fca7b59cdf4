//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/research/synthetic"
	"github.com/fspca/fspca/solver"
)

const sweepOrder = 5000

// point is one k of the sweep.
type point struct {
	k     int
	own   []float64
	steps int
	alg2  float64 // seconds of Algorithm 2's steps as written
	start float64 // seconds of its start, Go on A_m, by a full decomposition of A
}

// sweep times GoLowRank and IPU from its support over k at d = 5000, m = 10,
// beside Algorithm 2 as written in Octave. A_m is not unique in scheme D, so
// that the supports differ and the times alone can be compared.
func sweep(ctx context.Context, dir, out string, rounds int) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	a, err := synthetic.Instance{Scheme: synthetic.D, Order: sweepOrder, Seed: 1}.Matrix()
	if err != nil {
		return err
	}
	path := filepath.Join(dir, "scheme-d.npy")
	full := mat.DenseCopyOf(a)
	if err := writeNPY(path, full); err != nil {
		return err
	}
	c, err := solver.NewMatrix(a)
	if err != nil {
		return err
	}
	var points []*point
	for _, k := range []int{100, 200, 500, 1000, 2000, 3000, 4000, 5000} {
		p := &point{k: k}
		for range rounds {
			start := time.Now()
			first, err := solver.GoLowRank(ctx, c, k, components, 0)
			if err != nil {
				return err
			}
			s, err := solver.IPU(ctx, c, k, first.W(sweepOrder), solver.IPUParams{})
			if err != nil {
				return err
			}
			p.own, p.steps = append(p.own, time.Since(start).Seconds()), s.Iterations
		}
		fmt.Fprintf(os.Stderr, "k = %d: %.3f s, %d steps\n", k, medianOf(p.own), p.steps)
		points = append(points, p)
	}
	if err := octave(ctx, path, points); err != nil {
		return err
	}
	return writeSweep(out, points)
}

// octave runs Algorithm 2 as written for the same k, once each.
func octave(ctx context.Context, path string, points []*point) error {
	args := []string{"-q", "internal/research/bench/peers/alg2.m", strconv.Itoa(sweepOrder), strconv.Itoa(components)}
	for _, p := range points {
		args = append(args, strconv.Itoa(p.k))
	}
	cmd := exec.CommandContext(ctx, "octave-cli", args...)
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "OPENBLAS_") {
			cmd.Env = append(cmd.Env, e)
		}
	}
	cmd.Env = append(cmd.Env, "ALG2_FILE="+path)
	output, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("octave-cli: %w", err)
	}
	for line := range bytes.Lines(bytes.TrimSpace(output)) {
		var r struct {
			K       int     `json:"k"`
			Seconds float64 `json:"seconds"`
			Start   float64 `json:"start"`
		}
		if err := json.Unmarshal(line, &r); err != nil {
			return fmt.Errorf("octave-cli printed %q: %w", line, err)
		}
		for _, p := range points {
			if p.k == r.K {
				p.alg2, p.start = r.Seconds, r.Start
			}
		}
	}
	return nil
}

// slope returns the least-squares slope of log(seconds) over log(k).
func slope(points []*point) float64 {
	var n, sx, sy, sxx, sxy float64
	for _, p := range points {
		x, y := math.Log(float64(p.k)), math.Log(medianOf(p.own))
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}
