package report

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/fspca/fspca/internal/must"
)

// browser is a tab of a headless Chromium, and what its console said. The test is skipped where there
// is none.
type browser struct {
	*testing.T
	ctx context.Context

	mu   sync.Mutex
	said []string
}

func openBrowser(t *testing.T) *browser {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("there is no Chromium: nothing is seen in a browser")
	}
	b := &browser{T: t}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox)
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b.ctx = ctx
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Skipf("the browser does not start: %v", err)
	}
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return // the tab is closed
			}
			b.mu.Lock()
			b.said = append(b.said, m.Text)
			b.mu.Unlock()
		}
	}()
	return b
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	must.OK(b, chromedp.Do(b.ctx, steps...))
}

func (b *browser) text(script string) string {
	b.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[string]("String("+script+")"))
	if err != nil {
		b.Fatalf("%s: %v", script, err)
	}
	return v
}

// at is the middle of an element in the window, after scrolling there.
func (b *browser) at(selector string) (x, y float64) {
	b.Helper()
	place := b.text(fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.scrollIntoView({block: "center"}); const r = e.getBoundingClientRect(); return (r.x + r.width / 2) + " " + (r.y + r.height / 2); })()`, selector))
	if _, err := fmt.Sscan(place, &x, &y); err != nil {
		b.Fatalf("%s is at %q", selector, place)
	}
	return x, y
}

// TestBrowser: by mouse and by keyboard, at the width of a hand and of a desk, the page says what its
// marks are, shows one k after another and moves the points; every chart is there, nothing scrolls
// sideways, and the console is silent.
func TestBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes seconds")
	}
	b := openBrowser(t)
	dir := t.TempDir()
	for kind, in := range pages(t) {
		if kind == "empty" {
			continue
		}
		file := filepath.Join(dir, kind+".html")
		must.OK(t, os.WriteFile(file, []byte(written(t, in)), 0o600))
		for width, shown := range map[int64]string{360: ".narrow", 1440: ".wide"} {
			t.Run(fmt.Sprintf("%s at %d", kind, width), func(t *testing.T) {
				b.T = t
				b.do(chromedp.EmulateViewport(width, 900), chromedp.Navigate("file://"+file))
				b.whole()
				b.marks(shown)
				b.slider()
				b.picker(shown)
			})
		}
	}
	b.T = t
	b.text(`console.error("heard")`) // that the console is listened to
	for range 1000 {
		if said := b.console(); len(said) > 0 && said[len(said)-1] == "heard" {
			break
		}
		b.do(chromedp.Sleep(10 * time.Millisecond))
	}
	if said := b.console(); len(said) != 1 || said[0] != "heard" {
		t.Errorf("the console says %q", said)
	}
}

func (b *browser) console() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.said)
}

// whole checks that the page fits and every figure has one drawing that is seen, with large letters.
func (b *browser) whole() {
	b.Helper()
	if got := b.text(`document.documentElement.scrollWidth - innerWidth`); got != "0" {
		b.Errorf("the page is %s pixels wider than the window", got)
	}
	seen := b.text(`[...document.querySelectorAll("figure.chart")].filter(f => [...f.querySelectorAll("svg")].filter(s => s.getBoundingClientRect().width > 100).length !== 1).map(f => f.id)`)
	if seen != "" {
		b.Errorf("not one drawing each: %s", seen)
	}
	cut := b.text(`[...document.querySelectorAll("svg text")].filter(t => { const r = t.getBoundingClientRect(), s = t.closest("svg").getBoundingClientRect(); return r.width > 0 && (r.left < s.left - 2 || r.right > s.right + 2); }).map(t => t.textContent)`)
	if cut != "" {
		b.Errorf("texts leave their drawings: %s", cut)
	}
	small := b.text(`[...document.querySelectorAll("svg")].filter(s => s.getBoundingClientRect().width > 0 && 12 * s.getBoundingClientRect().width / s.viewBox.baseVal.width < 11).length`)
	if small != "0" {
		b.Errorf("%s drawings have text of less than 11 pixels", small)
	}
}

// marks reads the marks of the first chart that has some.
func (b *browser) marks(shown string) {
	b.Helper()
	chart := b.text(`(document.querySelector("figure.chart svg title") || {closest: () => ({id: ""})}).closest("figure").id`)
	if chart == "" {
		return
	}
	mark := "#" + chart + " " + shown + " svg .mark, #" + chart + " " + shown + " svg .point"
	readout := fmt.Sprintf(`document.querySelector("#%s .readout").textContent`, chart)
	x, y := b.at(mark)
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
	first := b.text(readout)
	if first == "" {
		b.Errorf("%s says nothing under the mouse", chart)
	}
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, 1, 1))
	b.text(fmt.Sprintf(`document.querySelector("#%s %s svg").focus()`, chart, shown))
	b.do(chromedp.KeyEvent(kb.ArrowRight))
	one := b.text(readout)
	b.do(chromedp.KeyEvent(kb.ArrowRight))
	if two := b.text(readout); one == "" || two == "" || b.text(fmt.Sprintf(`document.querySelectorAll("#%s %s .now").length`, chart, shown)) != "1" {
		b.Errorf("%s says %q, then %q to the arrow keys", chart, one, two)
	}
	b.do(chromedp.KeyEvent(kb.Escape))
	if b.text(readout) != "" {
		b.Error("Escape does not end the reading")
	}
}

// slider moves the slider over k, if there is one.
func (b *browser) slider() {
	b.Helper()
	if b.text(`!!document.querySelector("#k")`) != "true" {
		return
	}
	const said = `document.querySelector(".stop").textContent`
	last := b.text(said)
	b.text(`document.querySelector("#k").focus()`)
	b.do(chromedp.KeyEvent(kb.ArrowLeft))
	if by := b.text(said); by == last || b.text(`document.querySelector("#k").getAttribute("aria-valuetext")`) != "k = 2" {
		b.Errorf("the arrow key leaves the slider at %q", by)
	}
	_, y := b.at("#k")
	right := b.text(`document.querySelector("#k").getBoundingClientRect().right - 4`)
	var x float64
	must.Get(fmt.Sscan(right, &x))(b)
	b.do(chromedp.MouseClickXY(x, y))
	if got := b.text(said); got != last {
		b.Errorf("a click at the right end gives %q, want %q", got, last)
	}
}

// picker takes another component for the scatter, if there is one.
func (b *browser) picker(shown string) {
	b.Helper()
	if b.text(`!!document.querySelector(".picker")`) != "true" {
		return
	}
	place := fmt.Sprintf(`document.querySelector("%s .plane path").getAttribute("transform")`, shown)
	before := b.text(place)
	b.text(`document.querySelector(".picker select").focus()`)
	b.do(chromedp.KeyEvent(kb.ArrowDown))
	if b.text(place) == before {
		b.Error("another component moves no point")
	}
}
