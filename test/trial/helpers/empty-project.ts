import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { dependenciesOf, installPackage, linkPackage } from "./packages.js";

const execute = promisify(execFile);

/** A folder in which a user begins with the template, as packed, and with the packed packages. */
export type EmptyProject = {
  readonly folder: string;
  /** Runs the command of an installed package; resolves with what it printed. */
  run(command: string, args: readonly string[], env?: Record<string, string>): Promise<string>;
  /** Runs a script of the project. */
  node(script: string): Promise<void>;
  /** Starts Vite's server for development; resolves with its URL once it listens. */
  develop(env: Record<string, string>): Promise<{ readonly url: string; close(): Promise<void> }>;
  remove(): void;
};

/** Puts the files of a project into a folder, which has our packages in `node_modules`. */
type Begin = (folder: string) => void | Promise<void>;

const copyTemplate: Begin = (folder) =>
  cpSync(join(folder, "node_modules/tonwire/client/examples/vite"), folder, { recursive: true });

/**
 * Installs without a network: packs our packages and unpacks them, and links other packages from here. `more` are
 * packages that the project does not name; `begin` makes the project, by default of the template of a page.
 */
export async function emptyProject(more: readonly string[], begin = copyTemplate): Promise<EmptyProject> {
  const scratch = mkdtempSync(join(tmpdir(), "tonwire-trial-"));
  const folder = join(scratch, "project");
  const installed = join(folder, "node_modules");
  const ours = ["tonwire", "tonwire-server"] as const;
  for (const name of ours) await installPackage(name, installed, scratch);
  await begin(folder);
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  // The environment of this project's tests is not the newcomer's.
  const { NODE_OPTIONS: _, NODE_ENV: __, VITEST: ___, ...inherited } = process.env;
  const others = new Set([
    ...Object.keys({ ...dependencies, ...devDependencies }),
    ...ours.flatMap(dependenciesOf),
    ...more,
  ]);
  for (const name of ours) others.delete(name);
  for (const name of others) linkPackage(name, installed);
  return {
    folder,
    async run(command, args, env = {}) {
      const script = binaryOf(command, installed);
      const options = { cwd: folder, env: { ...inherited, ...env }, maxBuffer: 1e8 };
      try {
        const { stdout, stderr } = await execute(process.execPath, [script, ...args], options);
        return stdout + stderr;
      } catch (error) {
        const { stdout, stderr } = error as { stdout?: string; stderr?: string };
        throw new Error(`${command} ${args.join(" ")} failed:\n${stdout}\n${stderr}`, { cause: error });
      }
    },
    async node(script) {
      await execute(process.execPath, [script], { cwd: folder, env: inherited });
    },
    async develop(env) {
      const script = binaryOf("vite", installed);
      const arguments_ = [script, "--host", "127.0.0.1", "--port", "0"];
      const child = spawn(process.execPath, arguments_, {
        cwd: folder,
        env: { ...inherited, NO_COLOR: "1", ...env },
      });
      const ended = once(child, "exit");
      let printed = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (printed += text));
      const listening = () => /http:\/\/\S+\/(?=\s)/.exec(printed)?.[0];
      while (listening() === undefined) {
        if (child.exitCode !== null) throw new Error(`vite ended:\n${printed}`);
        await Promise.race([once(child.stdout, "data"), ended]);
      }
      return {
        url: listening()!,
        async close() {
          child.kill();
          await ended;
        },
      };
    },
    remove: () => rmSync(scratch, { recursive: true, force: true }),
  };
}

/** The script behind the command that a package brings under its own name. */
function binaryOf(command: string, installed: string): string {
  const name = command === "tsc" ? "typescript" : command;
  const { bin } = JSON.parse(readFileSync(join(installed, name, "package.json"), "utf8"));
  return join(installed, name, typeof bin === "string" ? bin : bin[command]);
}
