import { expect, it } from "vitest";
import type { NominatorEvent } from "../../../../client/api.js";
import { roundsOf } from "../../../../server/web/explorer/network/pool-rewards.js";

const event = (type: NominatorEvent["type"], tx_hash: string, more: Partial<NominatorEvent>) =>
  ({ type, tx_hash, utime: 10, amount: "0", balance_before: "0", ...more }) as NominatorEvent;

it("sums what a round brought to all nominators and to the validator, oldest round first", () => {
  const events = [
    event("reward", "later", { utime: 20, amount: "-5", balance_before: "1000" }),
    event("deposit", "later", { utime: 20, amount: "77" }),
    event("reward", "first", { amount: "30", balance_before: "200" }),
    event("reward", "first", { amount: "12", balance_before: "100" }),
  ];
  const ofValidator = [
    { tx_hash: "lost", utime: 15, tx_lt: "1", reward: "-400", balance_before: "900" },
    { tx_hash: "first", utime: 10, tx_lt: "1", reward: "8", balance_before: "900" },
  ];
  expect(roundsOf(events, ofValidator)).toEqual([
    { hash: "first", time: 10, nominators: 42n, validator: 8n, staked: 300n },
    { hash: "lost", time: 15, nominators: 0n, validator: -400n, staked: 0n },
    { hash: "later", time: 20, nominators: -5n, validator: 0n, staked: 1000n },
  ]);
  expect(roundsOf([], [])).toEqual([]);
});
