// How the language server is started; nothing here needs the editor, so the tests run it alone.

import { existsSync } from "node:fs";
import { join } from "node:path";

export interface Start {
  command: string;
  args: string[];
}

const SERVER = "language-server";

/** The program that a folder brings in its environment, where there is one. */
export function findInstalled(
  folder: string,
  platform: string = process.platform,
  exists: (path: string) => boolean = existsSync,
): string | undefined {
  const inside = platform === "win32" ? ["Scripts", "lmssync.exe"] : ["bin", "lmssync"];
  const path = join(folder, ".venv", ...inside);
  return exists(path) ? path : undefined;
}

/** What is run for the opened folders: the words of the setting, else what is installed. */
export function chooseStart(
  words: readonly string[],
  folders: readonly string[],
  find: (folder: string) => string | undefined = findInstalled,
): Start {
  const [command, ...args] = words;
  if (command !== undefined) {
    return { command, args: [...args, SERVER] };
  }
  const installed = folders.map((folder) => find(folder)).find((path) => path !== undefined);
  return { command: installed ?? "lmssync", args: [SERVER] };
}

/** The files whose texts the server is shown: manifests, and the prose and tables that they name. */
export const FILES = [
  { scheme: "file", language: "yaml" },
  { scheme: "file", language: "markdown" },
  { scheme: "file", language: "html" },
  { scheme: "file", pattern: "**/*.csv" },
  { scheme: "file", pattern: "**/*.{yaml,yml}.j2" },
];

/** What a person is told where the server does not start. */
export function describeFailure(start: Start, error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return (
    `\`${[start.command, ...start.args].join(" ")}\` did not start: ${why}. ` +
    "Install lmssync with the extra `editor`, or name its command in the setting `lmssync.command`."
  );
}
