import { expect, test } from "vitest";
import { readAccount } from "../../../shared/ton/proofs/read/account.js";
import { readConfig } from "../../../shared/ton/proofs/read/config.js";
import { masterchain } from "../../../shared/ton/tlb/block-id.js";
import { Address } from "../../../shared/values/address.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { liteserversOf, originFor } from "../../helpers/chain/fork-origin.js";
import { replayOf } from "../../helpers/chain/open-replay.js";
import { describeWithChain } from "../../helpers/test-data.js";

/** The elector, the configuration and an account that does not exist. */
const accounts = [
  new Address(masterchain, new Uint8Array(32).fill(0x33)),
  new Address(masterchain, new Uint8Array(32).fill(0x55)),
  new Address(0, new Uint8Array(32).fill(0x12)),
];

describeWithChain("an origin over recorded blocks of mainnet", ({ folders, newest }) => {
  test.each([newest, newest - 10])("has the state of block %i, proven from the zero state", async (block) => {
    const replay = replayOf(...folders);
    const { config } = await liteserversOf(replay);
    const origin = await originFor({ kind: "liteservers", name: "mainnet", config, block });
    expect(origin.start).toMatchObject({ isProven: true, globalId: -239, source: "mainnet" });
    expect(origin.start.block.seqno).toBe(block);
    const { root } = await readConfig(replay, origin.start.block);
    expect(bytesToHex(origin.start.config.hash())).toBe(bytesToHex(root.hash()));
    for (const address of accounts) {
      const expected = await readAccount(replay, origin.start.block, address);
      const found = await origin.account(address);
      expect(found?.account.cell.hash()).toEqual(expected.cell?.hash());
      expect(found?.lastTransLt ?? 0n).toBe(expected.lastTransaction.lt);
    }
  });
});
