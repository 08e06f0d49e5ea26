import { describe, expect, it } from "vitest";
import type { Action } from "../../../server/indexer/actions/action.js";
import { actionsOf, jettonTransfer, walletsOf } from "../../helpers/index/made-jettons.js";
import {
  changeKey,
  sendBulk,
  sendOne,
  tgRequest,
  tgSendOne,
  tgWallet,
  w5Request,
} from "../../helpers/index/made-requests.js";
import { accounts, comment, type MadeMessage } from "../../helpers/index/made-trace.js";
import { bodyOf, cellWith } from "../../helpers/made-cells.js";

const [relayer, bob, master, other] = accounts("relayer, bob, master, other wallet");
const contracts = walletsOf([tgWallet, bob], [master]);

/** The relayer delivers a request. */
const relayed = (request: Omit<MadeMessage, "to">, to = tgWallet) =>
  actionsOf({ to: relayer, sends: [{ to, value: 100n, ...request }] }, contracts);
const requestOf = (actions: readonly Action[], at = 0) =>
  actions.filter(({ type }) => type === "gasless_request")[at]!;
/** Types of the actions, and the types of the requests that they follow from. */
const parents = (actions: readonly Action[]) =>
  actions.map(({ type, destination, parent_gasless_action: id }) => {
    const request = actions.find(({ action_id }) => action_id === id);
    return [type, destination, request && [request.type, request.destination]];
  });
const one = tgSendOne(sendOne.internal);

describe("A request that another account delivers", () => {
  it.each([
    ["to send one message", one],
    ["to send many", tgRequest(sendBulk.internal)],
    ["for another key", tgRequest(changeKey.internal)],
    ["to a wallet v5", w5Request()],
  ])("%s is an action beside the call", (_, body) => {
    const actions = relayed({ body });
    const call = actions.find(({ type }) => type === "call_contract")!;
    expect(requestOf(actions)).toEqual({
      ...call,
      type: "gasless_request",
      action_id: expect.any(String),
      source: relayer,
      destination: tgWallet,
      value: 100n,
      success: true,
      opcode: undefined,
      value_extra_currencies: undefined,
    });
    expect(actions).toHaveLength(2);
    expect(call.accounts).toEqual([relayer, tgWallet].sort());
    expect(new Set(actions.map(({ action_id }) => action_id)).size).toBe(2);
  });

  it("is one whatever its destination is, also of a log", () => {
    expect(requestOf(relayed({ body: one }, master))).toMatchObject({ destination: master });
    const actions = actionsOf({ to: bob, sends: [{ to: undefined, body: w5Request() }] }, {});
    expect(actions.map(({ type, source, destination }) => [type, source, destination])).toEqual([
      ["gasless_request", bob, undefined],
    ]);
  });

  it("is none if it came from outside, or has another opcode", () => {
    const types = (root: MadeMessage) => actionsOf(root, {}).map(({ type }) => type);
    const paid: MadeMessage = { to: bob };
    expect(types({ to: tgWallet, body: one, sends: [paid] })).toEqual(["ton_transfer"]);
    const external = { to: tgWallet, body: tgSendOne(sendOne.external) };
    expect(types({ to: relayer, sends: [external] })).toEqual(["call_contract"]);
    const short = { to: tgWallet, body: cellWith(new Uint8Array(67).fill(0xa5)) };
    expect(types({ to: relayer, sends: [short] })).toEqual(["call_contract"]);
  });

  it("succeeds unless the transaction is aborted, also if the wallet ignores a wrong signature", () => {
    expect(requestOf(relayed({ body: one })).success).toBe(true);
    expect(requestOf(relayed({ body: one, isAborted: true })).success).toBe(false);
    const withoutValue = relayed({ body: one, isAborted: true, value: 0n });
    expect(withoutValue.map(({ type, success }) => [type, success]).sort()).toEqual([
      ["call_contract", true],
      ["gasless_request", false],
    ]);
  });

  it("is named by what follows from it directly, and by nothing else", () => {
    const actions = relayed({
      body: one,
      sends: [
        { to: bob, body: comment("paid"), sends: [{ to: master, body: bodyOf(7) }] },
        jettonTransfer({ from: tgWallet, to: bob, master, leadsTo: [{ to: relayer, body: bodyOf(9) }] }),
      ],
    });
    const request = ["gasless_request", tgWallet];
    expect(parents(actions)).toEqual(
      expect.arrayContaining([
        ["call_contract", tgWallet, undefined],
        ["gasless_request", tgWallet, undefined],
        ["ton_transfer", bob, request],
        ["jetton_transfer", bob, request],
        ["call_contract", master, undefined],
        ["call_contract", relayer, undefined],
      ]),
    );
    expect(actions).toHaveLength(6);
  });

  it("is named by the deployment of its wallet, whose opcode is the first of the body", () => {
    const actions = relayed({ body: one, status: ["uninit", "active"] });
    const opcodes = actions.map(({ type, opcode }) => [type, opcode]);
    expect(opcodes).toEqual(
      expect.arrayContaining([
        ["call_contract", sendOne.internal],
        ["contract_deploy", 0xa5a5a5a5],
      ]),
    );
    expect(parents(actions)).toContainEqual(["contract_deploy", tgWallet, ["gasless_request", tgWallet]]);
  });

  it("within another one points to that, and its actions to it", () => {
    const inner = { to: other, body: w5Request(), sends: [{ to: bob, body: comment("x") }] };
    const actions = relayed({ body: one, sends: [inner] });
    const [outer, within] = [
      ["gasless_request", tgWallet],
      ["gasless_request", other],
    ];
    expect(parents(actions)).toEqual(
      expect.arrayContaining([
        ["gasless_request", tgWallet, undefined],
        ["call_contract", other, outer],
        ["gasless_request", other, outer],
        ["ton_transfer", bob, within],
      ]),
    );
  });

  it("is a part of no action that takes its message, and is named by that action and its parts", () => {
    const generated = { to: undefined, body: cellWith([0x453443a6, 32], [1700, 64], [0xabcn, 256]) };
    const moved = { to: undefined, body: cellWith([0x27756729, 32], 70n, [0xdefn, 256], bob) };
    const told: MadeMessage = { to: other, body: bodyOf(0x690f357a), sends: [moved] };
    const actions = relayed({ body: one, sends: [told, generated] });
    const { action_id: id } = requestOf(actions);
    expect(requestOf(actions)).toMatchObject({ parent_action_id: undefined, ancestor_type: [] });
    const found = actions.map((action) => [action.type, action.ancestor_type, action.parent_gasless_action]);
    expect(found).toEqual(
      expect.arrayContaining([
        ["gasless_request", [], undefined],
        ["tgbtc_new_key", [], id],
        ["call_contract", ["tgbtc_new_key"], undefined],
        ["call_contract", ["tgbtc_new_key"], id],
      ]),
    );
    expect(found).toHaveLength(4);
  });
});

describe("The opcode of a call of Telegram's wallet", () => {
  const calls = (root: MadeMessage) =>
    actionsOf(root, {}).flatMap((action) => (action.type === "call_contract" ? [action.opcode] : []));

  it.each([sendOne, sendBulk, changeKey].flatMap(({ internal, external }) => [internal, external]))(
    "is that behind the signature: %i",
    (opcode) => {
      expect(calls({ to: relayer, sends: [{ to: tgWallet, body: tgRequest(opcode) }] })).toEqual([opcode]);
    },
  );

  it("is the first of the body otherwise, by which transfers are known", () => {
    expect(calls({ to: relayer, sends: [{ to: tgWallet, body: tgRequest(0x63896e76) }] })).toEqual([
      0xa5a5a5a5,
    ]);
    const likeComment = cellWith([0, 512], [sendOne.internal, 32], [0, 96]);
    const actions = actionsOf({ to: relayer, sends: [{ to: tgWallet, body: likeComment }] }, {});
    expect(actions.map(({ type }) => type)).toEqual(["ton_transfer"]);
  });
});
