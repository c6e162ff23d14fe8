// Watches a served preview in a real Chromium while a file of the catalog is edited. Reads an order
// from standard input, writes what it saw as JSON.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const order = JSON.parse(readFileSync(0, "utf-8"));
const { chromium } = createRequire(`${order.place}/`)("playwright-core");
const browser = await chromium.launch({
  executablePath: order.chromium,
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
});
try {
  const page = await browser.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(order.base + order.path);
  await page.evaluate(() => { document.querySelector("details").open = true; });
  const text = readFileSync(order.file, "utf-8");
  for (let letters = 1; letters <= order.new.length; letters++) {
    writeFileSync(order.file, text.replace(order.old, order.new.slice(0, letters)));
    await new Promise((done) => setTimeout(done, 30));
  }
  const seen = (words) => document.body.innerText.includes(words);
  await page.waitForFunction(seen, order.new, { timeout: 30_000 });
  await page.waitForLoadState();
  const open = await page.evaluate(() => document.querySelector("details").open);
  process.stdout.write(JSON.stringify({ errors, open }));
} finally {
  await browser.close();
}
