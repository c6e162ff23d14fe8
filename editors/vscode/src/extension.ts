// The extension: starts `lmssync language-server` for the opened folders, and starts it again when asked.

import { commands, window, workspace, type ExtensionContext } from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { FILES, chooseStart, describeFailure } from "./server";

let client: LanguageClient | undefined;

async function startServer(): Promise<void> {
  const folders = (workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
  const words = workspace.getConfiguration("lmssync").get<string[]>("command", []);
  const start = chooseStart(words, folders);
  const made = new LanguageClient("lmssync", "lmssync", start, { documentSelector: FILES });
  client = made;
  try {
    await made.start();
  } catch (error) {
    client = undefined;
    void window.showErrorMessage(describeFailure(start, error));
  }
}

async function stopServer(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.stop();
}

let turn: Promise<void> = Promise.resolve();

/** One after the other: a server that is starting cannot be stopped. */
function restartServer(): Promise<void> {
  turn = turn.then(stopServer).then(startServer);
  return turn;
}

export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(
    commands.registerCommand("lmssync.restart", restartServer),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("lmssync.command")) {
        void restartServer();
      }
    }),
  );
  await restartServer();
}

export async function deactivate(): Promise<void> {
  await turn.then(stopServer);
}
