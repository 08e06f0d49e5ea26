import { describe, expect, it } from "vitest";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import { actionsOf, jettonTransfer, walletsOf } from "../../../helpers/index/made-jettons.js";
import { account, accounts, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, fieldsWith } from "../../../helpers/made-cells.js";
import * as version1 from "./dedust-messages.js";
import {
  alice,
  askWith,
  call,
  eur,
  event,
  excess,
  payJetton,
  payNative,
  payout,
  pool,
  pool2,
  swapRequest,
  usd,
} from "./dedust-v2-messages.js";
import { columnsOf, jettonSide, swapsOf, tonSide } from "./swap-rows.js";

const [vault, pool3] = accounts("vault, a third pool");
const dexPool = (first: string | undefined, second: string) => ({
  dexPool: { dex: "dedust_v2", assets: [first, second] as const },
});
const known = {
  ...walletsOf([alice, pool, pool2, pool3, vault], [usd, eur]),
  [pool]: dexPool(undefined, usd),
  [pool2]: dexPool(undefined, eur),
  [account("volatile pool")]: { dedustPool: { assets: [undefined, usd] as const } },
};

function swapped(amountIn: bigint, amountOut: bigint): MadeMessage {
  const fields = fieldsWith(
    true,
    amountIn,
    amountOut,
    alice,
    alice,
    beginCell().endCell(),
    beginCell().endCell(),
  );
  return event(0x78e79ba4, fields);
}

const sentBy = (...sends: MadeMessage[]): MadeMessage => ({ to: alice, sends });
const eurPaid = (payload = beginCell().endCell()) =>
  jettonTransfer({ from: pool2, to: alice, master: eur, amount: 7n, payload });
const usdGiven = jettonSide(alice, pool, usd, 50n);
const tonGiven = tonSide(alice, pool2, 20n);
const swapFor = (leadsTo: readonly MadeMessage[], request = swapRequest()) =>
  sentBy(payJetton(50n, request, leadsTo));

describe("A swap at DeDust, version 2,", () => {
  it("takes jettons and pays TON", () => {
    const root = swapFor([swapped(50n, 20n), payout(alice, 20n), excess]);
    expect(swapsOf(actionsOf(root, known))).toEqual([
      { ...columnsOf(usdGiven, tonSide(pool, alice, 20n)), dex: "dedust_v2", min_out_amount: 5n },
    ]);
  });

  it("takes TON and pays jettons", () => {
    const root = sentBy(payNative(pool2, 21n, swapRequest(), [swapped(20n, 7n), eurPaid(), excess]));
    expect(swapsOf(actionsOf(root, known))).toEqual([
      { ...columnsOf(tonGiven, jettonSide(pool2, alice, eur, 7n)), dex: "dedust_v2", min_out_amount: 5n },
    ]);
  });

  const usdForTon = { asset_in: usd, amount_in: 50n, asset_out: undefined, amount_out: 20n };
  const tonForEur = { asset_in: undefined, amount_in: 20n, asset_out: eur, amount_out: 7n };
  const overTon = (leadsTo: readonly MadeMessage[], leavesBehind: readonly MadeMessage[] = [excess]) => {
    const second = payNative(pool2, 20n, beginCell().endCell(), leadsTo);
    return swapFor([swapped(50n, 20n), second, ...leavesBehind], swapRequest(pool2));
  };

  it("goes on in another pool over TON", () => {
    const rows = swapsOf(actionsOf(overTon([swapped(20n, 7n), eurPaid(), excess]), known));
    expect(rows).toEqual([
      {
        ...columnsOf(usdGiven, jettonSide(pool2, alice, eur, 7n)),
        dex: "dedust_v2",
        min_out_amount: 6n,
        peer_swaps: [usdForTon, tonForEur],
      },
    ]);
  });

  it("goes on in other pools over jettons", () => {
    const second = jettonTransfer({
      from: pool,
      to: pool2,
      master: eur,
      amount: 9n,
      payload: askWith(swapRequest()),
      leadsTo: [swapped(9n, 20n), payout(alice, 20n), excess],
    });
    const root = swapFor([swapped(50n, 9n), second, excess], swapRequest(pool2, pool));
    expect(swapsOf(actionsOf(root, known))).toEqual([
      {
        ...columnsOf(usdGiven, tonSide(pool2, alice, 20n)),
        dex: "dedust_v2",
        min_out_amount: 7n,
        peer_swaps: [
          { asset_in: usd, amount_in: 50n, asset_out: eur, amount_out: 9n },
          { asset_in: eur, amount_in: 9n, asset_out: undefined, amount_out: 20n },
        ],
      },
    ]);
  });

  // A vault of version 1 pays the first of three pools.
  const over3 = jettonTransfer({
    from: pool2,
    to: pool3,
    master: eur,
    amount: 7n,
    payload: askWith(swapRequest()),
    leadsTo: [swapped(7n, 6n), payout(alice, 6n)],
  });
  const over2 = payNative(pool2, 20n, swapRequest(pool3), [swapped(20n, 7n), over3]);
  const paid = jettonTransfer({
    from: vault,
    to: pool,
    master: usd,
    amount: 50n,
    payload: askWith(swapRequest(pool2, pool3)),
    leadsTo: [swapped(50n, 20n), over2],
  });
  const first = call(account("volatile pool"), 0x61ee542d, [
    version1.swapped(undefined, 60n, usd, 50n),
    version1.payFrom(vault, 50n, [paid]),
  ]);
  const asked = bodyOf(0xea06185d, 60n, version1.route([account("volatile pool")]), version1.swapTerms);
  const overVersion1 = sentBy({ to: account("TON vault"), body: asked, sends: [first] });

  it("follows a swap at version 1 that pays its pool, and goes on in other pools", () => {
    // The first pool of version 2 is paid by the previous swap; its own messages belong to neither.
    expect(swapsOf(actionsOf(overVersion1, known))).toEqual([
      {
        ...columnsOf(tonSide(alice, account("TON vault"), 60n), jettonSide(vault, pool, usd, 50n)),
        dex: "dedust",
      },
      {
        ...columnsOf(tonSide(pool, pool2, 20n), tonSide(pool3, alice, 6n)),
        dex: "dedust_v2",
        min_out_amount: 6n,
        peer_swaps: [tonForEur, { asset_in: eur, amount_in: 7n, asset_out: undefined, amount_out: 6n }],
      },
    ]);
  });

  it("goes on in three pools, the first of which a vault of version 1 pays without a swap that is known", () => {
    const { [account("volatile pool")]: _, ...others } = known;
    expect(swapsOf(actionsOf(overVersion1, others)).filter((row) => typeof row !== "string")).toMatchObject([
      { dex: "dedust_v2", source: vault, min_out_amount: 7n, peer_swaps: { length: 3 } },
    ]);
  });

  it("has no minimum output if the request is unreadable", () => {
    const root = swapFor([swapped(50n, 20n), payout(alice, 20n), excess], beginCell().endCell());
    expect(swapsOf(actionsOf(root, known))).toMatchObject([{ dex: "dedust_v2", min_out_amount: undefined }]);
  });

  it.each([{ isAborted: true }, { exitCode: 7 }])(
    "fails with a pool whose transaction ends with %o",
    (end) => {
      const request = payNative(pool2, 20n, swapRequest(), [swapped(20n, 7n), eurPaid(), excess]);
      expect(swapsOf(actionsOf(sentBy({ ...request, ...end }), known))).toMatchObject([
        { dex: "dedust_v2", success: false },
      ]);
    },
  );

  it("is none if the last payment requests another swap", () => {
    const root = sentBy(
      payNative(pool2, 20n, swapRequest(), [swapped(20n, 7n), eurPaid(askWith(swapRequest())), excess]),
    );
    expect(actionsOf(root, known).map(({ type }) => type)).not.toContain("jetton_swap");
  });

  it.each([
    ["jettons", swapFor([swapped(50n, 20n), payout(alice, 20n)])],
    ["TON", sentBy(payNative(pool2, 20n, swapRequest(), [swapped(20n, 7n), eurPaid()]))],
    ["jettons over another pool", overTon([swapped(20n, 7n), eurPaid()], [])],
  ])("of %s needs no excess", (_, root) => {
    expect(swapsOf(actionsOf(root, known))).toMatchObject([{ dex: "dedust_v2", success: true }]);
  });

  it("is none without a payment, a request for a swap or an event that can be read", () => {
    const unread = event(0x78e79ba4, beginCell());
    for (const root of [
      swapFor([swapped(50n, 20n), excess]),
      swapFor([unread, payout(alice, 20n), excess]),
      sentBy(payNative(pool2, 20n, beginCell().endCell(), [swapped(20n, 7n), eurPaid(), excess])),
    ])
      expect(actionsOf(root, known).map(({ type }) => type)).not.toContain("jetton_swap");
  });
});

describe("A swap that DeDust, version 2, refuses", () => {
  const refused = (root: MadeMessage, contracts = known) => swapsOf(actionsOf(root, contracts));

  it("gives back jettons, and nothing for them", () => {
    const back = jettonTransfer({ from: pool, to: alice, master: usd, amount: 50n });
    expect(refused(swapFor([back, excess]))).toEqual([
      {
        ...columnsOf(usdGiven, tonSide(pool, alice, 0n)),
        dex: "dedust_v2",
        success: false,
        min_out_amount: 5n,
      },
    ]);
  });

  it("gives back TON, and nothing for it", () => {
    const root = sentBy(payNative(pool2, 20n, swapRequest(), [payout(alice, 20n, 7), excess]));
    expect(refused(root)).toEqual([
      {
        ...columnsOf(tonGiven, { ...tonSide(pool2, alice, 0n), asset: eur }),
        dex: "dedust_v2",
        success: false,
        min_out_amount: 5n,
      },
    ]);
  });

  it("needs no excess, and has no asset that was asked for if the pool is unknown", () => {
    const { [pool]: _, [pool2]: __, ...wallets } = known;
    const back = jettonTransfer({ from: pool, to: alice, master: usd, amount: 50n });
    expect(refused(swapFor([back]), wallets)).toMatchObject([
      { asset: usd, asset2: undefined, success: false },
    ]);
    const native = payNative(pool2, 20n, swapRequest(), [payout(alice, 20n, 7)]);
    expect(refused(sentBy(native), wallets)).toMatchObject([{ asset2: undefined, success: false }]);
  });

  it("is none if the sender does not get the input back", () => {
    const native = (...sends: MadeMessage[]) => sentBy(payNative(pool2, 20n, swapRequest(), sends));
    const usdBack = jettonTransfer({ from: pool, to: alice, master: usd, amount: 50n });
    for (const root of [
      swapFor([jettonTransfer({ from: pool, to: alice, master: eur, amount: 50n }), excess]),
      swapFor([jettonTransfer({ from: pool, to: pool2, master: usd, amount: 50n }), excess]),
      swapFor([usdBack, excess], beginCell().endCell()),
      swapFor([payout(alice, 50n, 7), excess]),
      native(payout(alice, 20n, 0), excess),
      native(payout(pool, 20n, 7), excess),
      native(eurPaid(), excess),
      native(call(alice, 0x3216ca09), excess),
    ])
      expect(actionsOf(root, known).map(({ type }) => type)).not.toContain("jetton_swap");
  });
});
