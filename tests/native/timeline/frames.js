// Moves through a large timeline and tells in #told how long each picture took: the least of a few
// times, as the machine may have other work.
(function () {
  const told = document.body.appendChild(document.createElement("pre"));
  told.id = "told";
  told.style.display = "none";
  const { trace, view, picture, show } = window.timeline;
  const times = [], length = trace.length;
  const draw = (from, to) => {
    let least = Infinity;
    show(from, to);
    for (let i = 0; i < 6; i++) {
      const start = performance.now();
      picture.draw();
      picture.pen.getImageData(0, 0, 1, 1); // so that it is drawn, not only said
      least = Math.min(least, performance.now() - start);
    }
    times.push(least);
  };
  draw(0, length);
  times.length = 0;
  for (let zoom = 1; zoom < 1e5; zoom *= 2.5)
    for (let step = 0; step < 4; step++) draw((length - length / zoom) * (step / 4), (length - length / zoom) * (step / 4) + length / zoom);
  document.getElementById("rows").click();
  for (let zoom = 1; zoom < 1e5; zoom *= 3) draw(length / 3, length / 3 + length / zoom);
  times.sort((a, b) => a - b);
  told.append(`events ${trace.start.length * 2 + trace.markTime.length}\nruns ${trace.start.length}\nrows ${trace.taskRows.length}\n` +
    `pictures ${times.length}\nmedian_ms ${times[times.length >> 1].toFixed(2)}\nnearly_all_ms ${times[Math.floor(times.length * 0.95)].toFixed(2)}\nmost_ms ${times[times.length - 1].toFixed(2)}\n` +
    `ready_ms ${window.ready.toFixed(0)}\nend\n`);
})();
