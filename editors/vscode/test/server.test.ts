// What the extension runs, and that a real server answers as the extension talks to it.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import {
  StreamMessageReader,
  StreamMessageWriter,
  createMessageConnection,
} from "vscode-languageserver-protocol/node";
import { chooseStart, describeFailure, findInstalled } from "../src/server";

test("the setting names the whole command", () => {
  const start = chooseStart(["uv", "run", "lmssync"], ["/catalog"], () => "/other");
  assert.deepEqual(start, { command: "uv", args: ["run", "lmssync", "language-server"] });
});

test("without it the environment of an opened folder is taken", () => {
  const start = chooseStart([], ["/a", "/b"], (folder) => (folder === "/b" ? "/b/x" : undefined));
  assert.deepEqual(start, { command: "/b/x", args: ["language-server"] });
});

test("and else what the system finds", () => {
  assert.equal(chooseStart([], ["/a"], () => undefined).command, "lmssync");
});

test("Windows keeps programs of an environment elsewhere", () => {
  const found = findInstalled("/a", "win32", () => true);
  assert.equal(found, join("/a", ".venv", "Scripts", "lmssync.exe"));
});

test("a failure names the command and the remedy", () => {
  const said = describeFailure({ command: "no", args: ["language-server"] }, new Error("ENOENT"));
  assert.match(said, /`no language-server` did not start: ENOENT/);
  assert.match(said, /lmssync\.command/);
});

const program = process.env["LMSSYNC"];

test("the server shows the problems of an opened file", { skip: !program }, async () => {
  const root = mkdtempSync(join(tmpdir(), "lmssync-"));
  writeFileSync(join(root, "lmssync.yaml"), "version: 1\n");
  const start = chooseStart([program ?? ""], [root]);
  const server = spawn(start.command, start.args, { stdio: ["pipe", "pipe", "inherit"] });
  const connection = createMessageConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  const uri = pathToFileURL(join(root, "a.yaml")).toString();
  const shown = new Promise<string[]>((resolve) => {
    connection.onNotification("textDocument/publishDiagnostics", (params) => {
      if (params.uri === uri) {
        resolve(params.diagnostics.map((one: { code: string }) => one.code));
      }
    });
  });
  connection.listen();
  const folder = { uri: pathToFileURL(root).toString(), name: "catalog" };
  await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: folder.uri,
    capabilities: {},
    workspaceFolders: [folder],
  });
  await connection.sendNotification("initialized", {});
  const text = "resource: course\nkey: a\nkind: courseGruop\ntitle: A\n";
  const document = { uri, languageId: "yaml", version: 1, text };
  await connection.sendNotification("textDocument/didOpen", { textDocument: document });
  assert.deepEqual(await shown, ["kind-value"]);
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  connection.dispose();
});
