// Opens pages in a real Chromium and looks at every frame in them, as a person does who reads all
// of it. Ends when the browser has connected for the `<link rel="preconnect">` of a page of its own,
// so that it has had the time for those before. Reads an order from standard input.
//
// A window of one's own, because a private one makes no connection before it needs it.
import { readFileSync } from "node:fs";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createServer } from "node:net";

const order = JSON.parse(readFileSync(0, "utf-8"));
const { chromium } = createRequire(`${order.place}/`)("playwright-core");
const context = await chromium.launchPersistentContext("", {
  executablePath: order.chromium,
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
});
const last = createServer().listen(0, "127.0.0.1");
try {
  await once(last, "listening");
  const page = await context.newPage();
  for (const path of order.paths) {
    await page.goto(order.base + path, { waitUntil: "domcontentloaded" });
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
    });
    for (const frame of await page.locator("iframe:visible").all()) {
      await frame.scrollIntoViewIfNeeded();
      await (await (await frame.elementHandle()).contentFrame()).waitForLoadState("domcontentloaded");
    }
  }
  const connected = once(last, "connection");
  await page.evaluate((port) => {
    const link = document.createElement("link");
    link.rel = "preconnect";
    link.href = `http://127.0.0.1:${port}`;
    document.head.append(link);
  }, last.address().port);
  const [socket] = await connected;
  socket.destroy();
} finally {
  last.close();
  await context.close();
}
