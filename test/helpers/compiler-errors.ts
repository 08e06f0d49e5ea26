import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
/** A folder in which packages are found as in this project. */
const place = join(import.meta.dirname, "../../dist");

const compilerOptions = {
  target: "es2022",
  module: "nodenext",
  lib: ["es2023", "dom"],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  skipLibCheck: true,
  noEmit: true,
};

/** What TypeScript's compiler prints for programs, by the names of their files without an ending. They can import each other. */
export async function compilerErrors(programs: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(place, "compiled-"));
  try {
    for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, `${name}.ts`), text);
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
    return await new Promise((resolve) => {
      execFile(process.execPath, [tsc, "-p", folder, "--pretty", "false"], (_, stdout, stderr) =>
        resolve(stdout.replaceAll(/^.*compiled-\w+\//gm, "") + stderr),
      );
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
