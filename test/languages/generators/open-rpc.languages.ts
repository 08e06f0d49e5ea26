import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { expectAnswers, nineCalls } from "../harness/nine-calls.js";
import { useNpm } from "../harness/packages.js";
import { describeTool, type Workshop } from "../harness/workshop.js";
import { versions } from "../versions.js";
import { sourceOf, strictTypeScript, wrongAddress } from "./shared.js";

// The clients that @open-rpc/generator makes of /openrpc.json, within the heap that CI machines give.

const tool = "@open-rpc/generator";
const heap = { NODE_OPTIONS: "--max-old-space-size=512" };
const allButUnprocessable = [
  "seqno",
  "balance",
  "supply",
  "transactions",
  "jettons",
  "trace",
  "transfers",
  "missing",
] as const;
const generated = "client/typescript/src/index.ts";

async function generate({ folder, run, write }: Workshop, language: "typescript" | "rust"): Promise<void> {
  rmSync(join(folder, "client", language), { recursive: true, force: true });
  write("openrpc.json", await (await fetch(`${inject("devnet").url}/openrpc.json`)).text());
  const args = ["generate", "-t", "client", "-l", language, "-n", "tonwire", "-d", "openrpc.json", "-o", "."];
  await run("npx", ["--no-install", "open-rpc-generator", ...args], heap);
}

/**
 * Its template writes names as they are: methods with a dot and members with an at sign need quotes, and a parameter that is
 * named as a keyword needs another name, which callers never write.
 */
function withQuotedNames(source: string): string {
  return source
    .replace(/^ {2}public (\w+\.[\w.]+):/gm, '  public "$1":')
    .replace(/^ {2}(@\w+)(\??:)/gm, '  "$1"$2')
    .replace(/([(,] ?)function: /g, "$1function_: ");
}

describeTool(`${tool} ${versions.npm[tool]}`, ["npm"], (workshop) => {
  it("makes a client in TypeScript that compiles once names are quoted, and nine calls by it", async () => {
    await useNpm(workshop, tool, "@types/node", "typescript");
    await generate(workshop, "typescript");
    workshop.write(generated, withQuotedNames(readFileSync(join(workshop.folder, generated), "utf8")));
    const quiet = ["--omit=dev", "--no-audit", "--no-fund", "--silent", "--ignore-scripts"];
    await workshop.run("npm", ["install", "--prefix", "client/typescript", ...quiet]);
    workshop.copy(sourceOf("open_rpc_calls.ts"), "calls.ts");
    // It is a CommonJS package in its folder. Types of its libraries are not strict.
    const { outDir: _, ...strict } = strictTypeScript;
    const compilerOptions = { ...strict, esModuleInterop: true, skipLibCheck: true };
    workshop.write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["calls.ts"] }));
    await workshop.run("npx", ["--no-install", "tsc"]);
    const env = { ...(await nineCalls()), TON_WRONG_ADDRESS: wrongAddress };
    const printed = JSON.parse(await workshop.run("node", ["calls.js"], env)) as Record<string, unknown>;
    const { unprocessable, ...others } = printed;
    // JSON-RPC names another verb than REST.
    expect(unprocessable).toEqual([422, expect.stringContaining(wrongAddress)]);
    await expectAnswers(JSON.stringify(others), allButUnprocessable);
  });

  it("makes a client in Rust that cannot call methods, whose names it changes", async () => {
    await useNpm(workshop, tool);
    await generate(workshop, "rust");
    const source = readFileSync(join(workshop.folder, "client/rust/src/index.rs"), "utf8");
    // Its macro sends a function's name as the name of the method.
    expect(source).toContain("jsonrpc_client!(pub struct Tonwire {");
    expect(source).toMatch(/pub fn GetMasterchainInfo\b/);
    expect(source).not.toMatch(/pub fn getMasterchainInfo\b/);
  });
});
