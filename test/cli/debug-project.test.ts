import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { place, testAddress } from "../helpers/contracts/contracts.js";
import { compile } from "../helpers/contracts/tolk.js";
import { funcCounter, funcCounterCode, lineOf } from "../helpers/debug/func-counter.js";
import { projectWith } from "../helpers/debug/project.js";
import type { V3Result } from "../helpers/http/v3-results.js";
import { tonwireHere } from "../helpers/services/command-here.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { untilIndexed } from "../helpers/services/until-indexed.js";

const keeperSource = "fun onInternalMessage(in: InMessage) { throw 77; }";
/** In the project each line of the contract is one further down. */
const include = '#include "stdlib.fc";\n';
const sources = Object.fromEntries(
  funcCounter.snapshot.map(({ filename, content }) => [
    filename,
    filename === "counter.fc" ? include + content : content,
  ]),
);
const compilers = ["@ton/tolk-js", "@ton-community/func-js"];

let service: DevnetService;
/** Transactions of a contract in FunC, which fails, and of one in Tolk. */
let hashes: { counter: string; keeper: string };
beforeAll(async () => {
  service = await sharedService("indexed");
  // A map with the right code, whose lines are wrong.
  const { debugInfo } = funcCounter;
  const locations = debugInfo.locations.map((each) => ({ ...each, line: each.line + 500 }));
  const lie = JSON.stringify({ ...funcCounter, debugInfo: { ...debugInfo, locations } });
  await service.run("v3.debug.artifacts.add", { files: [{ file: "lie.json", content: lie }] });
  hashes = {
    counter: await transactionOf(testAddress("c"), funcCounterCode),
    keeper: await transactionOf(testAddress("e"), await compile(keeperSource)),
  };
});
afterAll(async () => {
  await service.run("v3.debug.artifacts.remove", { file: "lie.json" });
  await service.close();
});

async function transactionOf(address: string, code: Cell): Promise<string> {
  await place(service, { address, code, balance: "5000000000" });
  const body = bytesToBase64(serializeBoc(beginCell().storeUint(4, 32).endCell()));
  const message = { from: testAddress("d"), to: address, value: "1000000000", body };
  await service.run("devnet.impersonate", message);
  await untilIndexed(service, await service.mine());
  const asked = { account: [address], limit: 1, sort: "desc" };
  const { transactions } = await service.run<V3Result<"transactions">>("v3.transactions", asked);
  return transactions[0]!.hash;
}

const debug = (hash: string, ...args: string[]) =>
  tonwireHere(["debug", "--url", service.url, "--key", service.key, ...args, "--", hash]);

describe("tonwire debug --project", () => {
  const thrown = lineOf("throw(1000 + n)");

  it("has the lines of a contract that the project's compiler made here, in place of claims", async () => {
    const claimed = await debug(hashes.counter);
    expect(claimed.stdout).toContain(
      "lines: of lie.json (own), not proven: --project DIR compiles the sources\n",
    );
    expect(claimed.stdout).toContain(`counter.fc:${thrown + 500}`);
    const project = projectWith(sources, compilers);
    const { code, stdout, stderr } = await debug(hashes.counter, "--project", project);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(
      /^lines: counter\.fc, recompiled here by @ton-community\/func-js \S+: it makes the code of the run$/m,
    );
    expect(stdout).not.toContain("not proven");
    expect(stdout).not.toContain(`:${thrown + 500}`);
    expect(stdout).toMatch(new RegExp(`^exit code 1100 in step \\d+ \\(counter\\.fc:${thrown + 1}\\)`, "m"));
    expect(stdout).toMatch(new RegExp(`^counter\\.fc:${thrown + 1} +\\d+ +\\d+$`, "m"));
  });

  it("has them as JSON, and names the compiler", async () => {
    const project = projectWith(sources, compilers);
    const json = JSON.parse((await debug(hashes.counter, "--project", project, "--json")).stdout);
    expect(json).toMatchObject({
      recompiled: { contract: "counter", file: "counter.fc", compiler: expect.stringContaining("func-js") },
      outcome: { source: { file: "counter.fc", line: thrown + 1 } },
    });
    expect(json).not.toHaveProperty("all_steps");
  });

  it("has no lines of a compiler that tells none, and still says that the sources are the contract's", async () => {
    const project = projectWith({ "contracts/keeper.tolk": keeperSource }, compilers);
    const { stdout } = await debug(hashes.keeper, "--project", project);
    expect(stdout).toMatch(
      /^sources: contracts\/keeper\.tolk, recompiled here by @ton\/tolk-js \S+: it makes the code of the run; this compiler tells no lines$/m,
    );
  });

  it("says that no contract of the project has the code, and that there is no compiler", async () => {
    const other = { "other.tolk": "fun onInternalMessage(in: InMessage) { throw 78; }" };
    const { stdout } = await debug(hashes.counter, "--project", projectWith(other, compilers));
    expect(stdout).toMatch(
      /^sources: no contract of the project makes the code \S+, of 1 that were compiled$/m,
    );
    expect(stdout).toContain("lines: of lie.json (own), not proven\n");
    const none = await debug(hashes.counter, "--project", projectWith(other, []));
    expect([none.code, none.stderr]).toEqual([
      1,
      expect.stringMatching(/^tonwire: \S+ has no compiler: install @ton\/tolk-js or \S+ there\n$/),
    ]);
  });
});
