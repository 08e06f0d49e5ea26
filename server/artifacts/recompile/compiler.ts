import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { ifJson } from "../../../shared/values/json.js";

const packages = { tolk: "@ton/tolk-js", func: "@ton-community/func-js" } as const;
export type Language = keyof typeof packages;

/** A compiler that a project has installed. */
export type Compiler = {
  readonly language: Language;
  /** Path of its module. */
  readonly module: string;
  /** Name and version of its package. */
  readonly name: string;
};

export const compilerPackages: readonly string[] = Object.values(packages);

/** The compiler of a language among the packages of a project; nothing is installed. */
export function compilerIn(folder: string, language: Language): Compiler | undefined {
  const name = packages[language];
  const module = resolved(folder, name);
  return module === undefined
    ? undefined
    : { language, module, name: `${name} ${versionOf(name, dirname(module))}`.trim() };
}

function resolved(folder: string, name: string): string | undefined {
  try {
    return createRequire(join(resolve(folder), "package.json")).resolve(name);
  } catch {
    // It is not installed.
    return undefined;
  }
}

/** The version in the `package.json` above a module; empty if there is none. */
function versionOf(name: string, folder: string): string {
  const about = packageAt(folder);
  if (about?.name === name) return typeof about.version === "string" ? about.version.slice(0, 50) : "";
  return dirname(folder) === folder ? "" : versionOf(name, dirname(folder));
}

function packageAt(folder: string): { name?: unknown; version?: unknown } | undefined {
  try {
    const about = ifJson(readFileSync(join(folder, "package.json"), "utf8"));
    return typeof about === "object" && about !== null ? about : undefined;
  } catch {
    // The folder is inside of the package.
    return undefined;
  }
}
