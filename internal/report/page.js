(function () {
  "use strict";
  var all = function (of, what) { return Array.prototype.slice.call(of.querySelectorAll(what)); };

  // Marks of a chart say their value under the pointer, and to the arrow keys.
  all(document, "figure.chart").forEach(function (figure) {
    var readout = figure.querySelector(".readout");
    all(figure, "svg").forEach(function (svg) {
      var marks = all(svg, "title").map(function (title) { return title.parentNode; });
      if (!marks.length) return;
      var at = -1;
      var show = function (i) {
        if (at >= 0) marks[at].classList.remove("now");
        at = i;
        if (at < 0) { readout.textContent = ""; return; }
        marks[at].classList.add("now");
        readout.textContent = marks[at].querySelector("title").textContent;
      };
      svg.setAttribute("tabindex", "0");
      svg.setAttribute("aria-description", "The arrow keys read the marks one by one.");
      svg.addEventListener("keydown", function (e) {
        var step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
        if (e.key === "Escape") { show(-1); return; }
        if (!step) return;
        e.preventDefault();
        show(at < 0 && step < 0 ? marks.length - 1 : (at + step + marks.length) % marks.length);
      });
      svg.addEventListener("blur", function () { show(-1); });
      marks.forEach(function (mark, i) {
        mark.addEventListener("pointerenter", function () { show(i); });
        mark.addEventListener("pointerleave", function () { show(-1); });
      });
    });
  });

  // The slider shows one k at a time.
  all(document, ".slider").forEach(function (slider) {
    var input = slider.querySelector("input"), out = slider.querySelector(".stop");
    var stops = all(slider, "li"), figure = document.getElementById(slider.dataset["for"]);
    var move = function () {
      var i = Number(input.value);
      out.innerHTML = stops[i].innerHTML;
      input.setAttribute("aria-valuetext", "k = " + stops[i].dataset.k);
      all(figure, "svg").forEach(function (svg) {
        all(svg, "g").forEach(function (line) {
          all(line, ".point").forEach(function (p, j, points) {
            p.classList.toggle("held", points.length === stops.length && j === i);
          });
        });
      });
    };
    input.max = String(stops.length - 1);
    input.value = input.max;
    input.hidden = false;
    slider.querySelector(".stops").style.display = "none";
    input.addEventListener("input", move);
    move();
  });

  // The scatter moves its points to the axes that are picked.
  all(document, ".picker").forEach(function (form) {
    var part = form.parentNode, fractions = JSON.parse(part.querySelector(".fractions").textContent);
    var move = function () {
      var x = Number(form.elements.x.value), y = Number(form.elements.y.value);
      all(part, ".plane").forEach(function (plane) {
        var ends = function (s) { return s.split(" ").map(Number); };
        var across = ends(plane.dataset.x), up = ends(plane.dataset.y);
        all(plane, ".along-x").forEach(function (g) { g.style.display = Number(g.dataset.at) === x ? "" : "none"; });
        all(plane, ".along-y").forEach(function (g) { g.style.display = Number(g.dataset.at) === y ? "" : "none"; });
        all(plane, "path").forEach(function (p, i) {
          p.setAttribute("transform", "translate(" +
            (across[0] + fractions[x][i] * (across[1] - across[0])).toFixed(1) + " " +
            (up[0] + fractions[y][i] * (up[1] - up[0])).toFixed(1) + ")");
        });
      });
    };
    form.hidden = false;
    form.addEventListener("change", move);
    form.addEventListener("submit", function (e) { e.preventDefault(); });
  });

  // A printed page has the short tables open.
  addEventListener("beforeprint", function () {
    all(document, "figure details").forEach(function (d) { if (all(d, "tr").length <= 61) d.open = true; });
  });
})();
