import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { runInNewContext } from "node:vm";
import { expect, it, onTestFinished } from "vitest";
import { framed, MessageReader } from "../../server/debug-adapter/framing.js";
import { startCounter } from "../helpers/debug/counter-runs.js";
import { programArguments } from "../helpers/services/program.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const folder = fileURLToPath(new URL("../../server/debug-adapter/vscode/", import.meta.url));
const main = programArguments(new URL("../../server/main.ts", import.meta.url));

type Configuration = Readonly<Record<string, unknown>>;
type Provider = {
  resolveDebugConfiguration: (folder: undefined, given: Configuration) => Promise<Configuration | undefined>;
};
type Factory = {
  createDebugAdapterDescriptor: (session: object) => {
    command: string;
    args: string[];
    options: { cwd: string };
  };
};

/** The extension as the editor loads it. `answer`: what a user types. */
function activated(answer: string | undefined): { provider: Provider; factory: Factory } {
  const registered: { provider?: Provider; factory?: Factory } = {};
  const vscode = {
    debug: {
      registerDebugConfigurationProvider(type: string, provider: Provider) {
        registered.provider = type === "tonwire" ? provider : undefined!;
      },
      registerDebugAdapterDescriptorFactory(type: string, factory: Factory) {
        registered.factory = type === "tonwire" ? factory : undefined!;
      },
    },
    window: { showInputBox: async () => answer },
    DebugAdapterExecutable: class {
      readonly command: string;
      readonly args: string[];
      readonly options: object;
      constructor(command: string, args: string[], options: object) {
        this.command = command;
        this.args = args;
        this.options = options;
      }
    },
  };
  const { main: entry } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const path = join(folder, entry);
  const required = createRequire(path);
  const load = Object.assign((name: string) => (name === "vscode" ? vscode : required(name)), {
    resolve: required.resolve,
  });
  const exports: { activate?: (context: { subscriptions: unknown[] }) => void } = {};
  const code = runInNewContext(
    `(function (require, exports, __dirname, process) {${readFileSync(path, "utf8")}\n})`,
  );
  code(load, exports, folder, process);
  exports.activate!({ subscriptions: [] });
  return registered as { provider: Provider; factory: Factory };
}

it("asks for a transaction unless the configuration names what is debugged", async () => {
  const { provider } = activated(" ab ");
  expect(await provider.resolveDebugConfiguration(undefined, {})).toEqual({
    ...{ type: "tonwire", request: "launch", name: "TON transaction" },
    transaction: "ab",
  });
  const given = { type: "tonwire", request: "launch", name: "Trace", trace: "cd" };
  expect(await provider.resolveDebugConfiguration(undefined, given)).toEqual(given);
  expect(await activated(undefined).provider.resolveDebugConfiguration(undefined, {})).toBeUndefined();
});

it("starts the adapter of the project, which debugs a transaction", async () => {
  const counter = await startCounter();
  onTestFinished(() => counter.close());
  const project = temporaryFolder();
  const installed = join(project, "node_modules", "tonwire-server");
  mkdirSync(join(installed, "dist", "server"), { recursive: true });
  const manifest = {
    name: "tonwire-server",
    type: "module",
    exports: { "./package.json": "./package.json" },
  };
  writeFileSync(join(installed, "package.json"), JSON.stringify(manifest));
  const program = pathToFileURL(main.at(-1)!).href;
  writeFileSync(join(installed, "dist", "server", "main.js"), `await import(${JSON.stringify(program)});\n`);
  const { provider, factory } = activated(counter.transactions.fails);
  const { command, args, options } = factory.createDebugAdapterDescriptor({
    workspaceFolder: { uri: { fsPath: project } },
  });
  const { PATH, HOME, TONWIRE_TEST_ENTRIES } = process.env;
  const child = spawn(command, [...main.slice(0, -1), ...args], {
    ...options,
    env: { PATH, HOME, TONWIRE_TEST_ENTRIES },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const send = (seq: number, request: string, given: object) =>
    child.stdin.write(framed(JSON.stringify({ seq, type: "request", command: request, arguments: given })));
  const configuration = await provider.resolveDebugConfiguration(undefined, {});
  send(1, "initialize", { adapterID: "tonwire" });
  send(2, "launch", { ...configuration, __sessionId: "x", service: counter.service.url });
  send(3, "configurationDone", {});
  const reader = new MessageReader();
  for await (const bytes of child.stdout)
    for (const text of reader.read(bytes)) {
      const { event, body, success = true, message } = JSON.parse(text);
      expect(success, message).toBe(true);
      if (event !== "stopped") continue;
      expect(body).toMatchObject({ reason: "exception", text: expect.stringContaining("1100") });
      return;
    }
  expect.fail("the adapter has ended");
});
