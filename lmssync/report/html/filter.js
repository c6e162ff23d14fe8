"use strict";
{
  const form = document.getElementById("filter");
  const changes = [...document.querySelectorAll("details.change")];
  const said = form?.querySelector("output");
  const texts = new Map();
  const text = (one) => {
    if (!texts.has(one)) texts.set(one, one.textContent.toLowerCase());
    return texts.get(one);
  };
  const show = () => {
    const wanted = form.elements.text.value.trim().toLowerCase().split(/\s+/);
    const action = form.elements.action.value;
    const effect = form.elements.effect?.value;
    let shown = 0;
    for (const one of changes) {
      one.hidden =
        (action && one.dataset.action !== action) ||
        (effect && one.dataset.effect !== effect) ||
        !wanted.every((word) => text(one).includes(word));
      shown += !one.hidden;
    }
    for (const section of document.querySelectorAll("section.changes")) {
      section.hidden = !section.querySelector("details.change:not([hidden])");
    }
    said.textContent = shown === changes.length ? "" : `${shown} of ${changes.length} shown`;
  };
  if (form) {
    form.hidden = false;
    form.addEventListener("input", show);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.elements.open.addEventListener("click", ({ target }) => {
      const open = target.textContent === "Open all";
      for (const one of changes) one.open = open && !one.hidden;
      target.textContent = open ? "Close all" : "Open all";
    });
  }
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = changes.filter((one) => !one.open);
    for (const one of closed) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of closed) one.open = false;
  });
}
