import { describe, expect, it } from "vitest";
import { proxyTonMasters } from "../../../../server/indexer/actions/families/jettons.js";
import {
  actionsOf,
  jettonTransfer,
  proxyTonPayout,
  walletOf,
  walletsOf,
} from "../../../helpers/index/made-jettons.js";
import { account, addressOf, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, cellWith } from "../../../helpers/made-cells.js";
import { columnsOf, jettonSide, swapsOf } from "./swap-rows.js";

const [alice, bob, router, pool, usd, eur] = ["alice", "bob", "router", "pool", "usd", "eur"].map(
  account,
) as [string, string, string, string, string, string];
const proxy = [...proxyTonMasters][0]!;
const known = walletsOf([alice, bob, router], [usd, eur, proxy]);

const done = 0xc64370e5;
const noLiquidity = 0x5ffe1295;
const share = 0x45078540;

/** The pool's payment order to the router. */
function payment(code: number, amount: bigint, master: string, sends: readonly MadeMessage[]): MadeMessage {
  const wallet = addressOf(walletOf(router, master));
  const amounts = cellWith(0n, wallet, amount, wallet);
  const body = bodyOf(0xf93bb43f, alice, [code, 32], true, amounts);
  return { to: router, body, sends };
}

const paid = (to: string, master: string, amount: bigint) =>
  jettonTransfer({ from: router, to, master, amount });

function swapRequest(master: string, payments: readonly MadeMessage[]): MadeMessage {
  const body = bodyOf(0x25938561, bob, walletOf(router, master), 50n, 1n, false, cellWith(alice));
  return { to: pool, body, sends: payments };
}

/** The payload that requests a jetton from the router. */
const askFor = (master: string) => cellWith([0x25938561, 32], walletOf(router, master), 1n, bob, false);

/** Alice gives USD for EUR, which Bob gets. */
function swapFor(payments: readonly MadeMessage[], payload = askFor(eur)): MadeMessage {
  const leadsTo = [swapRequest(usd, payments)];
  return { to: alice, sends: [jettonTransfer({ from: alice, to: router, master: usd, payload, leadsTo })] };
}

const given = jettonSide(alice, router, usd, 50n);
const taken = jettonSide(router, bob, eur, 7n);
const bought = {
  ...columnsOf(given, taken),
  dex: "stonfi",
  destination_secondary: walletOf(router, eur),
};
const bobIsPaid = payment(done, 7n, eur, [paid(bob, eur, 7n)]);

describe("A swap at STON.fi, version 1,", () => {
  it("is the transfer to the router with its consequences", () => {
    expect(swapsOf(actionsOf(swapFor([bobIsPaid]), known))).toEqual([bought]);
  });

  it("omits the referrer's payment", () => {
    const referrer = payment(share, 90n, eur, [paid(alice, eur, 90n)]);
    const rows = swapsOf(actionsOf(swapFor([referrer, bobIsPaid]), known));
    expect(rows).toEqual([bought, "call_contract", "jetton_transfer"]);
  });

  it("gives the largest of several payments", () => {
    const less = payment(done, 3n, eur, [paid(alice, eur, 3n)]);
    expect(swapsOf(actionsOf(swapFor([less, bobIsPaid]), known))).toEqual([bought]);
  });

  it("fails with the refund, and has the requested asset", () => {
    const refund = payment(noLiquidity, 50n, usd, [paid(alice, usd, 50n)]);
    expect(swapsOf(actionsOf(swapFor([refund]), known))).toEqual([
      {
        ...bought,
        success: false,
        destination: alice,
        dex_outgoing_transfer: jettonSide(router, alice, usd, 50n),
      },
    ]);
  });

  it("has the payment if the requested asset is unknown", () => {
    const asked = swapFor([bobIsPaid], askFor(account("another jetton")));
    expect(swapsOf(actionsOf(asked, known))).toEqual([
      { ...bought, destination_secondary: walletOf(router, account("another jetton")) },
    ]);
    const other = swapFor([bobIsPaid], cellWith([1, 32]));
    expect(swapsOf(actionsOf(other, known))).toEqual([bought]);
  });

  it("counts the payment of an unknown wallet as TON", () => {
    const unknown = account("another jetton");
    const isPaid = payment(done, 7n, unknown, [paid(bob, eur, 7n)]);
    const [swap] = swapsOf(actionsOf(swapFor([isPaid]), known));
    expect(swap).toMatchObject({ asset2: eur, dex_outgoing_transfer: { ...taken, asset: undefined } });
  });

  it("over proxy TON has no users' wallets, and pays the stated receiver", () => {
    const pays = payment(done, 7n, proxy, [proxyTonPayout({ from: router, to: alice, master: proxy })]);
    const request = { from: alice, to: router, master: proxy, payload: askFor(proxy) };
    const root = {
      to: alice,
      sends: [
        proxyTonPayout(request, [
          { to: router, body: bodyOf(0x7362d09c), sends: [swapRequest(proxy, [pays])] },
        ]),
      ],
    };
    const incoming = { ...jettonSide(alice, router, proxy, 50n), source_jetton_wallet: undefined };
    const outgoing = {
      ...jettonSide(router, bob, proxy, 7n),
      source_jetton_wallet: undefined,
      destination_jetton_wallet: undefined,
    };
    expect(swapsOf(actionsOf(root, known))).toEqual([
      {
        ...columnsOf(incoming, outgoing),
        dex: "stonfi",
        destination_secondary: walletOf(router, proxy),
      },
    ]);
  });

  it("is none if the router's wallet is unknown, or if nothing was paid", () => {
    const { [walletOf(router, usd)]: _, ...others } = known;
    const withoutRouter = actionsOf(swapFor([bobIsPaid]), others);
    expect(withoutRouter.map(({ type }) => type)).not.toContain("jetton_swap");
    for (const payments of [
      [payment(done, 7n, eur, [])],
      [payment(1, 7n, eur, [paid(bob, eur, 7n)])],
      [payment(share, 7n, eur, [paid(bob, eur, 7n)])],
      [],
    ])
      expect(swapsOf(actionsOf(swapFor(payments), known))[0]).toBe("jetton_transfer");
  });

  it("is none if a body cannot be read", () => {
    const unread = { to: router, body: bodyOf(0xf93bb43f), sends: [paid(bob, eur, 7n)] };
    expect(swapsOf(actionsOf(swapFor([unread]), known))[0]).toBe("jetton_transfer");
    const badPayload = swapFor([bobIsPaid], cellWith([0x25938561, 32]));
    expect(swapsOf(actionsOf(badPayload, known))[0]).toBe("jetton_transfer");
  });
});
