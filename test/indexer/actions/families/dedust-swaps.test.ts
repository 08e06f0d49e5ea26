import { describe, expect, it } from "vitest";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { actionsOf, jettonTransfer, walletsOf } from "../../../helpers/index/made-jettons.js";
import { account, accounts, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, cellWith } from "../../../helpers/made-cells.js";
import { payFrom, route, swapped, swapTerms } from "./dedust-messages.js";
import { columnsOf, jettonSide, swapsOf, tonSide } from "./swap-rows.js";

const [alice, vault, vault2, pool, pool2, usd, eur] = accounts(
  "alice, vault, another vault, pool, another pool, usd, eur",
);
const known = {
  ...walletsOf([alice, vault, vault2], [usd, eur]),
  [pool]: { dedustPool: { assets: [undefined, usd] as const } },
  [pool2]: { dedustPool: { assets: [undefined, eur] as const } },
};

const askFor = (...pools: string[]) => cellWith([0xe3a0d482, 32], route(pools), swapTerms);

const call = (to: string, opcode: number, sends: readonly MadeMessage[]): MadeMessage => ({
  to,
  body: bodyOf(opcode),
  sends,
});
const external = (...sends: MadeMessage[]) => call(pool, 0x61ee542d, sends);
const peer = (...sends: MadeMessage[]) => call(pool2, 0x72aca8aa, sends);

const tonPaid = payFrom(vault2, 20n, [call(alice, 0x474f86cf, [])]);
const eurPaid = payFrom(vault2, 7n, [jettonTransfer({ from: vault2, to: alice, master: eur, amount: 7n })]);

function paysUsd(payload: Cell, ...leadsTo: MadeMessage[]): MadeMessage {
  const transfer = jettonTransfer({ from: alice, to: vault, master: usd, amount: 50n, payload, leadsTo });
  return { to: alice, sends: [transfer] };
}

function paysTon(pools: readonly string[], ...sends: MadeMessage[]): MadeMessage {
  const body = bodyOf(0xea06185d, 20n, route(pools), swapTerms);
  return { to: alice, sends: [{ to: vault, body, sends }] };
}

const given = jettonSide(alice, vault, usd, 50n);
const usdForTon = { asset_in: usd, amount_in: 50n, asset_out: undefined, amount_out: 20n };
const tonForEur = { asset_in: undefined, amount_in: 20n, asset_out: eur, amount_out: 7n };
const boughtTon = { ...columnsOf(given, tonSide(vault2, alice, 20n)), dex: "dedust" };
const boughtEur = { ...columnsOf(given, jettonSide(vault2, alice, eur, 7n)), dex: "dedust" };

describe("A swap at DeDust", () => {
  it("takes jettons and pays TON", () => {
    const root = paysUsd(askFor(pool), external(swapped(usd, 50n, undefined, 20n), tonPaid));
    expect(swapsOf(actionsOf(root, known))).toEqual([boughtTon]);
  });

  it("takes TON and pays jettons", () => {
    const root = paysTon([pool2], external(swapped(undefined, 20n, eur, 7n), eurPaid));
    const outgoing = jettonSide(vault2, alice, eur, 7n);
    expect(swapsOf(actionsOf(root, known))).toEqual([
      { ...columnsOf(tonSide(alice, vault, 20n), outgoing), dex: "dedust" },
    ]);
  });

  it("goes on in another pool", () => {
    const second = peer(swapped(undefined, 20n, eur, 7n), eurPaid);
    const root = paysUsd(askFor(pool, pool2), external(swapped(usd, 50n, undefined, 20n), second));
    expect(swapsOf(actionsOf(root, known))).toEqual([{ ...boughtEur, peer_swaps: [usdForTon, tonForEur] }]);
  });

  it("fails in a later pool with the earlier pools' output, and has the requested asset", () => {
    const root = paysUsd(askFor(pool, pool2), external(swapped(usd, 50n, undefined, 20n), peer(tonPaid)));
    expect(swapsOf(actionsOf(root, known))).toEqual([{ ...boughtTon, success: false, asset2: eur }]);
  });

  it("fails in the first pool with the refund", () => {
    const refund = payFrom(vault, 50n, [
      jettonTransfer({ from: vault, to: alice, master: usd, amount: 50n }),
    ]);
    const root = paysUsd(askFor(pool), external(refund));
    const outgoing = jettonSide(vault, alice, usd, 50n);
    expect(swapsOf(actionsOf(root, known))).toEqual([
      { ...columnsOf(given, outgoing), dex: "dedust", success: false, asset2: undefined },
    ]);
  });

  it("is none if a pool of the route is unknown", () => {
    const root = paysUsd(
      askFor(pool, account("unknown")),
      external(swapped(usd, 50n, undefined, 20n), tonPaid),
    );
    expect(swapsOf(actionsOf(root, known))[0]).toBe("jetton_transfer");
  });

  it("is none unless exactly one payment was made", () => {
    const event = swapped(usd, 50n, undefined, 20n);
    expect(swapsOf(actionsOf(paysUsd(askFor(pool), external(event)), known))[0]).toBe("jetton_transfer");
    const withoutEnd = paysUsd(askFor(pool, pool2), external(event, peer(swapped(undefined, 20n, eur, 7n))));
    expect(swapsOf(actionsOf(withoutEnd, known))[0]).toBe("jetton_transfer");
  });

  it("is none if the transfer asks for something else, or if a body cannot be read", () => {
    const swap = external(swapped(usd, 50n, undefined, 20n), tonPaid);
    const other = cellWith([1, 32]);
    expect(swapsOf(actionsOf(paysUsd(other, swap), known))[0]).toBe("jetton_transfer");
    const unread = cellWith([0xe3a0d482, 32]);
    expect(swapsOf(actionsOf(paysUsd(unread, swap), known))[0]).toBe("jetton_transfer");
    const event = { to: undefined, body: cellWith([0x9c610de3, 32]) };
    expect(swapsOf(actionsOf(paysUsd(askFor(pool), external(event, tonPaid)), known))[0]).toBe(
      "jetton_transfer",
    );
  });
});
