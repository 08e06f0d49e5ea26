// Entry of the process that runs the compilers of a project.

import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { realPathWithin } from "../../os/real-path.js";
import type { Compiled, Compiling } from "./compiler-process.js";

const maxSource = 1 << 20;
const maxOutput = 16 << 20;
const require = createRequire(import.meta.url);
const folder = resolve(process.argv[2]!);

type Output = { status: "ok" } | { status: "error"; message: string };
/** The members of the packages that are used. */
type Compilers = {
  runTolkCompiler(options: {
    entrypointFileName: string;
    fsReadCallback: (path: string) => string;
  }): Promise<Output>;
  compileFunc(options: {
    targets: string[];
    sources: (path: string) => string;
    debugInfo: true;
  }): Promise<Output>;
};

/** A source file of the project. */
function read(path: string): string {
  // Messages of compilers show lines of a file: a link must not lead to another one.
  const full = realPathWithin(folder, join(folder, path));
  if (full === undefined) throw new Error(`${path} is outside of the project`);
  if (statSync(full).size > maxSource) throw new Error(`${path} has more than 1 MiB`);
  return readFileSync(full, "utf8");
}

async function compile({ language, module, file }: Compiling): Promise<Compiled> {
  const compilers = require(module) as Compilers;
  const output =
    language === "tolk"
      ? await compilers.runTolkCompiler({ entrypointFileName: file, fsReadCallback: read })
      : await compilers.compileFunc({ targets: [file], sources: read, debugInfo: true });
  if (output.status !== "ok") return { failure: output.message };
  // The assembler's text is as long as all else together, and nothing reads it.
  const text = JSON.stringify({ ...output, fiftCode: undefined });
  return text.length > maxOutput ? { failure: "its output has more than 16 MiB" } : { output: text };
}

// The command has ended.
process.once("disconnect", () => process.exit());
process.on("message", async (asked) => {
  process.send!(await compile(asked as Compiling).catch((error) => ({ failure: String(error) })));
});
