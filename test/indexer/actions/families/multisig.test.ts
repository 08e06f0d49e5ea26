import { describe, expect, it } from "vitest";
import type { Action } from "../../../../server/indexer/actions/action.js";
import type { StoredType } from "../../../../shared/actions/all.js";
import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { actionsOf } from "../../../helpers/index/made-jettons.js";
import { accounts, bodyWith, comment, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, cellWith, fieldsWith } from "../../../helpers/made-cells.js";
import { rowsOfType } from "./shown-rows.js";

const [alice, bob, carol, multisig, order] = accounts("alice, bob, carol, multisig, order");
const known = { [order]: { multisigOrder: { signers: [bob, carol] } } };
const excess: MadeMessage = { to: alice, body: bodyOf(0xd53276db) };
const contents = cellWith([5, 8], cellWith([6, 8]));

function only<T extends StoredType>(type: T, actions: readonly Action[]): Extract<Action, { type: T }> {
  const [action, ...others] = actions.filter((each) => each.type === type);
  if (action === undefined || others.length > 0) throw new Error(`not one ${type}`);
  return action as Extract<Action, { type: T }>;
}

function expectOrder(boc: string): void {
  const bytes = Buffer.from(boc, "base64");
  expect(parseBocRoot(bytes).hashHex()).toBe(contents.hashHex());
  // Flags: neither index nor checksum.
  expect(bytes[4]! & 0xc0).toBe(0);
}

describe("A new order of a multisig wallet", () => {
  const request = cellWith(bodyWith(0xf718510f, 7n), [2n ** 255n, 256], true, [1, 8], [2000, 48], contents);
  const initBody = (signerIndex: number | undefined) => {
    const body = fieldsWith(
      bodyWith(0x9c73fba2, 7n),
      [2, 8],
      contents,
      [2000, 48],
      contents,
      signerIndex !== undefined,
    );
    return (signerIndex === undefined ? body : body.storeUint(signerIndex, 8)).endCell();
  };
  const init = (body: Cell): MadeMessage => ({ to: order, body, sends: [excess] });
  const actions = (body: Cell, sends: readonly MadeMessage[], contracts: object = known) =>
    actionsOf({ to: alice, sends: [{ to: multisig, body, sends }] }, { ...contracts });
  const rows = (...args: Parameters<typeof actions>) => rowsOfType("multisig_create_order", actions(...args));

  it("has the ordered actions, and belongs to the signers as well", () => {
    const action = only("multisig_create_order", actions(request, [init(initBody(1))]));
    const { order_boc, ...data } = action["multisig_create_order_data"] ?? {};
    expect(action).toMatchObject({
      success: true,
      source: alice,
      destination: multisig,
      destination_secondary: order,
      accounts: [alice, bob, carol, multisig, order].sort(),
    });
    expect(data).toEqual({
      query_id: 7n,
      order_seqno: 2n ** 255n,
      is_created_by_signer: true,
      is_signed_by_creator: true,
      creator_index: 1,
      expiration_date: 2000,
    });
    expectOrder(order_boc as string);
  });

  it("is not signed if the order lacks a signer", () => {
    expect(rows(request, [init(initBody(undefined))])).toMatchObject([
      { multisig_create_order_data: { is_signed_by_creator: false } },
    ]);
  });

  it("takes only the request and its direct consequences", () => {
    const left = actions(request, [init(initBody(1))]).filter((each) => each.opcode === 0xd53276db);
    expect(left).toMatchObject([{ parent_action_id: undefined }]);
  });

  it("is none if the order is unknown, was not made, or if a body cannot be read", () => {
    expect(rows(request, [init(initBody(1))], {})).toEqual([]);
    expect(rows(request, [])).toEqual([]);
    expect(rows(bodyOf(0xf718510f), [init(initBody(1))])).toEqual([]);
    expect(rows(request, [init(bodyOf(0x9c73fba2))])).toEqual([]);
  });
});

describe("An approval of an order", () => {
  const request = cellWith(bodyWith(0xa762230f, 7n), [1, 8]);
  const accepted: MadeMessage = { to: alice, body: bodyOf(0x82609bf6) };
  const rejected: MadeMessage = { to: alice, body: bodyOf(0xafaf283e, [106, 32]) };
  const actions = (body: Cell, sends: readonly MadeMessage[], contracts: object = known) =>
    actionsOf({ to: alice, sends: [{ to: order, body, sends }] }, { ...contracts });
  const rows = (...args: Parameters<typeof actions>) => rowsOfType("multisig_approve", actions(...args));
  const row = {
    type: "multisig_approve",
    success: true,
    source: alice,
    destination: order,
    multisig_approve_data: { signer_index: 1, exit_code: 0 },
  };

  it("is accepted, and belongs to the signers as well", () => {
    expect(rows(request, [accepted])).toEqual([row]);
    expect(only("multisig_approve", actions(request, [accepted])).accounts).toEqual(
      [alice, bob, carol, order].sort(),
    );
  });

  it("fails if it is rejected", () => {
    const data = { signer_index: 1, exit_code: 106 };
    expect(rows(request, [rejected])).toEqual([{ ...row, success: false, multisig_approve_data: data }]);
  });

  it("can be a comment, of a signer without a number", () => {
    const data = { signer_index: -1, exit_code: 0 };
    expect(rows(comment("approve"), [accepted])).toEqual([{ ...row, multisig_approve_data: data }]);
    expect(rows(comment("approves"), [accepted])).toEqual([]);
  });

  it("is none if the order is unknown or did not answer, or if a body cannot be read", () => {
    expect(rows(request, [accepted], {})).toEqual([]);
    expect(rows(request, [excess])).toEqual([]);
    expect(rows(bodyOf(0xa762230f), [accepted])).toEqual([]);
    expect(rows(request, [{ ...rejected, body: bodyOf(0xafaf283e) }])).toEqual([]);
  });
});

describe("An execution of an order", () => {
  const request = cellWith(
    bodyWith(0x75097f5d, 7n),
    [4, 256],
    [2000, 48],
    [2, 8],
    Buffer.alloc(32, 1),
    contents,
  );
  const actions = (changed: Partial<MadeMessage> = {}, contracts: object = known) =>
    actionsOf({ to: order, sends: [{ to: multisig, body: request, ...changed }] }, { ...contracts });
  const rows = (...args: Parameters<typeof actions>) => rowsOfType("multisig_execute", actions(...args));

  it("has the executed actions, and belongs to the signers as well", () => {
    const action = only("multisig_execute", actions());
    const { order_boc, ...data } = action["multisig_execute_data"] ?? {};
    expect(action).toMatchObject({
      success: true,
      source: order,
      destination: multisig,
      accounts: [bob, carol, multisig, order].sort(),
    });
    expect(data).toEqual({
      query_id: 7n,
      order_seqno: 4n,
      expiration_date: 2000,
      approvals_num: 2,
      signers_hash: Buffer.alloc(32, 1).toString("base64"),
    });
    expectOrder(order_boc as string);
  });

  it("fails with its message", () => {
    expect(rows({ isAborted: true })).toMatchObject([{ success: false }]);
  });

  it("does not take its consequences", () => {
    const sent: MadeMessage = { to: carol, body: comment("pay") };
    const left = actions({ sends: [sent] }).filter(({ type }) => type === "ton_transfer");
    expect(left).toMatchObject([{ parent_action_id: undefined, destination: carol }]);
  });

  it("is none if the order is unknown, or if the body cannot be read", () => {
    expect(rows({}, {})).toEqual([]);
    expect(rows({ body: bodyOf(0x75097f5d) })).toEqual([]);
  });
});
