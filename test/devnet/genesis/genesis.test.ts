import { describe, expect, it } from "vitest";
import { createGenesis } from "../../../server/devnet/genesis/genesis.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { configParam } from "../../../shared/ton/tlb/config/config-param.js";
import { ShardStateUnsplit } from "../../../shared/ton/tlb/shard-state.js";
import { funded, openTestChain, TestWallet, ton } from "../../helpers/chain/devnet.js";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

describe("the zero states of a devnet", () => {
  it("depend on the seed only", () => {
    const [one, again, other] = ["tonwire", "tonwire", "other"].map((seed) =>
      createGenesis({ seed, accounts: [] }),
    );
    expect(again!.masterchain.id).toEqual(one!.masterchain.id);
    expect(again!.basechain.id).toEqual(one!.basechain.id);
    expect(other!.masterchain.id).not.toEqual(one!.masterchain.id);
  });

  it("have the given accounts, the elector and the configuration contract", () => {
    const wallet = new TestWallet("rich");
    const genesis = createGenesis({ seed: "test", accounts: funded([wallet], 5n * ton) });
    const base = decode(ShardStateUnsplit, genesis.basechain.state);
    const master = decode(ShardStateUnsplit, genesis.masterchain.state);
    expect(base.accounts.value.get(wallet.address.hash)!.account.value!.storage.balance.coins).toBe(5n * ton);
    expect([...master.accounts.value.keys()].map(hex)).toEqual(["33".repeat(32), "55".repeat(32)]);
    const extra = master.custom!.value;
    expect(extra.globalBalance.coins).toBe(1005n * ton);
    expect(configParam(extra.config.config.value, 8)).toEqual({ version: 13, capabilities: 110n });
    expect(configParam(extra.config.config.value, 19)).toBe(-20250);
    expect(configParam(extra.config.config.value, 12)!.get(0)).toMatchObject({
      zerostateRootHash: genesis.basechain.id.rootHash,
      zerostateFileHash: genesis.basechain.id.fileHash,
    });
  });

  it("lead to the same blocks twice with a fixed clock and manual mining", async () => {
    const run = async (seed: string) => {
      const [a, b] = [new TestWallet("a"), new TestWallet("b", "v5r1")];
      const chain = await openTestChain({ seed, accounts: funded([a, b]) });
      const ids: string[] = [];
      for (let block = 0; block < 10; block++) {
        if (block < 5) await chain.sendMessage(a.pay({ to: b.address, value: ton }));
        if (block === 7) await chain.sendMessage(b.pay({ to: a.address, value: ton }));
        const { pair } = await chain.step();
        ids.push(hex(pair.masterchain.id.rootHash) + hex(pair.basechain.id.fileHash));
      }
      await chain.close();
      return ids;
    };
    const first = await run("one");
    expect(await run("one")).toEqual(first);
    expect((await run("two"))[0]).not.toBe(first[0]);
  });
});
