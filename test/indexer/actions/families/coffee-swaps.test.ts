import { describe, expect, it } from "vitest";
import { actionsOf, jettonTransfer, walletsOf } from "../../../helpers/index/made-jettons.js";
import { accounts, addressOf, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, fieldsWith } from "../../../helpers/made-cells.js";
import { columnsOf, jettonSide, swapsOf, tonSide } from "./swap-rows.js";

const [alice, bob, vault, vault2, pool, usd, eur] = accounts(
  "alice, bob, vault, another vault, pool, usd, eur",
);
const known = walletsOf([alice, vault, vault2], [usd, eur]);

function swapped(given: string | undefined, amount: bigint, taken: bigint): MadeMessage {
  const input = given === undefined ? fieldsWith([0, 2]) : fieldsWith([1, 2], [0, 8], addressOf(given).hash);
  const body = bodyOf(0xc0ffee30, input, amount, taken, 1n, 1n, 0n);
  return { to: undefined, body };
}

/** A call of a pool. */
const swap = (...sends: MadeMessage[]): MadeMessage => ({ to: pool, body: bodyOf(0xc0ffee20), sends });

/** A pool's payment order to a vault. */
function paidBy(by: string, amount: bigint, sends: readonly MadeMessage[]): MadeMessage {
  const body = bodyOf(0xc0ffee21, alice, amount, false, false);
  return { to: by, body, sends };
}

const eurPaid = paidBy(vault2, 7n, [jettonTransfer({ from: vault2, to: alice, master: eur, amount: 7n })]);
const tonPaid = paidBy(vault2, 20n, [{ to: bob, body: bodyOf(0xc0ffee32), value: 19n }]);
const messagePaid = paidBy(vault2, 20n, [{ to: bob, body: bodyOf(0xc0ffee36), value: 19n }]);

function paysUsd(...leadsTo: MadeMessage[]): MadeMessage {
  return {
    to: alice,
    sends: [jettonTransfer({ from: alice, to: vault, master: usd, amount: 50n, leadsTo })],
  };
}

/** The rest of the request has a route and notifications, which do not matter here. */
function paysTon(...sends: MadeMessage[]): MadeMessage {
  const body = bodyOf(0xc0ffee00, 20n, [1, 256]);
  return { to: alice, sends: [{ to: vault, body, sends }] };
}

const given = jettonSide(alice, vault, usd, 50n);
const taken = jettonSide(vault2, alice, eur, 7n);

describe("A swap at swap.coffee", () => {
  it("takes and pays jettons", () => {
    expect(swapsOf(actionsOf(paysUsd(swap(swapped(usd, 50n, 7n), eurPaid)), known))).toEqual([
      { ...columnsOf(given, taken), dex: "coffee" },
    ]);
  });

  it("takes TON", () => {
    expect(swapsOf(actionsOf(paysTon(swap(swapped(undefined, 20n, 7n), eurPaid)), known))).toEqual([
      { ...columnsOf(tonSide(alice, vault, 20n), taken), dex: "coffee" },
    ]);
  });

  it.each([
    ["to whom the pool says", tonPaid, tonSide(pool, alice, 20n)],
    ["with a message, to whom it goes", messagePaid, tonSide(vault2, bob, 19n)],
  ])("pays TON %s", (_, payment, outgoing) => {
    expect(swapsOf(actionsOf(paysUsd(swap(swapped(usd, 50n, 20n), payment)), known))).toEqual([
      { ...columnsOf(given, outgoing), dex: "coffee" },
    ]);
  });

  it("continues in other pools, each of which takes the previous output", () => {
    const third = swap(swapped(usd, 40n, 7n), eurPaid);
    const second = swap(swapped(undefined, 20n, 40n), third);
    expect(swapsOf(actionsOf(paysUsd(swap(swapped(usd, 50n, 20n), second)), known))).toEqual([
      {
        ...columnsOf(given, taken),
        dex: "coffee",
        peer_swaps: [
          { asset_in: usd, amount_in: 50n, asset_out: undefined, amount_out: 20n },
          { asset_in: undefined, amount_in: 20n, asset_out: usd, amount_out: 40n },
          { asset_in: usd, amount_in: 40n, asset_out: eur, amount_out: 7n },
        ],
      },
    ]);
  });

  it("needs a swap in every pool and a payment", () => {
    const refund = paidBy(vault, 50n, [jettonTransfer({ from: vault, to: alice, master: usd, amount: 50n })]);
    for (const each of [
      swap(refund),
      swap(swapped(usd, 50n, 20n), swap(eurPaid)),
      swap(swapped(usd, 50n, 20n)),
      swap(swapped(usd, 50n, 20n), swap(swapped(undefined, 20n, 7n))),
    ])
      expect(swapsOf(actionsOf(paysUsd(each), known))[0]).toBe("jetton_transfer");
  });

  it("is none if nothing came in, or if a body cannot be read", () => {
    const root = { to: alice, sends: [swap(swapped(usd, 50n, 7n), eurPaid)] };
    expect(swapsOf(actionsOf(root, known))[0]).toBe("call_contract");
    const [request] = paysTon(swap(swapped(undefined, 20n, 7n), eurPaid)).sends!;
    const unread = { to: alice, sends: [{ ...request!, body: bodyOf(0xc0ffee00) }] };
    expect(swapsOf(actionsOf(unread, known))[0]).toBe("call_contract");
  });
});
