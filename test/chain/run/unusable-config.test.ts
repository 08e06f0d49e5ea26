import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ExecutorPool } from "../../../server/chain/executor/pool.js";
import { FeeEstimator } from "../../../server/chain/run/fee-estimate.js";
import { TraceEmulator } from "../../../server/chain/run/trace-emulator.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import type { AccountSnapshot } from "../../../shared/ton/proofs/read/account.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { CodeLibraries } from "../../../shared/ton/run/code-libraries.js";
import { Account } from "../../../shared/ton/tlb/account.js";
import { wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { ExtraCurrencyCollection } from "../../../shared/ton/tlb/currency-collection.js";
import { withParam, withVersion } from "../../helpers/chain/august-configs.js";
import {
  activeAccount,
  account as address,
  bytesCell,
  externalMessage,
  testConfig,
  testTime,
} from "../../helpers/chain/sample-chain.js";

const block = {
  ...{ workchain: -1, shard: wholeShard, seqno: 0 },
  ...{ rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) },
};
// ACCEPT
const cell = activeAccount({ code: bytesCell("F800"), data: Cell.empty }).ref(0);
const account = decode(Account, cell);
const snapshot: AccountSnapshot = {
  ...{ address, block, shardBlock: block, cell, account, status: "active", balance: 10n ** 10n },
  ...{ extraCurrencies: ExtraCurrencyCollection.empty, code: bytesCell("F800"), data: Cell.empty },
  ...{ libraries: undefined, frozenHash: undefined, syncUtime: testTime, bytes: 0 },
  lastTransaction: { lt: 0n, hash: new Uint8Array(32) },
};

let pool: ExecutorPool;
beforeAll(() => {
  pool = new ExecutorPool({ threads: 1, deadlineMs: 100_000 });
});
afterAll(() => pool.close());

/** Estimation and emulation on a chain with this configuration. */
function partsOn(root: Cell) {
  const reader = {
    last: block,
    config: async () => ({ root, params: decode(ConfigDictionary, root) }),
    previousBlocks: async () => ({ type: "null" }),
    account: async () => snapshot,
  } as unknown as ChainReader;
  return { reader, pool, libraries: new CodeLibraries(reader) };
}

const estimate = (root: Cell) =>
  new FeeEstimator(partsOn(root)).estimate(snapshot, { body: Cell.empty, ignoreSignatures: true });
const emulate = (root: Cell) =>
  new TraceEmulator(partsOn(root)).emulate(externalMessage(address, Cell.empty), {}, {});

describe("on a network whose configuration has an unknown form", () => {
  const fourth = beginCell().storeUint(4, 8).storeUint(0, 400).endCell();
  const root = withParam(withVersion(testConfig, 16), 43, fourth);
  const error = {
    code: "invalid",
    message: expect.stringMatching(
      /^The executor, of version 13, cannot use configuration parameter 43 of a network of version 16: /,
    ),
  };

  it("an estimate fails, and has no fee of zero", async () => {
    expect((await estimate(withVersion(testConfig, 16))).gas).toBeGreaterThan(0n);
    await expect(estimate(root)).rejects.toMatchObject(error);
  });

  it("an emulated trace fails, and is not empty", async () => {
    expect((await emulate(withVersion(testConfig, 16))).transactions).toHaveLength(1);
    await expect(emulate(root)).rejects.toMatchObject(error);
  });
});
