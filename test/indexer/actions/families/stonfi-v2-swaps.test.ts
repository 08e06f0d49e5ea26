import { describe, expect, it } from "vitest";
import { proxyTonMasters } from "../../../../server/indexer/actions/families/jettons.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import {
  actionsOf,
  jettonTransfer,
  notification,
  proxyTon,
  proxyTonPayout,
  walletOf,
  walletsOf,
} from "../../../helpers/index/made-jettons.js";
import { account, accounts, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, cellWith, maybe, none } from "../../../helpers/made-cells.js";
import { columnsOf, jettonSide, swapsOf, tonSide } from "./swap-rows.js";

const [alice, router, router2, pool, pool2, usd, eur] = accounts(
  "alice, router, another router, pool, another pool, usd, eur",
);
const proxy = [...proxyTonMasters][0]!;
const known = walletsOf([alice, router, router2], [usd, eur, proxy]);

const done = 0xc64370e5;
const slippage = 0x39603190;

/** The body of a swap request for the asset of one of the router's wallets. */
function swapTerms(wallet: string, next?: Cell): Cell {
  const terms = cellWith(1n, alice, 0n, maybe(next), 0n, false, [10, 16], none);
  return cellWith([0x6664de2a, 32], wallet, alice, alice, [9, 64], terms);
}

function swap(at: string, wallet: string, payment: MadeMessage, next?: Cell): MadeMessage {
  const body = bodyOf(0x6664de2a, alice, 0n, 50n, swapTerms(wallet, next));
  return { to: at, body, sends: [payment] };
}

/** A pool's payment order to its router. */
function payTo(by: string, code: number, wallet: string, amount: bigint, sends: readonly MadeMessage[]) {
  const amounts = cellWith(0n, 0n, none, amount, wallet);
  const body = bodyOf(0x657b54f5, alice, alice, alice, [code, 32], false, amounts);
  return { to: by, body, sends };
}

const paid = (by: string, master: string, amount: bigint) =>
  jettonTransfer({ from: by, to: alice, master, amount });

/** Alice pays USD to a router, which calls a pool. */
const paysUsd = (request: MadeMessage, payload?: Cell): MadeMessage => ({
  to: alice,
  sends: [jettonTransfer({ from: alice, to: router, master: usd, amount: 50n, leadsTo: [request], payload })],
});

/** Alice pays TON to a proxy, which notifies the router. */
const paysTon = (request: MadeMessage, payload?: Cell): MadeMessage => {
  const tells = notification(router, 50n, [request], payload);
  return { to: alice, sends: [proxyTon(walletOf(router, proxy), 50n, [tells])] };
};

const given = jettonSide(alice, router, usd, 50n);
const taken = jettonSide(router, alice, eur, 7n);
const bought = { ...columnsOf(given, taken), dex: "stonfi_v2" };
const eurWallet = walletOf(router, eur);
const paysEur = payTo(router, done, eurWallet, 7n, [paid(router, eur, 7n)]);

describe("A swap at STON.fi, version 2,", () => {
  it("is the transfer to the router with the pool's payment", () => {
    expect(swapsOf(actionsOf(paysUsd(swap(pool, eurWallet, paysEur)), known))).toEqual([bought]);
  });

  it("takes TON over the proxy", () => {
    const incoming = tonSide(alice, router, 50n, walletOf(router, proxy));
    expect(swapsOf(actionsOf(paysTon(swap(pool, eurWallet, paysEur)), known))).toEqual([
      { ...columnsOf(incoming, taken), dex: "stonfi_v2" },
    ]);
  });

  it.each([
    ["with what the proxy pays", [proxyTon(alice, 6n, [])], 6n],
    ["with what was asked of the proxy", [], 7n],
  ])("pays TON %s", (_, sends, amount) => {
    const payout = proxyTonPayout({ from: router, to: alice, master: proxy, amount: 7n }, sends);
    const pays = payTo(router, done, walletOf(router, proxy), 7n, [payout]);
    const outgoing = tonSide(router, alice, amount);
    expect(swapsOf(actionsOf(paysUsd(swap(pool, walletOf(router, proxy), pays)), known))).toEqual([
      { ...columnsOf(given, outgoing), dex: "stonfi_v2" },
    ]);
  });

  const usdForTon = { asset_in: usd, amount_in: 50n, asset_out: undefined, amount_out: 20n };
  const tonForEur = { asset_in: undefined, amount_in: 20n, asset_out: eur, amount_out: 7n };

  it("goes on in the same router", () => {
    const second = swap(pool2, eurWallet, paysEur);
    const first = swap(
      pool,
      walletOf(router, proxy),
      payTo(router, done, walletOf(router, proxy), 20n, [second]),
    );
    expect(swapsOf(actionsOf(paysUsd(first), known))).toEqual([
      { ...bought, peer_swaps: [usdForTon, tonForEur] },
    ]);
  });

  const overProxy = (receiver: string, payload: Cell) => {
    const second = swap(
      pool2,
      walletOf(router2, eur),
      payTo(router2, done, walletOf(router2, eur), 7n, [paid(router2, eur, 7n)]),
    );
    const tells = proxyTon(receiver, 20n, [notification(router2, 20n, [second])], payload);
    const between = proxyTonPayout({ from: router, to: receiver, master: proxy, amount: 20n }, [tells]);
    return paysUsd(
      swap(pool, walletOf(router, proxy), payTo(router, done, walletOf(router, proxy), 20n, [between])),
    );
  };

  it("goes on over proxy TON at another router", () => {
    const wallet = walletOf(router2, proxy);
    const rows = swapsOf(actionsOf(overProxy(wallet, swapTerms(walletOf(router2, eur))), known));
    expect(rows).toEqual([
      {
        ...columnsOf(given, jettonSide(router2, alice, eur, 7n)),
        dex: "stonfi_v2",
        peer_swaps: [usdForTon, tonForEur],
      },
    ]);
  });

  it("ends with TON that the receiver uses for something else", () => {
    const other = cellWith([1, 32]);
    const rows = swapsOf(actionsOf(overProxy(walletOf(router2, proxy), other), known));
    expect(rows[0]).toMatchObject({ asset2: undefined, peer_swaps: [] });
    expect(rows.slice(1)).toEqual(["call_contract", "call_contract", "call_contract", "jetton_transfer"]);
  });

  it("counts the output of an unknown wallet between two swaps as TON", () => {
    const second = swap(pool2, eurWallet, paysEur);
    const first = swap(pool, account("unknown"), payTo(router, done, account("unknown"), 20n, [second]));
    expect(swapsOf(actionsOf(paysUsd(first), known))).toEqual([
      { ...bought, peer_swaps: [usdForTon, tonForEur] },
    ]);
  });

  const refund = payTo(router, slippage, walletOf(router, usd), 50n, [paid(router, usd, 50n)]);
  const refunded = {
    ...columnsOf(given, jettonSide(router, alice, usd, 50n)),
    dex: "stonfi_v2",
    success: false,
  };

  it.each([
    ["0x6664de2a", 0x6664de2a],
    ["0x69cf1a5b", 0x69cf1a5b],
  ])("fails with the refund, and has the end of the route, with steps of %s", (_, opcode) => {
    const step = swapTerms(eurWallet);
    const next = cellWith([opcode, 32], step.parse().skip(32));
    const request = swap(pool, walletOf(router, proxy), refund, next);
    expect(swapsOf(actionsOf(paysUsd(request), known))).toEqual([{ ...refunded, asset2: eur }]);
  });

  it("fails with the first step's requested asset if the end of the route is unknown", () => {
    const request = swap(pool, account("unknown"), refund);
    expect(swapsOf(actionsOf(paysUsd(request, swapTerms(eurWallet)), known))).toEqual([
      { ...refunded, asset2: eur },
    ]);
    const [overTon] = swapsOf(actionsOf(paysTon(request, swapTerms(eurWallet)), known));
    expect(overTon).toMatchObject({ success: false, asset: undefined, asset2: eur });
    expect(swapsOf(actionsOf(paysUsd(request), known))).toEqual([{ ...refunded, asset2: undefined }]);
  });

  it("fails in a later pool without a separate swap", () => {
    const back = payTo(router, slippage, walletOf(router, proxy), 20n, [
      proxyTonPayout({ from: router, to: alice, master: proxy, amount: 20n }),
    ]);
    const second = swap(pool2, eurWallet, back);
    const next = swapTerms(eurWallet);
    const first = swap(
      pool,
      walletOf(router, proxy),
      payTo(router, done, walletOf(router, proxy), 20n, [second]),
      next,
    );
    expect(swapsOf(actionsOf(paysUsd(first), known))).toMatchObject([
      {
        success: false,
        asset2: eur,
        peer_swaps: [],
        dex_outgoing_transfer: { asset: undefined, amount: 20n },
      },
    ]);
  });

  it("is none without a known transfer, a payment or a body that can be read", () => {
    const types = (root: MadeMessage) => swapsOf(actionsOf(root, known));
    expect(types({ to: alice, sends: [swap(pool, eurWallet, paysEur)] })).toEqual([
      "call_contract",
      "call_contract",
      "jetton_transfer",
    ]);
    expect(types(paysUsd(swap(pool, eurWallet, payTo(router, done, eurWallet, 7n, []))))).toEqual([
      "jetton_transfer",
      "call_contract",
      "call_contract",
    ]);
    const unread = { ...swap(pool, eurWallet, paysEur), body: bodyOf(0x6664de2a) };
    expect(types(paysUsd(unread))[0]).toBe("jetton_transfer");
  });
});
