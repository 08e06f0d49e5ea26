import { describe, expect, it } from "vitest";
import type { DebugRun } from "../../../client/index.js";
import {
  type DebugTransactionParams,
  type EmulatorScript,
  withTvm,
} from "../../../client/verified/tvm/index.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { replayOf } from "../../helpers/chain/open-replay.js";
import { testAddress } from "../../helpers/contracts/contracts.js";
import { sized } from "../../helpers/effort.js";
import { liteQueryService } from "../../helpers/peers/lite-query-service.js";
import { describeWithChain } from "../../helpers/test-data.js";
import { Debugging } from "./debugging.js";
import { clientOf } from "./lied-client.js";
import { script, wasm } from "./tvm/emulator.js";

const debugging = Debugging.forTests();

/** What the service says, without what ABIs and its own words add. */
function comparable({ gas, code, ...run }: DebugRun) {
  return {
    ...run,
    gas: gas && { ...gas, by_function: undefined },
    code: code && { hash: code.hash, library: code.library },
  };
}

describe("a transaction that is debugged without trust", () => {
  it("has the records of the service, in every kind", async () => {
    const verified = await debugging.client();
    const kinds = new Map(debugging.listed.map((each) => [each.description.type, each]));
    expect([...kinds.keys()].sort()).toEqual(["ord", "tick_tock"]);
    for (const { hash, account, lt } of kinds.values()) {
      const debugged = await verified.debug({ hash });
      const believed = await debugging.plain.v3.debug.transaction({ hash });
      const { gas, code, ...run } = debugged.run;
      expect(comparable(believed)).toMatchObject({ ...run, code });
      expect(gas && { ...gas, by_function: undefined }).toEqual(comparable(believed).gas);
      expect(run.proof).toMatchObject({ level: "exact", differences: [] });
      expect((await verified.debug({ account, lt })).run).toEqual(debugged.run);
    }
  });

  it("has the steps, states, searches and profiles of the service", async () => {
    const verified = await debugging.client();
    const { hash } = debugging.ordinary;
    const debugged = await verified.debug({ hash });
    const asked = { run: debugged.run.run };
    for (const params of [
      {},
      { from: 3, limit: 4, backward: true, include: ["stack", "cells"] as const },
      { limit: 5, include: ["full_stack", "registers", "frames"] as const },
    ]) {
      const given = { ...params, ...("include" in params && { include: [...params.include] }) };
      const believed = await debugging.plain.v3.debug.steps({ ...asked, ...given });
      expect(believed).toMatchObject(await debugged.steps(given));
    }
    const state = await debugged.state({ step: 5 });
    expect(await debugging.plain.v3.debug.state({ ...asked, step: 5 })).toMatchObject(state);
    for (const search of [{ instruction: "SETCP" }, { writes: "c4" }, { equals: "0" }])
      expect(await debugged.find(search)).toEqual(
        await debugging.plain.v3.debug.find({ ...asked, ...search }),
      );
    const profile = await debugged.profile({ by: "instruction", format: "collapsed" });
    const known = await debugging.plain.v3.debug.profile({ ...asked, by: "instruction", format: "json" });
    expect(profile.total).toBe(known.total);
    const { instructions } = (await debugged.code())!;
    const code = await debugging.plain.v3.debug.code({ account: debugged.run.account });
    expect(instructions.map(({ at, op }) => [at, op])).toEqual(
      code.instructions.map(({ at, op }) => [at, op]),
    );
  });

  it("refuses what cannot be read, and what there is not", async () => {
    const verified = await debugging.client();
    const { hash, account, lt } = debugging.ordinary;
    const refused: [DebugTransactionParams, string][] = [
      [{}, "invalid-params"],
      [{ account }, "invalid-params"],
      [{ account, lt: 0 }, "invalid-params"],
      [{ hash: "AAAA" }, "invalid-params"],
      [{ hash: "ab".repeat(32) }, "absent"],
      [{ account: testAddress("e"), lt }, "absent"],
      [{ account, lt: 1n << 60n }, "unavailable"],
      [{ account, lt, hash: "ab".repeat(32) }, "absent"],
    ];
    for (const [params, code] of refused)
      await expect(verified.debug(params)).rejects.toMatchObject({ name: "RpcError", code });
    const debugged = await verified.debug({ hash });
    await expect(debugged.state({ step: 1 << 20 })).rejects.toMatchObject({ code: "absent" });
    for (const call of [
      () => debugged.steps({ include: ["nothing" as never] }),
      () => debugged.find({}),
      () => debugged.find({ throws: "many" }),
      () => debugged.profile({ by: "time" as never }),
    ])
      await expect(call()).rejects.toMatchObject({ code: "invalid-params" });
  });

  it("is shown with its differences where the emulator gives another one", async () => {
    const verified = await debugging.client(undefined, { emulator: anHourLate });
    const { hash } = debugging.ordinary;
    const debugged = await verified.debug({ hash });
    const { proof, steps, transaction } = debugged.run;
    expect([proof.level, transaction]).toEqual(["different", hash]);
    expect(proof.differences.map(({ field }) => field)).toContain("state_hash");
    expect((await debugged.steps({ limit: 5 })).steps).toHaveLength(5);
    expect(steps).toBeGreaterThan(5);
  });
});

/** The emulator in an instance that takes each transaction for one of an hour later. */
const anHourLate: EmulatorScript = async (hooks) => {
  let memory: WebAssembly.Memory;
  const { instantiateWasm, ...others } = hooks as {
    instantiateWasm(imports: object, done: (instance: WebAssembly.Instance) => void): object;
  };
  const functions = (await script({
    ...others,
    instantiateWasm: (imports: object, done: (instance: WebAssembly.Instance) => void) =>
      instantiateWasm(imports, (instance) => {
        memory = Object.values(instance.exports).find((each) => each instanceof WebAssembly.Memory)!;
        done(instance);
      }),
  } as never)) as { _emulate_with_emulator(...pointers: number[]): number };
  const emulate = functions._emulate_with_emulator;
  return {
    ...functions,
    _emulate_with_emulator(...pointers: number[]) {
      const params = Buffer.from(memory.buffer, pointers.at(-1)!);
      const at = params.indexOf('"utime":') + '"utime":'.length;
      params.write(String(Number(params.toString("latin1", at, at + 10)) + 3600), at);
      return emulate(...pointers);
    },
  };
};

describeWithChain("recorded blocks of mainnet, debugged without trust", (chain) => {
  it("are exact, or differ by the fees of 2019", async () => {
    const lite = replayOf(chain.folder);
    const { url } = await liteQueryService(lite);
    const verified = withTvm(await clientOf(lite, [url], { timeoutMs: 0 }), { wasm, script });
    const levels = { exact: 0, state: 0, different: 0, none: 0 };
    for (let seqno = 2; seqno <= sized(2, 20); seqno++) {
      const { id } = await lite.lookupBlock({
        ...{ id: { workchain: -1, shard: 1n << 63n, seqno }, bySeqno: true },
      });
      const { ids } = await lite.listBlockTransactions({ id, count: 8, account: true, lt: true });
      for (const { account, lt } of ids) {
        const { run } = await verified.debug({
          account: `-1:${bytesToHex(account!)}`,
          lt: lt!,
        });
        levels[run.proof.level]++;
        expect(run.proof.differences.length > 0).toBe(run.proof.level !== "exact");
      }
    }
    expect(levels).toMatchObject({ different: 0, none: 0 });
    expect([levels.exact > 0, levels.state > 0]).toEqual([true, true]);
  });
});
