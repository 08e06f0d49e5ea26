import { describe, expect, it } from "vitest";
import { Executor } from "../../../server/chain/executor/executor.js";
import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { ConfigParams } from "../../../shared/ton/tlb/config-params.js";
import { account, bytesCell, testTime } from "../../helpers/chain/sample-chain.js";
import { unknownBuild } from "../../helpers/chain/unknown-build.js";
import { variants } from "../../helpers/effort.js";
import { describeWithChain } from "../../helpers/test-data.js";
import { describeExecutor } from "./executor-cases.js";

// That random programs end alike without patches is tested in each run.
describe.each(variants([["with", false]], [["without", true]]))("%s patches", (_, isPlain) => {
  const wasm = isPlain ? unknownBuild() : undefined;
  describeExecutor({ create: () => Executor.create(wasm), isPlain });
});

describeWithChain("get-methods with the configuration of a real network", (chain) => {
  const entries = chain.where({ kind: "config_dictionary" }).map((entry) => [entry.file, entry] as const);

  it.each(entries)("contracts of %s read its parameters", async (_file, entry) => {
    const executor = await Executor.create();
    const { config } = decode(ConfigParams, parseBocRoot(entry.read()));
    for (const [number, parameter] of config.value.entries()) {
      const result = executor.runMethod({
        config: config.cell,
        // DROP CONFIGOPTPARAM
        code: bytesCell("30F833"),
        // Another contract for each parameter.
        data: parameter,
        address: account,
        balance: 5n,
        now: testTime,
        randSeed: new Uint8Array(32),
        methodId: 0,
        stack: [{ type: "int", value: BigInt(number) }],
      });
      expect(result.exitCode).toBe(0);
      expect(result.stack.map((value) => value.type === "cell" && value.cell.hashHex())).toEqual([
        parameter.hashHex(),
      ]);
    }
  });
});
