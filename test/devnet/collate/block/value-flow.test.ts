import { beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../../../../server/chain/executor/executor.js";
import { burnedOn } from "../../../../server/devnet/collate/block/value-flow.js";
import { injectedMessage } from "../../../../server/devnet/collate/messages/unsent-messages.js";
import { createGenesis } from "../../../../server/devnet/genesis/genesis.js";
import { readExternal } from "../../../../server/devnet/mempool/external-message.js";
import { decode, encode } from "../../../../shared/ton/tlb/codec.js";
import { encodeConfigParam } from "../../../../shared/ton/tlb/config/config-param.js";
import { ConfigDictionary } from "../../../../shared/ton/tlb/config-params.js";
import { noCurrencies, onlyCoins } from "../../../../shared/ton/tlb/currency-collection.js";
import { ShardStateUnsplit } from "../../../../shared/ton/tlb/shard-state.js";
import { Address } from "../../../../shared/values/address.js";
import { funded, TestWallet, ton } from "../../../helpers/chain/devnet.js";
import { sharedExecutor } from "../../../helpers/chain/shared-executor.js";
import { draftAfter } from "../made-step.js";

describe("the coins that the blackhole burns", () => {
  let executor: Executor;
  beforeAll(async () => {
    executor = await sharedExecutor();
  });

  const blackhole = new Address(-1, new Uint8Array(32).fill(0xff));
  const payer = new TestWallet("payer", "v3r2", -1);

  /** A draft of a masterchain block whose configuration names the blackhole. */
  function draftWith(balance = 0n) {
    const held = balance > 0n ? [{ address: blackhole, balance }] : [];
    const genesis = createGenesis({
      seed: "test",
      accounts: [...held, ...funded([payer])],
      time: 1_800_000_000,
    });
    const { config } = decode(ShardStateUnsplit, genesis.masterchain.state).custom!.value.config;
    const burning = encodeConfigParam(5, {
      blackholeAddr: blackhole.hash,
      feeBurnNum: 0,
      feeBurnDenom: 1,
    });
    const named = encode(ConfigDictionary, config.value.set(5, burning));
    return draftAfter(genesis, "masterchain", executor, named);
  }

  const giving = (to: Address, value: bigint) =>
    injectedMessage({ from: payer.address, to, value, bounce: false }, 1n, 1_800_000_000);

  it.each([0n, 3n * ton])("are all that it receives, not the %d nanotons that it had", (balance) => {
    const draft = draftWith(balance);
    draft.importInjected(giving(blackhole, 5n * ton));
    draft.importInjected(giving(blackhole, 2n * ton));
    const account = draft.accounts.at(blackhole.hash);
    expect(account.transactions).toHaveLength(2);
    expect(account.now.account.value?.storage.balance.coins ?? 0n).toBe(balance);
    expect(burnedOn(account)).toEqual(onlyCoins(7n * ton));
  });

  it("are none without a message to it", () => {
    expect(burnedOn(undefined)).toEqual(noCurrencies);
    expect(burnedOn(draftWith(3n * ton).accounts.at(blackhole.hash))).toEqual(noCurrencies);
  });

  it("are none on an account that receives, pays and keeps the rest", () => {
    const draft = draftWith();
    draft.importInjected(giving(payer.address, 5n * ton));
    const order = payer.pay(
      { to: new TestWallet("one").address, value: ton, bounce: false },
      { to: new TestWallet("other", "v3r2", -1).address, value: 2n * ton, bounce: false },
    );
    expect(draft.importExternal(readExternal(order))).toBe(true);
    const account = draft.accounts.at(payer.address.hash);
    expect(account.transactions.map(({ value }) => value.outMsgCount)).toEqual([0, 2]);
    expect(burnedOn(account)).toEqual(noCurrencies);
  });
});
