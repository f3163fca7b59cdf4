//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/fspca/fspca/internal/lists"
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
func sweep(ctx context.Context, opt options) error {
	a, err := synthetic.Instance{Scheme: synthetic.D, Order: sweepOrder, Seed: 1}.Matrix()
	if err != nil {
		return err
	}
	path := filepath.Join(opt.dir, "scheme-d.npy")
	if err := writeNPY(path, mat.DenseCopyOf(a)); err != nil {
		return err
	}
	c, err := solver.NewMatrix(a)
	if err != nil {
		return err
	}
	var points []*point
	for _, k := range []int{100, 200, 500, 1000, 2000, 3000, 4000, 5000} {
		p := &point{k: k}
		for range opt.rounds {
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
	return writeSweep(opt.out, points)
}

// octave runs Algorithm 2 as written for the same k, once each.
func octave(ctx context.Context, path string, points []*point) error {
	args := []string{"octave-cli", "-q", "internal/research/bench/peers/alg2.m", strconv.Itoa(sweepOrder), strconv.Itoa(components)}
	for _, p := range points {
		args = append(args, strconv.Itoa(p.k))
	}
	e, err := execute(command(ctx, args, "ALG2_FILE="+path), nil)
	if err != nil {
		return err
	}
	for line := range bytes.Lines(bytes.TrimSpace(e.out)) {
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
	logK := lists.Map(points, func(p *point) float64 { return math.Log(float64(p.k)) })
	logSeconds := lists.Map(points, func(p *point) float64 { return math.Log(medianOf(p.own)) })
	_, beta := stat.LinearRegression(logK, logSeconds, nil, false)
	return beta
}
