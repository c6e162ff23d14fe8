// What the extension does in the editor: start, settings, failure, restart.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { ExtensionContext } from "vscode";
import { activate, deactivate } from "../src/extension";
import { changeSetting, done, runCommand, settings } from "./editor";

const STARTED = ["start lmssync language-server", "started"];

async function open(): Promise<void> {
  await activate({ subscriptions: [] } as unknown as ExtensionContext);
}

beforeEach(async () => {
  await deactivate();
  Object.assign(settings, { command: [], folders: ["/catalog"], failure: "" });
  done.length = 0;
});

test("a server is started when a catalog is opened, and stopped at the end", async () => {
  await open();
  await deactivate();
  assert.deepEqual(done, [...STARTED, "stop"]);
});

test("without a folder as well", async () => {
  settings.folders = [];
  await open();
  assert.deepEqual(done, STARTED);
});

test("another command in the settings starts another server", async () => {
  await open();
  settings.command = ["uv", "run", "lmssync"];
  changeSetting("lmssync.command");
  changeSetting("editor.fontSize");
  await deactivate();
  assert.deepEqual(done, [...STARTED, "stop", "start uv run lmssync language-server", "started", "stop"]);
});

test("a program that is missing is named with the remedy, and a restart tries again", async () => {
  settings.failure = "spawn lmssync ENOENT";
  await open();
  assert.match(done[1] ?? "", /did not start: spawn lmssync ENOENT\. Install lmssync/);
  settings.failure = "";
  await runCommand("lmssync.restart");
  assert.deepEqual(done.slice(2), STARTED);
});

test("who asks twice gets one server after the other", async () => {
  await open();
  await Promise.all([runCommand("lmssync.restart"), runCommand("lmssync.restart")]);
  assert.deepEqual(done, [...STARTED, "stop", ...STARTED, "stop", ...STARTED]);
});
