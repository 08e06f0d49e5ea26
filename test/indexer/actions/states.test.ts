import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { classify, maxTransactions } from "../../../server/indexer/actions/classify.js";
import { ContractLookups } from "../../../server/indexer/actions/contracts.js";
import type { Trace, TraceTransaction } from "../../../server/indexer/actions/trace.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import {
  changeKey,
  sendBulk,
  sendOne,
  tgChangeKey,
  tgRequest,
  tgSendBulk,
  tgSendOne,
} from "../../helpers/index/made-requests.js";
import { accounts, bodyWith, comment, type MadeMessage, traceOf } from "../../helpers/index/made-trace.js";
import { bodyOf, cellWith, fieldsWith, maybe, none } from "../../helpers/made-cells.js";

const [wallet, alice, jettonWallet, master] = accounts("wallet, alice, jetton wallet, master");

function classified(trace: Trace) {
  const contracts = new ContractLookups();
  contracts.add(jettonWallet, { jettonWallet: { owner: wallet, master } });
  return classify(trace, contracts);
}

/** A trace whose transactions are changed. */
function changed(trace: Trace, change: (transaction: TraceTransaction) => Partial<TraceTransaction>): Trace {
  return { ...trace, transactions: trace.transactions.map((each) => ({ ...each, ...change(each) })) };
}

const types = (trace: Trace) => classified(trace).actions.map(({ type }) => type);

describe("A trace", () => {
  const call: MadeMessage = { to: alice, body: bodyOf(7) };

  it("that is a single tick-tock transaction has no actions", () => {
    const trace = changed(traceOf({ to: alice }), () => ({ isTickTock: true, inMessage: undefined }));
    expect(classified(trace)).toEqual({ state: "ok", actions: [] });
  });

  it("that a tick-tock transaction began shows it", () => {
    const trace = changed(traceOf({ to: wallet, sends: [call] }), ({ account }) =>
      account === wallet ? { isTickTock: true, inMessage: undefined } : {},
    );
    expect(classified(trace).actions).toMatchObject([
      { type: "tick_tock", source: wallet, success: true },
      { type: "call_contract", source: wallet, destination: alice },
    ]);
  });

  it("of too many transactions is not classified", () => {
    const trace = traceOf({ to: wallet, sends: Array(maxTransactions).fill(call) });
    expect(classified(trace)).toMatchObject({ state: "failed", actions: [] });
    const largest = traceOf({ to: wallet, sends: Array(maxTransactions - 1).fill(call) });
    expect(classified(largest)).toMatchObject({ state: "ok", actions: { length: maxTransactions - 1 } });
  });

  it("fails if a message has no stored body, and has no actions then", () => {
    const trace = traceOf({ to: wallet, sends: [call] });
    const lost = changed(trace, ({ inMessage }) => ({
      inMessage: { ...inMessage!, hasBody: false, body: undefined },
    }));
    expect(classified(lost)).toMatchObject({ state: "failed", actions: [], error: expect.any(Error) });
  });

  it("that fails after the passes shows its messages", () => {
    const trace = traceOf({ to: wallet, sends: [{ ...call, status: ["uninit", "active"] }] });
    const fail = () => {
      throw new Error("a defect");
    };
    const { state, actions } = classify(trace, new ContractLookups(), { afterPasses: [fail] });
    expect([state, actions.map(({ type }) => type)]).toEqual([
      "failed",
      ["contract_deploy", "call_contract"],
    ]);
  });

  it("of which nothing is known is one unknown action, successful unless a transaction was aborted", () => {
    const trace = traceOf({ to: wallet });
    expect(classified(trace)).toMatchObject({
      state: "ok",
      actions: [{ type: "unknown", action_id: trace.traceId, success: true, accounts: [wallet] }],
    });
    const [aborted] = classified(traceOf({ to: wallet, isAborted: true })).actions;
    expect(aborted).toMatchObject({ type: "unknown", success: false });
  });
});

describe("A transfer of TON", () => {
  const sentTo = (message: Partial<MadeMessage>) => {
    const [action] = classified(traceOf({ to: wallet, sends: [{ to: alice, ...message }] })).actions;
    if (action?.type !== "ton_transfer") throw new Error(`a ${action?.type}`);
    return action;
  };
  const text = (opcode: number, bytes: Uint8Array): Cell => cellWith([opcode, 32], bytes);

  it.each<[string, Partial<MadeMessage>, boolean]>([
    ["that bounces", { isAborted: true, bounce: true }, false],
    [
      "to an account that is not deployed",
      { isAborted: true, bounce: false, status: ["uninit", "uninit"] },
      true,
    ],
    ["without gas", { isAborted: true, bounce: false, skippedReason: "no_gas" }, true],
    ["that is aborted for other reasons", { isAborted: true, bounce: false }, false],
  ])("%s is a success: %s", (_title, message, success) => {
    expect(sentTo(message).success).toBe(success);
  });

  it.each<[string, Cell, string | undefined, boolean]>([
    ["text", comment("hellö"), "hellö", false],
    ["no text", cellWith([0, 32]), undefined, false],
    ["half a byte", cellWith([0, 36]), undefined, false],
    [
      "bytes that are no text",
      text(0, Uint8Array.of(0x41, 0xe2, 0x82, 0x00, 0xff)),
      "A\\xe2\\x82\\xff",
      false,
    ],
    [
      "overlong and surrogate forms",
      text(0, Uint8Array.of(0xc0, 0x80, 0xed, 0xa0, 0x80)),
      "\\xc0\\x80\\xed\\xa0\\x80",
      false,
    ],
    ["encrypted text", text(0x2167da4b, Uint8Array.of(1, 2, 3)), "AQID", true],
    ["too little encrypted text", text(0x2167da4b, new Uint8Array()), undefined, true],
    ["two references", cellWith([0, 40], comment(""), comment("")), undefined, false],
  ])("with %s", (_title, body, content, encrypted) => {
    expect(sentTo({ body })["ton_transfer_data"]).toEqual({ content, encrypted });
  });

  it("with a zero byte in its text loses that", () => {
    expect(sentTo({ body: text(0, Uint8Array.of(0x41, 0, 0x42)) })["ton_transfer_data"]?.["content"]).toBe(
      "AB",
    );
  });
});

describe("A call of a contract", () => {
  const succeeded = (message: Partial<MadeMessage>) =>
    classified(traceOf({ to: wallet, sends: [{ to: alice, body: bodyOf(7), isAborted: true, ...message }] }))
      .actions[0]!.success;

  it("that is aborted fails, unless it carries nothing", () => {
    expect(succeeded({ value: 1n })).toBe(false);
    expect(succeeded({ value: 0n })).toBe(true);
    expect(succeeded({ value: 0n, extraCurrencies: { 100: "1" } })).toBe(false);
  });
});

describe("An external message that led to nothing", () => {
  const internal = (to: string, body: Cell | undefined, value = 5n) =>
    cellWith(
      [0b010, 3],
      false,
      [0, 2],
      to,
      value,
      false,
      0n,
      0n,
      [0, 96],
      false,
      body !== undefined,
      (body ? cellWith(body) : beginCell().endCell()).parse(),
    );
  const externalOut = cellWith([0b11, 2], [0, 100]);
  const signature = () => fieldsWith(new Uint8Array(64));
  const v3 = (...messages: Cell[]) => {
    const body = fieldsWith(signature(), [1, 32], [2, 32], [3, 32]);
    for (const message of messages) body.storeUint(3, 8).storeRef(message);
    return body.endCell();
  };
  const v4 = (...messages: Cell[]) => {
    const body = fieldsWith(signature(), [1, 32], [2, 32], [3, 32], [0, 8]);
    for (const message of messages) body.storeUint(3, 8).storeRef(message);
    return body.endCell();
  };
  const v5 = (...messages: Cell[]) => {
    let list = beginCell().endCell();
    for (const message of messages) list = cellWith([0x0ec3c86d, 32], [3, 8], list, message);
    return cellWith([0x7369676e, 32], [1, 32], [2, 32], [3, 32], maybe(list), false, new Uint8Array(64));
  };
  /** The id of a call that a request asked for at a place. */
  const idOfRequested = (message: Cell, place: number) => {
    const text = `${Buffer.from(message.hash()).toString("base64")}${place}`;
    return hash("sha256", `${Buffer.from(text).toString("base64")}call_contract`, "base64");
  };
  const tgMany = (...messages: Cell[]) =>
    tgSendBulk(sendBulk.external, 7, [messages.slice(0, 1), messages.slice(1)]);
  const transferBody = cellWith(bodyWith(0x0f8a7ea5, 9n), 50n, alice, none, false, 1n, false);

  it.each([
    ["v3", v3],
    ["v4", v4],
    ["v5", v5],
    ["of Telegram, by chunks whose number is not compared", tgMany],
  ])("shows the messages requested from a wallet %s, as failed", (_version, request) => {
    const messages = [internal(alice, comment("x")), internal(alice, bodyOf(7))];
    const { state, actions } = classified(traceOf({ to: wallet, body: request(...messages) }));
    expect([state, new Set(actions.map(({ type }) => type))]).toEqual([
      "ok",
      new Set(["ton_transfer", "call_contract"]),
    ]);
    for (const action of actions)
      expect(action).toMatchObject({
        success: false,
        source: wallet,
        destination: alice,
        value: 5n,
        accounts: [wallet],
        start_lt: 1001n,
        end_lt: 1001n,
        tx_hashes: { length: 1 },
      });
  });

  it("shows the message of a wallet of Telegram, and has none for another key", () => {
    const { actions } = classified(
      traceOf({ to: wallet, body: tgSendOne(sendOne.external, internal(alice, bodyOf(7))) }),
    );
    expect(actions).toMatchObject([
      { type: "call_contract", success: false, opcode: 7, parent_gasless_action: undefined },
    ]);
    expect(types(traceOf({ to: wallet, body: tgChangeKey(changeKey.external) }))).toEqual(["unknown"]);
  });

  it("shows messages of a wallet of Telegram in the order of its chunks", () => {
    const message = (i: number) => internal(alice, bodyOf(i));
    const body = tgSendBulk(sendBulk.external, 5, [
      [message(1), message(2), message(3)],
      [message(4), message(5)],
    ]);
    const { actions } = classified(traceOf({ to: wallet, body }));
    const ids = (index: number) => idOfRequested(message(index + 1), index);
    expect(new Map(actions.map(({ opcode, action_id }) => [opcode, action_id]))).toEqual(
      new Map([0, 1, 2, 3, 4].map((index) => [index + 1, ids(index)])),
    );
  });

  it("is unknown if a request to Telegram's wallet cannot be read, though v3 has such messages", () => {
    const shown = internal(alice, undefined);
    const noModes = tgRequest(sendBulk.external, fieldsWith([1, 8], maybe(cellWith(false, shown))));
    expect(types(traceOf({ to: wallet, body: noModes }))).toEqual(["unknown"]);
    const noChunk = tgRequest(sendBulk.external, fieldsWith([1, 8], false, shown));
    expect(types(traceOf({ to: wallet, body: noChunk }))).toEqual(["unknown"]);
  });

  it("shows a request to another wallet in it as gasless, which nothing points to", () => {
    const { actions } = classified(
      traceOf({ to: wallet, body: v3(internal(alice, tgSendOne(sendOne.internal))) }),
    );
    expect(
      actions.map(({ type, opcode, success, parent_gasless_action: parent }) => [
        type,
        opcode,
        success,
        parent,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ["call_contract", sendOne.internal, false, undefined],
        ["gasless_request", undefined, false, undefined],
      ]),
    );
  });

  it("can ask for the same twice", () => {
    const same = internal(alice, undefined);
    const { actions } = classified(traceOf({ to: wallet, body: v3(same, same) }));
    expect(new Set(actions.map(({ action_id }) => action_id)).size).toBe(2);
  });

  it("shows transfers of jettons by the wallet of their sender, also of an unknown one", () => {
    const body = v4(internal(jettonWallet, transferBody), internal(alice, transferBody));
    const { actions } = classified(traceOf({ to: wallet, body }));
    const common = {
      type: "jetton_transfer",
      success: false,
      source: wallet,
      destination: alice,
      amount: 50n,
    };
    const bySender = new Map(actions.map((action) => [action.source_secondary, action]));
    expect(bySender.get(jettonWallet)).toMatchObject({
      ...common,
      asset: master,
      accounts: [jettonWallet, wallet].sort(),
    });
    expect(bySender.get(alice)).toMatchObject({ ...common, asset: undefined });
  });

  it("passes over external messages, which count for the identifiers of those behind", () => {
    const plain = internal(alice, undefined);
    const [alone] = classified(traceOf({ to: wallet, body: v3(plain) })).actions;
    const [behind, ...others] = classified(traceOf({ to: wallet, body: v3(externalOut, plain) })).actions;
    expect([behind!.type, others]).toEqual(["ton_transfer", []]);
    expect(behind!.action_id).not.toBe(alone!.action_id);
  });

  it("is unknown if a message in it cannot be read, and if something followed from it", () => {
    expect(types(traceOf({ to: wallet, body: v3(beginCell().endCell()) }))).toEqual(["unknown"]);
    expect(types(traceOf({ to: wallet, body: bodyOf(1) }))).toEqual(["unknown"]);
    const logged = { to: undefined, body: bodyOf(1) };
    expect(types(traceOf({ to: wallet, body: v3(internal(alice, undefined)), sends: [logged] }))).toEqual([
      "unknown",
    ]);
  });
});
