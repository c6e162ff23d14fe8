// What the extension uses of the editor and of its client, for tests: it notes what is done to it.

export const done: string[] = [];
export const settings = { command: [] as string[], folders: ["/catalog"], failure: "" };
type Listener = (change: { affectsConfiguration(name: string): boolean }) => void;
let hear: Listener = () => {};
const known = new Map<string, () => Promise<void>>();

export const workspace = {
  get workspaceFolders() {
    return settings.folders.map((fsPath) => ({ uri: { fsPath } }));
  },
  getConfiguration: () => ({ get: () => settings.command }),
  onDidChangeConfiguration: (listener: Listener) => void (hear = listener),
};

export const commands = {
  registerCommand: (name: string, run: () => Promise<void>) => known.set(name, run),
};

export const window = { showErrorMessage: async (text: string) => void done.push(text) };

export class LanguageClient {
  readonly #words: string;

  constructor(_id: string, _name: string, start: { command: string; args: string[] }) {
    this.#words = [start.command, ...start.args].join(" ");
  }

  async start(): Promise<void> {
    done.push(`start ${this.#words}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (settings.failure) {
      throw new Error(settings.failure);
    }
    done.push("started");
  }

  async stop(): Promise<void> {
    done.push("stop");
  }
}

/** Runs a command of the palette. */
export async function runCommand(name: string): Promise<void> {
  await known.get(name)?.();
}

/** Says that a setting has changed. */
export function changeSetting(changed: string): void {
  hear({ affectsConfiguration: (name) => name === changed });
}
