import { describe, expect, it } from "vitest";
import type { StoredType } from "../../../../shared/actions/all.js";
import type { Builder } from "../../../../shared/ton/cells/builder.js";
import { Cell } from "../../../../shared/ton/cells/cell.js";
import { actionsOf } from "../../../helpers/index/made-jettons.js";
import { accounts, addressOf, bodyWith, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, cellWith, fieldsWith, maybe } from "../../../helpers/made-cells.js";
import { rowsOfType } from "./shown-rows.js";

const [alice, bob, client, proxy, worker, root] = accounts("alice, bob, client, proxy, worker, root");
const excess: MadeMessage = { to: bob, body: bodyOf(0x2565934c) };
const payout: MadeMessage = { to: alice, value: 50n, body: bodyOf(0xc59a7cd3) };

/** A client's message to its proxy. */
function clientRequest(sends: readonly MadeMessage[], payload?: Cell): MadeMessage {
  const body = bodyOf(0x65448ff4, alice, Cell.empty, maybe(payload));
  return { to: proxy, body, sends };
}

/** A worker's request to its proxy. */
function workerRequest(sends: readonly MadeMessage[]): MadeMessage {
  const body = bodyOf(0x4d725d2c, alice, [2, 2], [9, 64], false);
  return { to: proxy, body, sends };
}

const refundGranted = cellWith([0xc68ebc7b, 32], 40n, alice);
const told = [clientRequest([]), excess];

type Case = {
  type: StoredType;
  to: string;
  opcode: number;
  fields?: (body: Builder) => Builder;
  sends: (payout: MadeMessage) => readonly MadeMessage[];
  /** Fails with the payout rather than with the request. */
  isFailedByPayout?: true;
};

const byBob = (body: Builder) => body.storeAddress(addressOf(bob));
const charge = (body: Builder) => body.storeUint(3, 64).storeAddress(addressOf(proxy));

/** Their columns are those of recorded traces. */
const cases: readonly Case[] = [
  {
    type: "cocoon_worker_payout",
    to: worker,
    opcode: 0xa040ad28,
    fields: charge,
    sends: (payout) => [workerRequest([payout, excess])],
    isFailedByPayout: true,
  },
  {
    type: "cocoon_proxy_payout",
    to: proxy,
    opcode: 0x7610e6eb,
    fields: byBob,
    sends: (payout) => [payout, excess],
    isFailedByPayout: true,
  },
  {
    type: "cocoon_proxy_charge",
    to: client,
    opcode: 0xbb63ff93,
    fields: charge,
    sends: () => told,
  },
  {
    type: "cocoon_grant_refund",
    to: client,
    opcode: 0xefd711e1,
    fields: charge,
    sends: (payout) => [clientRequest([payout, excess])],
    isFailedByPayout: true,
  },
  {
    type: "cocoon_client_top_up",
    to: client,
    opcode: 0xf172e6c2,
    fields: (body) => byBob(body.storeCoins(30n)),
    sends: () => [clientRequest([excess])],
  },
  {
    type: "cocoon_register_proxy",
    to: root,
    opcode: 0x927c7cb5,
    sends: () => [excess],
  },
  {
    type: "cocoon_unregister_proxy",
    to: root,
    opcode: 0x6d49eaf2,
    fields: (body) => body.storeUint(4, 32),
    sends: () => [excess],
  },
  {
    type: "cocoon_client_register",
    to: client,
    opcode: 0xc45f9f3b,
    fields: (body) => byBob(body.storeUint(5, 64)),
    sends: () => told,
  },
  {
    type: "cocoon_client_change_secret_hash",
    to: client,
    opcode: 0xa9357034,
    fields: (body) => byBob(body.storeUint(0xabcn, 256)),
    sends: () => told,
  },
  {
    type: "cocoon_client_request_refund",
    to: client,
    opcode: 0xfafa6cc1,
    fields: byBob,
    sends: () => told,
  },
  {
    type: "cocoon_client_increase_stake",
    to: client,
    opcode: 0x6a1f6a60,
    fields: (body) => byBob(body.storeCoins(60n)),
    sends: () => told,
  },
  {
    type: "cocoon_client_withdraw",
    to: client,
    opcode: 0xda068e78,
    fields: byBob,
    sends: (payout) => [clientRequest([payout, excess], refundGranted)],
  },
];

const caseBody = ({ opcode, fields = (body) => body }: Case) => fields(bodyWith(opcode, 7n)).endCell();
const by = (sender: string, message: MadeMessage) => actionsOf({ to: sender, sends: [message] }, {});

function request(each: Case, changed: Partial<MadeMessage> = {}): MadeMessage {
  return { to: each.to, body: caseBody(each), sends: each.sends(payout), ...changed };
}

describe.each(cases)("A $type", (each) => {
  const { type } = each;
  const rows = (changed?: Partial<MadeMessage>) => rowsOfType(type, by(bob, request(each, changed)));

  it("keeps rows of its messages", () => {
    const parts = by(bob, request(each)).filter(({ ancestor_type }) => ancestor_type.includes(type));
    expect(parts.length).toBeGreaterThan(1);
    expect(new Set(parts.map((part) => part.type))).toEqual(new Set(["call_contract"]));
  });

  it("fails with the transaction that decides", () => {
    const { isFailedByPayout = false } = each;
    const withRequest = rows({ isAborted: true });
    const withPayout = rows({ sends: each.sends({ ...payout, isAborted: true }) });
    expect(withRequest).toMatchObject([{ type, success: isFailedByPayout }]);
    expect(withPayout).toMatchObject([{ type, success: !isFailedByPayout }]);
  });

  it("needs its following messages and a readable request", () => {
    expect(rows({ sends: [] })).toEqual([]);
    expect(rows({ body: cellWith([each.opcode, 32]) })).toEqual([]);
  });
});

const caseOf = (type: StoredType) => cases.find((each) => each.type === type)!;

describe("COCOON", () => {
  it("includes the last payout of a worker, which needs no excess", () => {
    const each = { ...caseOf("cocoon_worker_payout"), opcode: 0xf5f26a36 };
    const actions = by(bob, request(each, { sends: [workerRequest([payout])] }));
    expect(rowsOfType(each.type, actions)).toMatchObject([
      { cocoon_worker_payout_data: { payout_type: "last" } },
    ]);
  });

  it("shows external addresses in charges as the reference, and none that is absent", () => {
    const each = caseOf("cocoon_proxy_charge");
    const addressIn = (address: Builder) => {
      const body = cellWith(bodyWith(each.opcode, 7n), [3, 64], address);
      return rowsOfType(each.type, by(bob, request(each, { body })));
    };
    const shown = (expected_address: string | undefined) => [
      { cocoon_proxy_charge_data: { query_id: 7n, new_tokens_used: 3n, expected_address } },
    ];
    const external = fieldsWith([1, 2], [12, 9], [0x0bc, 12]);
    expect(addressIn(external)).toMatchObject(shown("12;bc"));
    expect(addressIn(fieldsWith([0, 2]))).toMatchObject(shown(undefined));
    expect(addressIn(fieldsWith([3, 2]))).toEqual([]);
    expect(addressIn(external.storeUint(0, 1))).toMatchObject(shown("12;bc"));
    expect(addressIn(fieldsWith([1, 2], [12, 9]))).toEqual([]);
  });

  it("includes a refund requested through a wallet", () => {
    const each = caseOf("cocoon_client_request_refund");
    const wallet = { to: bob, body: bodyOf(0x9c69f376), sends: [request(each)] };
    expect(rowsOfType(each.type, by(alice, wallet))).toMatchObject([
      { cocoon_client_request_refund_data: { via_wallet: true } },
    ]);
  });

  it.each([undefined, bodyOf(0xf4c354c9)])("withdraws nothing without a refund", (payload) => {
    const each = caseOf("cocoon_client_withdraw");
    const actions = by(bob, request(each, { sends: [clientRequest([payout], payload)] }));
    expect(rowsOfType(each.type, actions)).toMatchObject([
      { amount: 0n, cocoon_client_withdraw_data: { withdraw_amount: 0n } },
    ]);
  });
});
