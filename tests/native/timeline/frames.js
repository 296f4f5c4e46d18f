// Draws a large timeline PICTURES times (a number before this script), at every zoom, and tells how many it was of
// in #told. What that took is measured from outside, in CPU time: the machine may have other work.
(function () {
  const told = document.body.appendChild(document.createElement("pre"));
  told.id = "told";
  told.style.display = "none";
  const { trace, picture, show } = window.timeline, length = trace.length;
  for (let i = 0; i < PICTURES; i++) {
    const zoom = 2 ** ((i * 17) / PICTURES), from = (length - length / zoom) * ((i % 5) / 5);
    if (i === PICTURES / 2) document.getElementById("rows").click();
    show(from, from + length / zoom);
    picture.draw();
    picture.pen.getImageData(0, 0, 1, 1); // so that it is drawn, not only said
  }
  told.append(`runs ${trace.start.length}\nrows ${trace.taskRows.length}\nend\n`);
})();
