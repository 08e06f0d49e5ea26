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
import { bodyOf, cellWith, maybe } from "../../../helpers/made-cells.js";
import { columnsOf, jettonSide, swapsOf, tonSide } from "./swap-rows.js";

const [alice, router, pool, pool2, usd, eur] = accounts("alice, router, pool, another pool, usd, eur");
const proxy = [...proxyTonMasters][0]!;
const known = walletsOf([alice, router], [usd, eur, proxy]);
const [usdWallet, eurWallet, tonWallet] = [usd, eur, proxy].map((master) => walletOf(router, master)) as [
  string,
  string,
  string,
];

const slippage = 201;

/** A call of a pool with the asset received by a router wallet. */
function swap(at: string, wallet: string, payment: MadeMessage): MadeMessage {
  const terms = cellWith(50n, [0, 160], 1n);
  const payloads = cellWith(alice, 0n, false, 0n, false);
  const body = bodyOf(0xa7fb58f8, alice, wallet, terms, payloads);
  return { to: at, body, sends: [payment] };
}

/** A pool's payment order to the router. */
function payTo(code: number, wallet: string, amount: bigint, sends: readonly MadeMessage[]): MadeMessage {
  const coins = cellWith(0n, account("the other wallet"), amount, wallet);
  const body = bodyOf(0xa1daa96d, alice, alice, [code, 32], [1, 64], maybe(coins), false);
  return { to: router, body, sends };
}

const paid = (master: string, amount: bigint) => jettonTransfer({ from: router, to: alice, master, amount });
const tonPaid = (amount: bigint) =>
  proxyTonPayout({ from: router, to: alice, master: proxy, amount }, [proxyTon(alice, amount - 1n, [])]);

const paysUsd = (request: MadeMessage, payload?: Cell): MadeMessage => ({
  to: alice,
  sends: [jettonTransfer({ from: alice, to: router, master: usd, amount: 50n, leadsTo: [request], payload })],
});
const paysTon = (request: MadeMessage, payload?: Cell): MadeMessage => ({
  to: alice,
  sends: [proxyTon(tonWallet, 50n, [notification(router, 50n, [request], payload)])],
});

/** The payload that requests the assets of router wallets, one after another. */
function askFor([wallet, ...others]: readonly string[], minOut = 5n): Cell {
  return cellWith(
    [0xa7fb58f8, 32],
    wallet!,
    [0, 160],
    minOut,
    alice,
    maybe(others.length > 0 ? askFor(others, minOut + 1n) : undefined),
  );
}

const given = jettonSide(alice, router, usd, 50n);
const taken = jettonSide(router, alice, eur, 7n);
const bought = { ...columnsOf(given, taken), dex: "tonco", min_out_amount: 7n };
const tonGiven = tonSide(alice, router, 50n, tonWallet);
const tonTaken = tonSide(router, alice, 20n);
const usdForTon = { asset_in: usd, amount_in: 50n, asset_out: undefined, amount_out: 20n };
const tonForEur = { asset_in: undefined, amount_in: 20n, asset_out: eur, amount_out: 7n };

describe("A swap at TONCO", () => {
  const paysEur = (code = 200) => payTo(code, eurWallet, 7n, [paid(eur, 7n)]);

  it.each([0, 200])("has the router's payment ordered by the pool, with code %i", (code) => {
    expect(swapsOf(actionsOf(paysUsd(swap(pool, usdWallet, paysEur(code))), known))).toEqual([bought]);
  });

  it("takes TON over the proxy", () => {
    expect(swapsOf(actionsOf(paysTon(swap(pool, tonWallet, paysEur())), known))).toEqual([
      { ...columnsOf(tonGiven, taken), dex: "tonco", min_out_amount: 7n },
    ]);
  });

  it("pays TON over the proxy, with the amount that the proxy was asked for", () => {
    const pays = payTo(200, tonWallet, 20n, [tonPaid(20n)]);
    expect(swapsOf(actionsOf(paysUsd(swap(pool, usdWallet, pays)), known))).toEqual([
      { ...columnsOf(given, tonTaken), dex: "tonco", min_out_amount: 20n },
    ]);
  });

  it("goes on in another pool over proxy TON", () => {
    const second = swap(pool2, tonWallet, paysEur());
    const between = proxyTonPayout({ from: router, to: router, master: proxy, amount: 20n }, [
      proxyTon(tonWallet, 20n, [notification(router, 20n, [second])]),
    ]);
    const root = paysUsd(swap(pool, usdWallet, payTo(200, tonWallet, 20n, [between])));
    expect(swapsOf(actionsOf(root, known))).toEqual([{ ...bought, peer_swaps: [usdForTon, tonForEur] }]);
  });

  it("goes on in another pool over jettons", () => {
    const between = jettonTransfer({
      from: router,
      to: router,
      master: eur,
      amount: 9n,
      leadsTo: [swap(pool2, eurWallet, payTo(200, tonWallet, 20n, [tonPaid(20n)]))],
    });
    const root = paysUsd(swap(pool, usdWallet, payTo(200, eurWallet, 9n, [between])));
    const usdForEur = { asset_in: usd, amount_in: 50n, asset_out: eur, amount_out: 9n };
    const eurForTon = { asset_in: eur, amount_in: 9n, asset_out: undefined, amount_out: 20n };
    expect(swapsOf(actionsOf(root, known))).toEqual([
      {
        ...columnsOf(given, tonTaken),
        dex: "tonco",
        min_out_amount: 20n,
        peer_swaps: [usdForEur, eurForTon],
      },
    ]);
  });

  it("omits the first of several swaps if its output is unknown, and failed ones", () => {
    const route = (wallet: string, code: number) => {
      const second = swap(pool2, tonWallet, payTo(code, eurWallet, 7n, [paid(eur, 7n)]));
      const between = jettonTransfer({
        from: router,
        to: router,
        master: usd,
        amount: 20n,
        leadsTo: [second],
      });
      return paysUsd(swap(pool, usdWallet, payTo(200, wallet, 20n, [between])));
    };
    expect(swapsOf(actionsOf(route(account("unknown"), 200), known))).toEqual([
      { ...bought, peer_swaps: [tonForEur] },
    ]);
    expect(swapsOf(actionsOf(route(tonWallet, slippage), known))).toEqual([
      { ...bought, success: false, peer_swaps: [usdForTon] },
    ]);
  });

  const tonBack = payTo(slippage, tonWallet, 20n, [tonPaid(20n)]);

  it("fails with the TON refund, and has the end of the requested route", () => {
    const request = swap(pool, tonWallet, tonBack);
    const refunded = { ...columnsOf(tonGiven, tonTaken), dex: "tonco", success: false };
    expect(swapsOf(actionsOf(paysTon(request, askFor([eurWallet])), known))).toEqual([
      { ...refunded, asset2: eur, min_out_amount: 5n },
    ]);
    expect(swapsOf(actionsOf(paysTon(request, askFor([eurWallet, usdWallet])), known))).toEqual([
      { ...refunded, asset2: usd, min_out_amount: 6n },
    ]);
    expect(swapsOf(actionsOf(paysTon(request, askFor([account("unknown")])), known))).toEqual([
      { ...refunded, asset2: undefined, min_out_amount: 5n },
    ]);
    expect(swapsOf(actionsOf(paysTon(request), known))).toEqual([{ ...refunded, min_out_amount: 20n }]);
  });

  it("fails with the jetton refund, as in the reference, for any request", () => {
    const request = swap(pool, usdWallet, payTo(slippage, usdWallet, 50n, [paid(usd, 50n)]));
    expect(swapsOf(actionsOf(paysUsd(request, askFor([eurWallet])), known))).toEqual([
      {
        ...columnsOf(given, jettonSide(router, alice, usd, 50n)),
        dex: "tonco",
        success: false,
        min_out_amount: 50n,
      },
    ]);
  });

  it("is none if not every swap was paid once, or nothing by jettons of a known wallet", () => {
    const twice = { ...swap(pool, usdWallet, paysEur()), sends: [paysEur(), paysEur()] };
    expect(swapsOf(actionsOf(paysUsd(twice), known))[0]).toBe("jetton_transfer");
    const { [tonWallet]: _, ...others } = known;
    const pays = payTo(200, tonWallet, 20n, [tonPaid(20n)]);
    expect(swapsOf(actionsOf(paysUsd(swap(pool, usdWallet, pays)), others))[0]).toBe("jetton_transfer");
    const nothing = payTo(200, eurWallet, 7n, []);
    expect(swapsOf(actionsOf(paysUsd(swap(pool, usdWallet, nothing)), known))[0]).toBe("jetton_transfer");
  });

  it("is none if nothing came in, or if a body cannot be read", () => {
    const root = { to: alice, sends: [swap(pool, usdWallet, paysEur())] };
    expect(swapsOf(actionsOf(root, known))[0]).toBe("call_contract");
    const unread = { ...paysEur(), body: bodyOf(0xa1daa96d) };
    expect(swapsOf(actionsOf(paysUsd(swap(pool, usdWallet, unread)), known))[0]).toBe("jetton_transfer");
  });
});
