import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Context, run } from "../../server/cli/run.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

type Failed = { transactions: { hash: string; description: { aborted?: boolean } }[] };

let service: DevnetService;
/** A transaction that succeeded, and one that failed. */
let hashes: { fine: string; failed: string };
beforeAll(async () => {
  service = await sharedService("story");
  const { transactions } = await service.run<Failed>("v3.transactions", { limit: 500 });
  const hashOf = (isFailed: boolean) =>
    transactions.find(({ description }) => description.aborted === isFailed)!.hash;
  hashes = { fine: hashOf(false), failed: hashOf(true) };
});
afterAll(() => service.close());

/** Runs the command; returns what it printed and its exit code. */
async function debug(...args: string[]) {
  const printed: string[] = [];
  const errors: string[] = [];
  const context = {
    env: {},
    version: "1.2.3",
    print: (line: string) => void printed.push(line),
    printError: (line: string) => void errors.push(line),
    terminal: { isTerminal: false, write: () => {} },
  } as unknown as Context;
  const code = await run(["debug", ...args, "--url", service.url, "--key", service.key], context);
  return { code, text: printed.join("\n"), errors };
}

describe("tonwire debug", () => {
  it("says how a transaction ended, then its dearest instructions and its last steps", async () => {
    const { code, text } = await debug(hashes.failed);
    expect(code).toBe(0);
    const lines = text.split("\n");
    expect(lines[0]).toMatch(/^EQ\S+ has no code\.$/);
    expect(lines.slice(1, 3).join()).toMatch(/\d+ steps, fees of [\d.]+ TON/);
    const { text: all } = await debug(hashes.fine, "--steps");
    expect(all.split("\n")[0]).toMatch(/succeeded$/);
    for (const part of ["dearest instructions:", "steps:", "INSTRUCTION"]) expect(all).toContain(part);
  });

  it("compares the gas with a saved run, and fails if it uses more than the limit", async () => {
    const saved = join(temporaryFolder(), "saved.json");
    const { text } = await debug(hashes.fine, "--json");
    writeFileSync(saved, text);
    expect(JSON.parse(text)).not.toHaveProperty("all_steps");
    expect((await debug(hashes.fine, "--compare", saved)).code).toBe(0);
    const cheaper = JSON.parse(readFileSync(saved, "utf8"));
    cheaper.gas.used = String(Math.floor(Number(cheaper.gas.used) * 0.97));
    writeFileSync(saved, JSON.stringify(cheaper));
    const { code, text: difference } = await debug(hashes.fine, "--compare", saved, "--limit", "2%");
    expect(code).toBe(1);
    expect(difference).toMatch(/gas: \d+ before, \d+ now \(\+3\.\d+%\)/);
    expect((await debug(hashes.fine, "--compare", saved, "--limit", "5%")).code).toBe(0);
  });

  it("writes profiles of the gas for viewers", async () => {
    const folder = temporaryFolder();
    const contents: string[] = [];
    for (const name of ["a.cpuprofile", "a.speedscope.json", "a.json", "a.txt"]) {
      const path = join(folder, name);
      expect((await debug(hashes.fine, "--profile", path)).code).toBe(0);
      contents.push(readFileSync(path, "utf8"));
    }
    const [chrome, speedscope, json] = contents.slice(0, 3).map((text) => JSON.parse(text));
    expect(chrome).toHaveProperty("nodes");
    expect(speedscope).toHaveProperty("profiles");
    expect(json).toHaveProperty("entries");
    expect(contents[3]).toMatch(/^\S.* \d+$/m);
  });

  it("refuses what is no hash, no file, and no transaction", async () => {
    expect((await debug("5")).code).toBe(2);
    const { code, errors } = await debug("ab".repeat(32));
    expect([code, errors]).toEqual([1, [expect.stringContaining("transaction was not found")]]);
    const missing = await debug(hashes.fine, "--compare", join(temporaryFolder(), "none"));
    expect([missing.code, missing.errors.join()]).toEqual([1, expect.stringContaining("cannot be read")]);
  });
});
