import { execFile, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe } from "vitest";

const execute = promisify(execFile);

/** Outside the repository, and kept: what a run installs and compiles, the next run finds there. */
const cache = join(tmpdir(), "tonwire-languages");

/** Shared by programs in Rust, which compile their dependencies. */
const compilers = { CARGO_TARGET_DIR: join(cache, "rust-target"), CARGO_BUILD_JOBS: "1" };

/** A folder in which a tool of another language is installed and its programs run. */
export type Workshop = {
  readonly folder: string;
  /** Runs a command in the folder; resolves with what it wrote to standard output. */
  run(command: string, args: readonly string[], env?: Record<string, string>): Promise<string>;
  /** Copies a file or folder into the folder: under its own name, or as `name`. */
  copy(source: string, name?: string): void;
  write(name: string, text: string): void;
};

/** A suite for a tool that needs commands; without one of them the suite is skipped, with the reason in its name. */
export function describeTool(
  name: string,
  commands: readonly string[],
  body: (workshop: Workshop) => void,
): void {
  const missing = commands.filter((command) => !isInstalled(command));
  const folder = name.replace(/[^\w.-]+/g, "-");
  if (missing.length === 0) describe(name, () => body(workshopAt(join(cache, folder))));
  else describe.skip(`${name} (not installed: ${missing.join(", ")})`, () => body(workshopAt(folder)));
}

function isInstalled(command: string): boolean {
  return spawnSync(command, ["--version"], { stdio: "ignore" }).error === undefined;
}

function workshopAt(folder: string): Workshop {
  // A user of the tool does not have the environment of this project's tests.
  const { NODE_OPTIONS: _, NODE_ENV: __, VITEST: ___, ...inherited } = process.env;
  const ready = (name: string) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    return path;
  };
  return {
    folder,
    async run(command, args, env = {}) {
      mkdirSync(folder, { recursive: true });
      const options = {
        cwd: folder,
        env: { ...inherited, ...compilers, NO_COLOR: "1", ...env },
        maxBuffer: 1e8,
      };
      try {
        return (await execute(command, args, options)).stdout;
      } catch (error) {
        const { stdout, stderr } = error as { stdout?: string; stderr?: string };
        const printed = [stdout, stderr].map((text) => (text ?? "").slice(-8000)).join("\n");
        throw new Error(`${command} ${args.join(" ")} failed:\n${printed}`);
      }
    },
    copy: (source, name = basename(source)) => cpSync(source, ready(name), { recursive: true }),
    write: (name, text) => writeFileSync(ready(name), text),
  };
}
