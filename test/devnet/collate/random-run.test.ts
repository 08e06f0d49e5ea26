import { describe, expect, it } from "vitest";
import type { Payment } from "../../../server/contracts/wallet-order.js";
import { Address } from "../../../shared/values/address.js";
import { funded, openTestChain, TestWallet, ton, validatorsOf } from "../../helpers/chain/devnet.js";
import { pseudoRandom } from "../../helpers/pseudo-random.js";
import { supplyOf, validateStep } from "./validate-step.js";

describe("a random run of 2,000 messages", () => {
  it("preserves the total of money and makes valid blocks", async () => {
    const random = pseudoRandom(7);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random.next().value * items.length)]!;
    const wallets = [0, -1].flatMap((workchain) =>
      Array.from(
        { length: workchain === 0 ? 50 : 10 },
        (_, n) => new TestWallet(`${workchain}/${n}`, "v3r2", workchain),
      ),
    );
    const chain = await openTestChain({ accounts: funded(wallets), rewards: true });
    const strangers = [0, -1].map((workchain) => new Address(workchain, new Uint8Array(32).fill(9)));
    const payment = (): Payment => ({
      to: random.next().value < 0.1 ? pick(strangers) : pick(wallets).address,
      value: BigInt(Math.floor(random.next().value * 1e9)) + ton / 10n,
      bounce: random.next().value < 0.5,
    });
    let states = { masterchain: chain.tip.masterchain.state, basechain: chain.tip.basechain.state };
    let supply = supplyOf(states);
    let sent = 0;
    while (sent < 2000 || chain.hasWork) {
      for (let order = 0; order < 100 && sent < 2000; order++) {
        const payments = Array.from({ length: 1 + Math.floor(random.next().value * 4) }, payment);
        await chain.sendTrusted(pick(wallets).pay(...payments));
        sent += 1 + payments.length;
      }
      const { pair } = await chain.step();
      states = validateStep(pair, states, validatorsOf(chain));
      // The only new money are the rewards of 1.7 and 1 TON.
      supply += (27n * ton) / 10n;
      expect(supplyOf(states)).toBe(supply);
    }
    expect(sent).toBeGreaterThanOrEqual(2000);
  });
});
