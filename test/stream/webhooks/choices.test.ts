import { describe, expect, it } from "vitest";
import type { WebhookRow } from "../../../server/store/queries/kept/webhooks.js";
import {
  accountsIn,
  ChoiceEdit,
  choiceOf,
  filterOf,
  foreignList,
  isFirehose,
} from "../../../server/stream/subscriptions/record-filter.js";
import { choiceIn, storedChoice, webhookRecord } from "../../../server/stream/webhooks/choices.js";
import { subscribeParams } from "../../../shared/schema/streams/subscription-params.js";
import { Address } from "../../../shared/values/address.js";

const addressOf = (byte: number) => new Address(0, new Uint8Array(32).fill(byte));
const raw = (byte: number) => addressOf(byte).toRawUpper();
const base64 = Buffer.alloc(32, 1).toString("base64");
const choose = (params: object, version?: string) =>
  choiceOf(subscribeParams.parse(params) as never, version);
const addresses = (...bytes: number[]) => bytes.map((byte) => addressOf(byte).toRaw());

describe("the choice of a client", () => {
  it.each([
    ["blocks", "block"],
    ["transactions", "transaction"],
    ["actions", "action"],
    ["traces", "trace_record"],
    ["accounts", "account"],
    ["jettons", "jetton"],
  ])("of %s is of the records %s", (kind, type) => {
    const filter = filterOf(choose({ kind }));
    expect([...filter.types]).toEqual([type]);
    expect([...filter.requires!]).toEqual([]);
  });

  it.each([
    ["trace", "trace_record"],
    ["message", "message"],
  ])("of a %s requires it", (kind, type) => {
    const choice = choose({ kind, [kind]: base64 });
    const filter = filterOf(choice);
    expect([[...filter.types], [...filter.requires!], [...filter.traces]]).toEqual([
      [type],
      ["traces"],
      [base64],
    ]);
    expect([accountsIn(choice), isFirehose(choice)]).toEqual([1, false]);
  });

  it("requires the lists that it has, and an empty list is none", () => {
    const jettons = choose({ kind: "jettons", accounts: addresses(1, 2), jetton_masters: addresses(3) });
    const filter = filterOf(jettons);
    expect([...filter.requires!].toSorted()).toEqual(["accounts", "jettons"]);
    expect([[...filter.addresses], [...filter.jettons!]]).toEqual([[raw(1), raw(2)], [raw(3)]]);
    expect([accountsIn(jettons), isFirehose(jettons)]).toEqual([3, false]);

    const opcodes = choose({ kind: "transactions", accounts: [], opcodes: [5, 7], workchain: -1 });
    expect([...filterOf(opcodes).requires!]).toEqual(["opcodes"]);
    expect([...filterOf(opcodes).opcodes!]).toEqual([5, 7]);
    expect(filterOf(opcodes).workchain).toBe(-1);
    expect([accountsIn(opcodes), isFirehose(opcodes)]).toEqual([0, false]);
  });

  it("covers everything without a list, except of blocks", () => {
    expect(isFirehose(choose({ kind: "transactions" }))).toBe(true);
    expect(isFirehose(choose({ kind: "transactions", opcodes: [1] }))).toBe(false);
    expect(isFirehose(choose({ kind: "jettons", jetton_masters: addresses(1) }))).toBe(false);
    expect(isFirehose(choose({ kind: "accounts", accounts: addresses(1) }))).toBe(false);
    expect(isFirehose(choose({ kind: "blocks" }))).toBe(false);
  });

  it("names the parts to include", () => {
    const parts = ({ withAddressBook, withMetadata, withMessages, withRaw }: ReturnType<typeof filterOf>) => [
      withAddressBook,
      withMetadata,
      withMessages,
      withRaw,
    ];
    const including = (...include: string[]) => parts(filterOf(choose({ kind: "transactions", include })));
    expect(including()).toEqual([false, false, false, false]);
    expect(including("address_book", "messages")).toEqual([true, false, true, false]);
    expect(including("metadata", "raw")).toEqual([false, true, false, true]);
  });

  it("has its finality, and types of actions by name or by the connection's version", () => {
    expect(filterOf(choose({ kind: "actions", finality: "pending" })).minFinality).toBe("pending");
    const named = choose({ kind: "actions", action_types: ["ton_transfer"] }, "latest");
    expect([named.action_types, named.supported_action_types]).toEqual([["ton_transfer"], ["latest"]]);
    const supported = choose({ kind: "actions", supported_action_types: ["v1"] }, "latest");
    expect(supported.supported_action_types).toEqual(["v1"]);
    expect(choose({ kind: "actions" }).supported_action_types).toBeUndefined();
  });
});

describe("a change of a choice", () => {
  it("adds before it removes, and counts accounts and jettons", () => {
    const choice = choose({ kind: "jettons", accounts: addresses(1, 2), jetton_masters: addresses(3) });
    const edit = new ChoiceEdit(
      choice,
      { accounts: [addressOf(2), addressOf(4)], jetton_masters: [addressOf(5), addressOf(6)] },
      { accounts: [addressOf(1), addressOf(4), addressOf(9)], jetton_masters: [addressOf(6)] },
    );
    expect([edit.accounts, edit.keepsLists]).toEqual([3, true]);
    expect([[...edit.added.addresses], [...edit.removed.addresses]]).toEqual([[], [raw(1)]]);
    expect([[...edit.added.jettons!], [...edit.removed.jettons!]]).toEqual([[raw(5)], []]);
    expect([[...edit.added.traces], [...edit.removed.traces]]).toEqual([[], []]);
    const { accounts, jettons } = edit.apply();
    expect([[...accounts!], [...jettons!]]).toEqual([[raw(2)], [raw(3), raw(5)]]);
    // Long lists are not copied.
    expect(accounts).toBe(choice.accounts);
  });

  it("copies lists if it makes a new one, and keeps one that it empties", () => {
    const choice = choose({ kind: "transactions", accounts: addresses(1) });
    const edit = new ChoiceEdit(choice, { opcodes: [5] }, { accounts: [addressOf(1)] });
    expect(edit.keepsLists).toBe(false);
    const { accounts, opcodes } = edit.apply();
    expect([[...accounts!], [...opcodes!]]).toEqual([[], [5]]);
    expect([...choice.accounts!]).toEqual([raw(1)]);
    const same = new ChoiceEdit(choice, { opcodes: [5] }, { opcodes: [5] });
    expect([same.keepsLists, same.apply().opcodes]).toEqual([true, undefined]);
    expect([...new ChoiceEdit(choice, {}, { opcodes: [5] }).removed.opcodes!]).toEqual([]);
  });

  it("changes the types of actions", () => {
    const choice = choose({ kind: "actions", action_types: ["a", "b"] });
    const edit = new ChoiceEdit(choice, { action_types: ["c"] }, { action_types: ["a"] });
    expect([edit.keepsLists, edit.apply().action_types, choice.action_types]).toEqual([
      true,
      ["b", "c"],
      ["a", "b"],
    ]);
    expect(new ChoiceEdit(choose({ kind: "actions" })).apply().action_types).toBeUndefined();
    expect(new ChoiceEdit(choose({ kind: "actions" }), { action_types: ["a"] }).apply().action_types).toEqual(
      ["a"],
    );
  });

  it("is of lists that the kind has", () => {
    const choice = choose({ kind: "transactions" });
    expect(foreignList(choice, { accounts: [], opcodes: [1] }, undefined, {})).toBeUndefined();
    expect(foreignList(choice, { accounts: [] }, { jetton_masters: [addressOf(1)] })).toBe("jetton_masters");
    expect(foreignList(choice, { jetton_masters: undefined })).toBeUndefined();
  });
});

describe("the choice of a webhook", () => {
  const params = {
    kind: "jettons",
    accounts: addresses(1),
    jetton_masters: addresses(2, 3),
    include: ["metadata"],
    finality: "confirmed",
  };

  it.each([
    params,
    { kind: "transactions", opcodes: [0x0f8a7ea5], workchain: 0 },
    { kind: "actions", action_types: ["a"] },
  ])("is stored as JSON: %j", (given) => {
    const choice = choose(given);
    const stored = JSON.parse(JSON.stringify(storedChoice(choice)));
    expect(choiceIn(stored)).toEqual({ ...choice, traces: undefined });
    expect(filterOf(choiceIn(stored))).toEqual(filterOf(choice));
  });

  it("keeps an empty list, which matches nothing", () => {
    const choice = choose({ kind: "accounts", accounts: addresses(1) });
    const emptied = new ChoiceEdit(choice, {}, { accounts: [addressOf(1)] }).apply();
    expect(choiceIn(storedChoice(emptied)).accounts).toEqual(new Set());
  });

  const row = (choice: object, more: object = {}) =>
    ({
      id: "id",
      url: "https://example.com/",
      choice: storedChoice(choose(choice)),
      cursor: "cursor",
      created_at: 1_800_000_000_999n,
      paused: null,
      failing_since: null,
      failure: null,
      next_attempt_at: null,
      ...more,
    }) as unknown as WebhookRow;

  it("is shown to its owner with its state", () => {
    expect(webhookRecord(row(params))).toEqual({
      id: "id",
      url: "https://example.com/",
      kind: "jettons",
      finality: "confirmed",
      include: ["metadata"],
      accounts: [raw(1)],
      jetton_masters: [raw(2), raw(3)],
      cursor: "cursor",
      created_at: 1_800_000_000,
      paused: null,
      failing_since: null,
      failure: null,
      next_attempt_at: null,
    });
    const failing = { paused: "why", failing_since: 5999n, failure: "status 500", next_attempt_at: 7001n };
    expect(webhookRecord(row({ kind: "transactions", opcodes: [0x0f8a7ea5] }, failing))).toMatchObject({
      opcodes: ["0x0f8a7ea5"],
      paused: "why",
      failing_since: 5,
      failure: "status 500",
      next_attempt_at: 7,
    });
  });
});
