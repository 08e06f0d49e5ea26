import { describe, expect, it } from "vitest";
import type { Action } from "../../../../server/indexer/actions/action.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
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
import { addressOf, bodyWith, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, cellWith, fieldsWith, none } from "../../../helpers/made-cells.js";

const known = { [item]: itemWith() };
const bounce: MadeMessage = { to: alice, body: bodyOf(0xffffffff) };

function request(key: bigint, value?: Cell): MadeMessage {
  const body = fieldsWith(bodyWith(0x4eb1f0f9), [key, 256]);
  return { to: item, body: (value ? body.storeRef(value) : body).endCell() };
}

const tag = (bits: number) => fieldsWith([bits, 16]);
const changed = (value: Cell): readonly Action[] => actionsOf(from(alice, request(0xabn, value)), known);
const key = "ab".padStart(64, "0");
const id = new Uint8Array(32).fill(0xcd);

describe("A change of a record of a domain", () => {
  const toBob = cellWith(tag(0x9fd3), bob, [0, 8]);
  const long = cellWith(
    tag(0x1eda),
    [2, 8],
    [3, 8],
    Buffer.from("a\0b"),
    cellWith([2, 8], Buffer.from("cd")),
  );

  it("is of the domain and its collection", () => {
    const actions = changed(toBob);
    expect(typesOf(actions)).toEqual(["change_dns"]);
    expect(rowOf(actions, "change_dns")).toMatchObject({
      success: true,
      source: alice,
      destination: item,
      asset: collection,
      change_dns_record_data: { key },
    });
  });

  it.each([
    ["a wallet", toBob, "DNSSmcAddress", bob, 0],
    ["a resolver", tag(0xba93).storeAddress(addressOf(bob)).endCell(), "DNSNextResolver", bob, undefined],
    ["a site", cellWith(tag(0xad01), id, [1, 8]), "DNSAdnlAddress", "cd".repeat(32), 1],
    ["a bag", tag(0x7473).storeBytes(id).endCell(), "DNSStorageAddress", "cd".repeat(32), undefined],
    ["a text over two cells", long, "DNSText", "abcd", undefined],
    ["what is unknown", tag(0x1234).endCell(), "Unknown", undefined, undefined],
  ])("can be %s", (_, record, value_schema, value, flags) => {
    const { change_dns_record_data } = rowOf(changed(record), "change_dns");
    expect(change_dns_record_data).toEqual({
      key,
      value_schema,
      ...(value !== undefined && { value }),
      ...(flags !== undefined && { flags }),
    });
  });

  it.each([
    ["an address without flags", tag(0x9fd3).storeAddress(addressOf(bob)).endCell()],
    ["no address", cellWith(tag(0x9fd3), none, [0, 8])],
    ["a site without flags", tag(0xad01).storeBytes(id).endCell()],
    ["a bag that is cut off", tag(0x7473).storeUint(1, 8).endCell()],
    ["a text whose second cell is missing", cellWith(tag(0x1eda), [2, 8], [0, 8])],
    ["no tag", beginCell().endCell()],
  ])("is none with %s", (_, record) => {
    expect(typesOf(changed(record))).toEqual(["call_contract"]);
  });

  it("needs a key but no known item, and includes bounces", () => {
    const [unknown] = actionsOf(from(alice, request(1n, toBob)), {});
    expect(unknown).toMatchObject({ type: "change_dns", asset: undefined, success: true });
    const short: MadeMessage = { to: item, body: bodyOf(0x4eb1f0f9, [1, 255]) };
    expect(typesOf(actionsOf(from(alice, short), known))).toEqual(["call_contract"]);
    const failed = { ...request(1n, toBob), isAborted: true, sends: [bounce] };
    const actions = actionsOf(from(alice, failed), known);
    expect(typesOf(actions)).toEqual(["change_dns"]);
    expect(actions[0]).toMatchObject({ success: false, tx_hashes: { length: 3 } });
  });
});

describe("A request without a value", () => {
  it("deletes the record of its key", () => {
    const actions = actionsOf(from(alice, request(0xabn)), known);
    expect(typesOf(actions)).toEqual(["delete_dns"]);
    const { source, destination, asset, change_dns_record_data } = rowOf(actions, "delete_dns");
    expect([source, destination, asset]).toEqual([alice, item, collection]);
    expect(change_dns_record_data).toEqual({ key });
  });

  it("renews the domain without a key", () => {
    const actions = actionsOf(from(alice, request(0n)), known);
    expect(typesOf(actions)).toEqual(["renew_dns"]);
    expect(actions[0]).toMatchObject({ source: alice, destination: item, asset: collection });
    expect(actions[0]).not.toHaveProperty("change_dns_record_data");
  });

  it("fails with its call, and needs no known item", () => {
    const failed = { ...request(0n), isAborted: true };
    expect(actionsOf(from(alice, failed), known)[0]).toMatchObject({ type: "renew_dns", success: false });
    const [deletion] = actionsOf(from(alice, { ...request(1n), isAborted: true }), {});
    expect(deletion).toMatchObject({ type: "delete_dns", success: false, asset: undefined });
  });
});
