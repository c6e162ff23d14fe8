// Looks at pages in a real Chromium: what axe-core says of each, whether it is wider than the
// window, what its headings are. Reads an order from standard input, writes its findings as JSON.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const order = JSON.parse(readFileSync(0, "utf-8"));
const require = createRequire(`${order.place}/`);
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf-8");

async function look(page, { path, width, scheme, picture }) {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: scheme });
  await page.goto(order.base + path);
  if (picture) await page.screenshot({ path: picture, fullPage: true });
  await page.evaluate(axe);
  return page.evaluate(async () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
    const { violations } = await axe.run(document, { iframes: false });
    const clipped = [...document.querySelectorAll("header, header *, h1, h2, h3, nav a")];
    return {
      violations: violations.map(({ id, nodes }) => ({ id, where: nodes.map((n) => n.html) })),
      overflow: document.documentElement.scrollWidth - window.innerWidth,
      clipped: clipped
        .filter((e) => e.getBoundingClientRect().right > window.innerWidth + 1)
        .map((e) => e.outerHTML.slice(0, 200)),
      header: document.querySelector("header").getBoundingClientRect().height,
      headings: [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].map((e) => e.tagName),
    };
  });
}

const browser = await chromium.launch({
  executablePath: order.chromium,
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
});
try {
  const page = await browser.newPage();
  const found = [];
  for (const one of order.looks) found.push(await look(page, one));
  process.stdout.write(JSON.stringify(found));
} finally {
  await browser.close();
}
