import { describe, expect, it } from "vitest";
import { actionsOf } from "../../../helpers/index/made-jettons.js";
import {
  alice,
  bob,
  collection,
  from,
  item,
  itemWith,
  rowOf,
  typesOf,
} from "../../../helpers/index/made-nfts.js";
import { bodyWith, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, cellWith } from "../../../helpers/made-cells.js";

const dnsCode = "i1/8nr/TkGTY1fVuRlnIJrt1k5I/XKSHKL5NYK9vUfk=";
const ton = "0:B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF";
const known = { [item]: itemWith({ codeHash: dnsCode }) };
const withoutQuery = (opcode: number) => cellWith([opcode, 32]);

describe("A purchase of a domain", () => {
  const fillUp: MadeMessage = { to: alice, value: 700n, body: bodyWith(0x370fec51, 9n).endCell() };
  const finished = (sent: MadeMessage): MadeMessage =>
    from(bob, { to: item, body: bodyOf(0x2fcb26a2), sends: [sent] });

  it("is the bid that the domain sent on", () => {
    const actions = actionsOf(finished(fillUp), known);
    const row = rowOf(actions, "dns_purchase");
    const parts = actions.filter(({ parent_action_id }) => parent_action_id === row.action_id);
    expect([actions, parts].map(typesOf)).toEqual([
      ["call_contract", "call_contract", "dns_purchase"],
      ["call_contract"],
    ]);
    expect(row).not.toHaveProperty("source");
    expect(row).toMatchObject({
      success: true,
      destination: bob,
      asset: collection,
      asset_secondary: item,
      nft_transfer_data: { query_id: 9n, price: 700n, payout_amount: 700n, nft_item_index: 5n },
    });
  });

  it("has a collection or a code of domains, and perhaps no query", () => {
    const ofTon = { [item]: itemWith({ collection: ton }) };
    const bare = { ...fillUp, body: withoutQuery(0x370fec51) };
    const { asset, nft_transfer_data } = rowOf(actionsOf(finished(bare), ofTon), "dns_purchase");
    expect([asset, nft_transfer_data?.["query_id"]]).toEqual([ton, undefined]);
  });

  it("fails with its transaction, also without value", () => {
    const failed = { ...fillUp, value: 0n, isAborted: true };
    expect(rowOf(actionsOf(finished(failed), known), "dns_purchase").success).toBe(false);
  });

  it("needs a known domain that was called", () => {
    expect(typesOf(actionsOf(finished(fillUp), {}))).toEqual(["call_contract", "call_contract"]);
    const other = { [item]: itemWith() };
    expect(typesOf(actionsOf(finished(fillUp), other))).toEqual(["call_contract", "call_contract"]);
    const paid = from(bob, { to: item, sends: [fillUp] });
    expect(typesOf(actionsOf(paid, known))).toEqual(["call_contract", "ton_transfer"]);
  });
});

describe("A release of a domain", () => {
  const release: MadeMessage = { to: item, value: 30n, body: bodyWith(0x4ed14b65, 8n).endCell() };

  it("is the call", () => {
    const actions = actionsOf(from(alice, { ...release, sends: [{ to: bob }] }), known);
    const row = rowOf(actions, "dns_release");
    const parts = actions.filter(({ parent_action_id }) => parent_action_id === row.action_id);
    expect([actions, parts].map(typesOf)).toEqual([
      ["call_contract", "dns_release", "ton_transfer"],
      ["call_contract"],
    ]);
    expect(row).toMatchObject({
      success: true,
      source: alice,
      destination: item,
      asset: collection,
      asset_secondary: item,
      value: 30n,
      nft_transfer_data: { query_id: 8n, nft_item_index: 5n },
    });
  });

  it("has perhaps no query, and fails with its transaction", () => {
    const bare = { ...release, body: withoutQuery(0x4ed14b65), value: 0n, isAborted: true };
    const { success, nft_transfer_data } = rowOf(actionsOf(from(alice, bare), known), "dns_release");
    expect([success, nft_transfer_data?.["query_id"]]).toEqual([false, undefined]);
  });

  it("needs a known domain", () => {
    expect(typesOf(actionsOf(from(alice, release), {}))).toEqual(["call_contract"]);
    expect(typesOf(actionsOf(from(alice, release), { [item]: itemWith() }))).toEqual(["call_contract"]);
  });
});
