import { describe, expect, it } from "vitest";
import { actionsOf, jettonTransfer, walletOf, walletsOf } from "../../../helpers/index/made-jettons.js";
import { accounts, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, cellWith, fieldsWith } from "../../../helpers/made-cells.js";
import {
  alice,
  asset,
  eur,
  factory,
  liquidityEvent,
  nothing,
  pool,
  poolParams,
  usd,
  vault,
} from "./coffee-messages.js";
import { call, minted } from "./liquidity-messages.js";
import { columnsOf, partsLast } from "./liquidity-rows.js";

const [bob, carol, creator] = accounts("bob, carol, pool creator");
const known = walletsOf([alice, vault], [usd, eur]);

type Assets = readonly [string | undefined, string | undefined];

/** Bob gets the pool. */
const creation = fieldsWith(bob, false, false, true, false);

/** A vault reports the asset for a new pool to the factory; the creator continues if it has both assets. */
function credited(assets: Assets, amount: bigint, sends: readonly MadeMessage[]): MadeMessage {
  const body = bodyOf(0xc0ffee23, amount, poolParams(...assets), creation.endCell(), alice, nothing);
  return { to: factory, body, sends: [call(creator, 0xc0ffee22, sends)] };
}

function ton(assets: Assets, sends: readonly MadeMessage[] = [], opcode = 0xc0ffee02): MadeMessage {
  const body = bodyOf(opcode, 20n, poolParams(...assets), creation);
  return { to: vault, body, sends: [credited(assets, 20n, sends)] };
}

function jettons(assets: Assets, sends: readonly MadeMessage[] = []): MadeMessage {
  const payload = cellWith([0xc0ffee11, 32], poolParams(...assets), creation);
  const leadsTo = [credited(assets, 50n, sends)];
  return jettonTransfer({ from: alice, to: vault, master: usd, amount: 50n, payload, leadsTo });
}

const lp = minted(walletOf(bob, pool), 9n, [call(bob, 0xd53276db)]);
const deposited = liquidityEvent(0xc0ffee33, 20n, 50n, 9n);

/** The creator requests the pool from the factory; carol provided its first asset. */
function created(sends: readonly MadeMessage[] = [lp, deposited]): MadeMessage {
  const body = bodyOf(0xc0ffee25, 20n, 50n, carol, creation.endCell(), nothing);
  return { to: factory, body, sends: [call(pool, 0xc0ffee22, sends)] };
}

function rowsOf(message: MadeMessage, contracts = known): unknown[] {
  return partsLast(actionsOf({ to: alice, sends: [message] }, contracts)).map((action) => {
    const { type, parent_action_id } = action;
    if (parent_action_id !== undefined) return `part: ${type}`;
    if (type === "coffee_create_pool_creator" || type === "coffee_create_vault") return columnsOf(action);
    return type === "coffee_create_pool"
      ? { ...columnsOf(action), ...action["coffee_create_pool_data"] }
      : type;
  });
}

const ofTon = {
  success: true,
  source: alice,
  destination: bob,
  destination_secondary: creator,
  asset2_secondary: usd,
  amount: 20n,
};
const ofUsd = { ...ofTon, source_secondary: walletOf(alice, usd), asset: usd, amount: 50n };

describe("A creator of a pool at swap.coffee", () => {
  it("collects TON or jettons", () => {
    expect(rowsOf(ton([undefined, usd]))[0]).toEqual(ofTon);
    expect(rowsOf(jettons([undefined, usd]))[0]).toEqual(ofUsd);
  });

  it("has its calls as parts, and succeeds regardless of their outcome", () => {
    expect(rowsOf({ ...ton([undefined, usd]), isAborted: true })).toEqual([
      ofTon,
      "part: call_contract",
      "part: call_contract",
      "part: call_contract",
    ]);
  });

  it("is none for an extra currency, for other payloads, or if a body cannot be read", () => {
    const unread = { ...ton([undefined, usd]), body: bodyOf(0xc0ffee02) };
    expect(rowsOf(ton([undefined, usd], [], 0xc0ffee03))[0]).toBe("call_contract");
    expect(rowsOf(unread)[0]).toBe("call_contract");
    const leadsTo = [credited([undefined, usd], 50n, [])];
    const plain = jettonTransfer({ from: alice, to: vault, master: usd, amount: 50n, leadsTo });
    expect(rowsOf(plain)[0]).toBe("jetton_transfer");
    expect(rowsOf(jettons([undefined, usd]), {})[0]).toBe("call_contract");
  });
});

const poolOfTon = {
  ...ofTon,
  destination: pool,
  asset2: usd,
  asset2_secondary: undefined,
  amount_1: 20n,
  amount_2: 50n,
  initiator_1: alice,
  initiator_2: carol,
  provided_asset: undefined,
  lp_tokens_minted: 9n,
};

describe("A pool at swap.coffee", () => {
  it("is created with the last asset, which comes first", () => {
    expect(rowsOf(ton([undefined, usd], [created()]))[0]).toEqual(poolOfTon);
    expect(rowsOf(jettons([undefined, usd], [created()]))[0]).toEqual({
      ...poolOfTon,
      source_secondary: walletOf(alice, usd),
      asset: usd,
      asset2: undefined,
      amount: 50n,
      amount_1: 50n,
      amount_2: 20n,
      initiator_1: carol,
      initiator_2: alice,
      provided_asset: usd,
    });
  });

  it("keeps the order of the pool if neither asset was brought", () => {
    expect(rowsOf(jettons([undefined, eur], [created()]))[0]).toEqual({
      ...poolOfTon,
      source_secondary: walletOf(alice, usd),
      asset2: eur,
      amount: 50n,
      provided_asset: usd,
    });
  });

  it("has the creator as a part", () => {
    const notified = call(bob, 0xc0ffee36, [call(alice, 0xb216d31f)]);
    const rows = rowsOf(ton([undefined, usd], [created([lp, deposited, notified])]));
    expect(rows).toContain("part: coffee_create_pool_creator");
    expect(rows.filter((row) => row === "call_contract")).toEqual([]);
  });

  it("is none without tokens and the log of the pool, or if a body cannot be read", () => {
    const unread = { ...created(), body: bodyOf(0xc0ffee25) };
    for (const each of [created([lp]), created([deposited]), unread])
      expect(rowsOf(ton([undefined, usd], [each]))[0]).toEqual(ofTon);
  });
});

describe("A vault at swap.coffee", () => {
  const request = (master: string | undefined, sends: readonly MadeMessage[]): MadeMessage => ({
    to: factory,
    body: bodyOf(0xc0ffee06, asset(master)),
    value: 7n,
    sends,
  });
  const row = { success: true, source: alice, destination: vault, value: 7n };

  it("is of TON or of jettons, whose master it asks for its wallet", () => {
    expect(rowsOf(request(undefined, [call(vault, 0xc0ffee22)]))[0]).toEqual(row);
    const asks = call(usd, 0x2c76b973, [call(vault, 0xd1735400)]);
    expect(rowsOf(request(usd, [call(vault, 0xc0ffee22, [asks])]))).toEqual([
      { ...row, asset: usd },
      ...new Array(4).fill("part: call_contract"),
    ]);
  });

  it("is none if nothing was deployed, or if the body cannot be read", () => {
    expect(rowsOf(request(usd, []))[0]).toBe("call_contract");
    const unread = { ...request(usd, [call(vault, 0xc0ffee22)]), body: bodyOf(0xc0ffee06) };
    expect(rowsOf(unread)[0]).toBe("call_contract");
  });
});
