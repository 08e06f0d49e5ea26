import { describe, expect, it } from "vitest";
import type { Executor } from "../../../server/chain/executor/executor.js";
import { ExecutorError } from "../../../server/chain/executor/executor-error.js";
import { DevnetChain } from "../../../server/devnet/chain/devnet-chain.js";
import { createGenesis } from "../../../server/devnet/genesis/genesis.js";
import { ChainClock } from "../../../server/devnet/moment/clock.js";
import { roleSeed } from "../../../server/devnet/role-seed.js";
import { ChainStore } from "../../../server/devnet/storage/chain-store.js";
import { Address } from "../../../shared/values/address.js";
import { funded, openTestChain, TestWallet, ton, validatorsOf } from "../../helpers/chain/devnet.js";
import { sharedExecutor } from "../../helpers/chain/shared-executor.js";
import { isLong } from "../../helpers/effort.js";
import { validateStep } from "./validate-step.js";

const crowd = (count: number) =>
  Array.from({ length: count }, (_, index) => new TestWallet(`crowd ${index}`));

describe("a step", () => {
  it.runIf(isLong)(
    "runs at most 600 transactions among thousands of accounts, and leaves the rest to the next one",
    async () => {
      const count = 500;
      const wallets = crowd(count);
      const bystanders = Array.from({ length: 10 * count }, (_, index) => ({
        address: new Address(0, roleSeed("bystander", `${index}`)),
        balance: ton,
      }));
      const chain = await openTestChain({ accounts: [...funded(wallets), ...bystanders] });
      for (const [index, wallet] of wallets.entries())
        await chain.sendTrusted(
          wallet.pay({ to: bystanders[index * 7]!.address, value: ton, bounce: false }),
        );
      let states = { masterchain: chain.tip.masterchain.state, basechain: chain.tip.basechain.state };
      const counts: number[] = [];
      while (chain.hasWork) {
        const { pair } = await chain.step();
        states = validateStep(pair, states, validatorsOf(chain));
        counts.push(pair.basechain.transactionCount);
      }
      expect(counts[0]).toBe(600);
      expect(Math.max(...counts)).toBe(600);
      expect(counts.reduce((sum, count) => sum + count)).toBe(2 * count);
    },
  );

  it.each([
    ["after 0.7 s of a clock that runs", {}, { done: 35, waiting: 25 }],
    ["when all is done, where the time does not matter", { noTimeLimit: true }, { done: 120, waiting: 0 }],
  ])("ends %s", async (_, request, { done, waiting }) => {
    const wallets = crowd(60);
    const executor = await sharedExecutor();
    let now = 1_800_000_000_000;
    const slow: Pick<Executor, "runTransaction" | "runTickTock"> = {
      runTransaction(request) {
        now += 20;
        return executor.runTransaction(request);
      },
      runTickTock: (request) => executor.runTickTock(request),
    };
    const chain = await DevnetChain.open({
      genesis: createGenesis({ seed: "test", accounts: funded(wallets) }),
      storage: new ChainStore(),
      executor: slow,
      clock: new ChainClock("wall", () => now / 1000),
      nowMs: () => now,
    });
    for (const wallet of wallets)
      await chain.sendTrusted(wallet.pay({ to: wallets[0]!.address, value: ton, bounce: false }));
    const { pair } = await chain.step(request);
    expect(pair.basechain.transactionCount).toBe(done);
    expect(pair.basechain.genUtime).toBe(1_800_000_000);
    expect(chain.mempool.size).toBe(waiting);
    while (chain.hasWork) await chain.step();
    expect(chain.account(0, wallets.at(-1)!.address.hash)!.account.value!.storage.balance.coins).toBeLessThan(
      999n * ton,
    );
  });

  it("drops an external message that the executor fails on, and continues", async () => {
    const [good, bad] = [new TestWallet("good"), new TestWallet("bad")];
    const executor = await sharedExecutor();
    const chain = await openTestChain({
      accounts: funded([good, bad]),
      executor: {
        runTransaction(request) {
          if (request.message.equals(poison)) throw new ExecutorError("crashed", "The executor broke down");
          return executor.runTransaction(request);
        },
        runTickTock: (request) => executor.runTickTock(request),
      },
    });
    const poison = bad.wallet.order({ seqno: 0, validUntil: 0xffffffff, payments: [] });
    await chain.sendTrusted(bad.pay());
    await chain.sendTrusted(good.pay({ to: bad.address, value: ton }));
    const { pair } = await chain.step();
    expect(pair.finished.map(({ included }) => included)).toEqual([false, true]);
  });
});
