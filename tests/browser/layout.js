() => {
  const problems = [], shown = (one) => one.checkVisibility() && one.getClientRects().length && !one.closest(".unseen, .skip");
  const says = (one, what) => problems.push(`${what}: ${one.outerHTML.slice(0, 120)}`);
  for (const one of document.querySelectorAll("body *")) {
    if (!shown(one) || one.closest("svg")) continue;
    const style = getComputedStyle(one), scrolls = /auto|scroll/.test(style.overflowX + style.overflowY);
    const own = Array.from(one.childNodes).some((node) => node.nodeType === 3 && node.data.trim());
    if (own && !scrolls && !/^(TEXTAREA|SELECT|OPTION|INPUT)$/.test(one.tagName) && style.overflowX !== "visible"
        && one.scrollWidth > one.clientWidth + 1) says(one, "cut");
    if (!own || one.closest("pre, .code, .long")) continue;
    for (const node of one.childNodes) {
      if (node.nodeType !== 3) continue;
      for (const word of node.data.matchAll(/[A-Za-z\u05d0-\u05ea]{2,18}/g)) {
        const range = document.createRange();
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        const lines = new Set(Array.from(range.getClientRects(), (box) => Math.round(box.top)));
        if (lines.size > 1 && !one.closest("code, dd, .quiet, .id")) says(one, `broken inside ${word[0]}`);
      }
    }
  }
  const blocks = Array.from(document.querySelectorAll(".surface, footer, h1, main > p, .tally, .badge, th, .points")).filter(shown);
  for (const [place, one] of blocks.entries()) for (const other of blocks.slice(place + 1)) {
    if (one.contains(other) || other.contains(one)) continue;
    const a = one.getBoundingClientRect(), b = other.getBoundingClientRect();
    const over = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top), beside = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const is_apart = [one, other].some((each) => each.closest(".everybody, .pdf, .sources, thead"));
    if (over > 1 && beside > 1 && !is_apart) says(one, `covers ${other.outerHTML.slice(0, 60)}`);
    if (over <= 1 && over > -3 && beside > 40 && one.matches(".surface, .tally, footer") && other.matches(".surface, .tally, footer, main > p")) says(one, `touches ${other.outerHTML.slice(0, 60)}`);
  }
  const ring = document.querySelector(".score strong");
  if (ring) {
    const box = ring.getBoundingClientRect(), round = ring.closest(".score").getBoundingClientRect();
    const far = Math.hypot(box.width / 2, Math.max(Math.abs(box.top - round.top - round.height / 2), Math.abs(box.bottom - round.top - round.height / 2)));
    if (far > 0.39 * round.width) says(ring, "touches the ring");
  }
  if (document.documentElement.scrollWidth > innerWidth) problems.push("scrolls sideways");
  return problems;
}
