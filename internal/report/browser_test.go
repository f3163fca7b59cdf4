package report

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// probe runs in the page after its own script, and tells the frame around it what it saw.
const probe = `<script>
var seen = [], say = function (what, ok) { seen.push(what + "=" + ok); };
say("width", innerWidth);
say("fits", document.documentElement.scrollWidth <= innerWidth);
var shown = 0, figures = document.querySelectorAll("figure.chart");
figures.forEach(function (f) { f.querySelectorAll("svg").forEach(function (s) { if (s.getBoundingClientRect().width > 100) shown++; }); });
say("charts", shown === figures.length && shown > 0);
var key = function (at, k) { at.dispatchEvent(new KeyboardEvent("keydown", { key: k, bubbles: true })); };
var svg = document.querySelector("#contributions .narrow svg"), out = document.querySelector("#contributions .readout");
key(svg, "ArrowRight"); var one = out.textContent; key(svg, "ArrowRight");
say("keys", one !== "" && out.textContent !== "" && out.textContent !== one);
svg.querySelector(".mark").dispatchEvent(new PointerEvent("pointerenter"));
say("pointer", out.textContent === one);
var slider = document.querySelector("#k");
if (slider) {
  var before = document.querySelector(".stop").textContent;
  slider.value = "0"; slider.dispatchEvent(new Event("input"));
  say("slider", before !== document.querySelector(".stop").textContent && slider.getAttribute("aria-valuetext") === "k = 2");
}
var picker = document.querySelector(".picker"), point = document.querySelector(".plane path");
if (picker) {
  var place = point.getAttribute("transform");
  picker.elements.x.value = "2"; picker.dispatchEvent(new Event("change"));
  say("picker", place !== point.getAttribute("transform"));
}
say("errors", failures);
parent.postMessage(seen.join(" "), "*");
</script></body>`

// hand holds the page in a frame of 360 pixels, which is less than a browser's window has.
const hand = `<!DOCTYPE html><script>addEventListener("message", function (e) {
var pre = document.createElement("pre"); pre.id = "seen"; pre.textContent = e.data; document.body.appendChild(pre); });</script>
<body><iframe src="page.html" style="width:360px;height:900px;border:0"></iframe></body>`

// browser is a Chromium; the test is skipped where there is none.
func browser(t *testing.T) string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("there is no Chromium")
	return ""
}

// TestBrowser: without an error of its scripts, every chart is there, keys, pointer, slider
// and picker work, and a page of 360 pixels does not scroll sideways.
func TestBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes seconds")
	}
	chromium := browser(t)
	for _, kind := range []string{"path", "run"} {
		dir := t.TempDir()
		page := written(t, pages(t)[kind])
		page = strings.Replace(page, "<body>", "<body><script>var failures = 0; addEventListener('error', function () { failures++; }); addEventListener('securitypolicyviolation', function () { failures++; });</script>", 1)
		page = strings.Replace(page, "</body>", probe, 1)
		for name, text := range map[string]string{"page.html": page, "hand.html": hand} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		dom, err := exec.Command(chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--user-data-dir="+filepath.Join(dir, "profile"),
			"--virtual-time-budget=5000", "--dump-dom", "file://"+filepath.Join(dir, "hand.html")).Output()
		if err != nil {
			t.Skipf("the browser does not start: %v", err)
		}
		found := regexp.MustCompile(`<pre id="seen">([^<]*)</pre>`).FindSubmatch(dom)
		if found == nil {
			t.Fatalf("%s: the scripts did not run to their end", kind)
		}
		seen := strings.Fields(string(found[1]))
		for _, s := range seen {
			if strings.HasSuffix(s, "=false") || strings.HasPrefix(s, "errors=") && s != "errors=0" || strings.HasPrefix(s, "width=") && s != "width=360" {
				t.Errorf("%s: %s", kind, s)
			}
		}
		t.Log(kind, seen)
	}
}
