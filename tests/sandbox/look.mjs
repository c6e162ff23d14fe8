// Looks at pages in a real Chromium: what axe-core says of each, whether it is wider than the
// window, what its headings are, what it logs and asks for, what of it a filter leaves. Reads an
// order from standard input, writes its findings as JSON.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const order = JSON.parse(readFileSync(0, "utf-8"));
const require = createRequire(`${order.place}/`);
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf-8");

// What a filter leaves of the changes in a report.
async function filtered(page, { text = "", ...chosen }) {
  await page.getByLabel("Text").fill(text);
  for (const [name, value] of Object.entries(chosen)) await page.getByLabel(name).selectOption(value);
  return page.locator("details.change:visible > summary").allInnerTexts();
}

async function look(page, { path, width, scheme, media, picture, height, filters }) {
  const heard = [];
  page.removeAllListeners();
  page.on("console", (message) => heard.push(message.text()));
  page.on("pageerror", (error) => heard.push(error.message));
  page.on("request", (request) => heard.push(request.url()));
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: scheme, media: media ?? "screen" });
  await page.goto(order.base + path);
  const clip = height ? { x: 0, y: 0, width, height } : undefined;
  if (picture) await page.screenshot({ path: picture, fullPage: true, clip });
  await page.evaluate(axe);
  const seen = await page.evaluate(async () => {
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
  for (const frame of await page.locator("iframe:visible").all()) await frame.scrollIntoViewIfNeeded();
  const left = [];
  for (const one of filters ?? []) left.push(await filtered(page, one));
  return { ...seen, heard, left };
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
