import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { AbiError } from "../../../shared/ton/abi/abi-error.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { SetupError } from "../../errors.js";
import type { Artifact } from "../artifact.js";
import { cellIn, jsonIn } from "../compiled.js";
import { filesIn } from "../folder-files.js";
import { readArtifact } from "../formats.js";
import { type Compiler, compilerIn, compilerPackages, type Language } from "./compiler.js";
import { type Compiled, CompilerProcess } from "./compiler-process.js";

/** A contract of a project whose code the project's own compiler has made here. */
type Recompiled = {
  /** The output of the compiler. */
  readonly artifact: Artifact;
  readonly code: Cell;
  /** Name and version of the compiler's package. */
  readonly compiler: string;
};

type Recompilation = {
  /** The contract with one of the wanted hashes. */
  readonly found: Recompiled | undefined;
  /** Contracts that were compiled. */
  readonly compiled: number;
  /** Why others were not. */
  readonly failures: readonly string[];
};

const bounds = { files: 2000, depth: 8 } as const;
const maxSource = 1 << 20;
const maxContracts = 100;
const maxFailures = 5;
const maxFailure = 400;
/** Milliseconds of one contract, and of all. */
const times = { one: 60_000, all: 300_000 } as const;

const languages: Readonly<Record<string, Language>> = { ".tolk": "tolk", ".fc": "func", ".func": "func" };
/** A file with one of these functions is the first one of a contract. */
const entries: Readonly<Record<Language, RegExp>> = {
  tolk: /\bfun\s+(?:onInternalMessage|onExternalMessage|onRunTickTock|main)\b/,
  func: /\b(?:recv_internal|recv_external|run_ticktock|main)\s*\(/,
};

/**
 * Compiles the contracts of a project until one has a wanted code hash (base64). Throws a SetupError if the project has no contract, or no
 * compiler for one.
 */
export async function recompile(folder: string, wanted: readonly string[]): Promise<Recompilation> {
  const { contracts, failures } = await contractsIn(folder);
  const until = performance.now() + times.all;
  let compilers = new CompilerProcess(folder);
  let compiled = 0;
  try {
    for (const { file, compiler } of contracts) {
      const left = until - performance.now();
      if (left <= 0) {
        failures.push(`${file} and those after it: all together took more than ${times.all / 1000} s`);
        break;
      }
      if (compilers.isEnded) compilers = new CompilerProcess(folder);
      const { language, module } = compiler;
      const asked = { language, module, file };
      const output = read(file, await compilers.compile(asked, Math.min(times.one, left)));
      if (typeof output === "string") failures.push(`${file}: ${output}`);
      else {
        compiled++;
        if (wanted.includes(bytesToBase64(output.code.hash())))
          return { found: { ...output, compiler: compiler.name }, compiled, failures: [] };
      }
    }
  } finally {
    await compilers.close();
  }
  return { found: undefined, compiled, failures: shown(failures) };
}

type Contract = { readonly file: string; readonly compiler: Compiler };

async function contractsIn(folder: string): Promise<{ contracts: Contract[]; failures: string[] }> {
  const sources = await filesIn(folder, {
    isWanted: (name) => languageOf(name) !== undefined,
    ...bounds,
  }).catch((error: Error) => {
    throw new SetupError(`the project in ${folder} cannot be read: ${error.message}`);
  });
  const contracts: Contract[] = [];
  const missing = new Set<Language>();
  for (const file of sources) {
    const language = languageOf(file)!;
    const path = join(folder, file);
    if ((await stat(path)).size > maxSource || !entries[language].test(await readFile(path, "utf8")))
      continue;
    const compiler = compilerIn(folder, language);
    if (compiler) contracts.push({ file, compiler });
    else missing.add(language);
  }
  if (contracts.length > maxContracts)
    throw new SetupError(
      `${folder} has more than ${maxContracts} contracts: name the folder of some of them`,
    );
  if (contracts.length === 0)
    throw new SetupError(
      missing.size > 0
        ? `${folder} has no compiler: install ${compilerPackages.join(" or ")} there`
        : `${folder} has no contract in Tolk or FunC`,
    );
  const failures = [...missing].map((language) => `no compiler of ${language} is installed there`);
  return { contracts, failures };
}

function languageOf(file: string): Language | undefined {
  return languages[file.slice(file.lastIndexOf("."))];
}

/** A compiler's output, or why it is none. */
function read(file: string, compiled: Compiled): Pick<Recompiled, "artifact" | "code"> | string {
  if ("failure" in compiled) return compiled.failure;
  try {
    const output = jsonIn(compiled.output, "the output") as Readonly<Record<string, unknown>>;
    const artifact = readArtifact(file, output);
    return artifact
      ? { artifact, code: cellIn(output["codeBoc64"] ?? output["codeBoc"], "the code") }
      : "its compiler answers in an unknown form";
  } catch (error) {
    if (error instanceof AbiError) return error.message;
    throw error;
  }
}

function shown(failures: readonly string[]): string[] {
  const cut = failures.slice(0, maxFailures).map((each) => each.slice(0, maxFailure));
  return failures.length > maxFailures ? [...cut, `and ${failures.length - maxFailures} others`] : cut;
}
