import {
  Cell as CoreCell,
  beginCell as coreBeginCell,
  loadMessage as coreLoadMessage,
  loadOutList as coreLoadOutList,
  loadTransaction as coreLoadTransaction,
  storeMessage as coreStoreMessage,
} from "@ton/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseBocRoot, serializeBoc } from "../../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { CellOf } from "../../../../shared/ton/tlb/cell-of.js";
import { decode, encode } from "../../../../shared/ton/tlb/codec.js";
import { noCurrencies, onlyCoins } from "../../../../shared/ton/tlb/currency-collection.js";
import {
  composeMessage,
  composeMessageRelaxed,
  Message,
  MessageRelaxed,
  normalizeExternal,
} from "../../../../shared/ton/tlb/message.js";
import {
  accountOf,
  MsgAddress,
  MsgAddressExt,
  MsgAddressInt,
} from "../../../../shared/ton/tlb/msg-address.js";
import { decodeOutList, encodeOutList, type OutAction } from "../../../../shared/ton/tlb/out-action.js";
import { stateInitOf } from "../../../../shared/ton/tlb/state-init.js";
import { Transaction } from "../../../../shared/ton/tlb/transaction.js";
import { TransactionDescr } from "../../../../shared/ton/tlb/transaction-descr.js";
import { Address } from "../../../../shared/values/address.js";
import { anyAddress, message, messageParts, transaction } from "../../../helpers/chain/tlb-arbitraries.js";
import { sized } from "../../../helpers/effort.js";
import { cellWith, fieldsWith } from "../../../helpers/made-cells.js";
import { messageView, plain, transactionView } from "./core-view.js";
import { rebuild } from "./rebuild.js";

const toCore = (ours: Cell) => CoreCell.fromBoc(Buffer.from(serializeBoc(ours)))[0]!;
const fromCore = (core: CoreCell) => parseBocRoot(core.toBoc());

describe("messages", () => {
  test("any message keeps its cell and has the fields that @ton/core reads", () => {
    fc.assert(
      fc.property(message, (value) => {
        const stored = encode(Message, value);
        expect(rebuild(Message, stored)).toMatchObject({ differences: [] });
        const core = coreLoadMessage(toCore(stored).beginParse());
        const view = plain(messageView(decode(Message, stored)));
        expect(view).toMatchObject(plain(core) as object);
      }),
      { numRuns: sized(40, 150) },
    );
  });

  test("a message written by @ton/core is decoded and encoded to the same cell", () => {
    fc.assert(
      fc.property(message, fc.boolean(), (value, forceRef) => {
        const core = coreLoadMessage(toCore(encode(Message, value)).beginParse());
        // Unless forced, @ton/core may put more references into a cell than fit.
        fc.pre(forceRef || core.info.type !== "internal" || core.init === null);
        const theirs = coreBeginCell().store(coreStoreMessage(core, { forceRef })).endCell();
        expect(rebuild(Message, fromCore(theirs))).toMatchObject({ differences: [], pruned: 0 });
      }),
      { numRuns: sized(30, 100) },
    );
  });

  test("a composed message contains its parts, inline where they fit", () => {
    fc.assert(
      fc.property(messageParts, ({ info, init, body }) => {
        const composed = composeMessage({ info, init, body });
        const stored = decode(Message, encode(Message, composed));
        expect(stored.body.equals(body)).toBe(true);
        expect(stored.init !== undefined).toBe(init !== undefined);
      }),
      { numRuns: sized(30, 100) },
    );
  });

  const source = new Address(0, new Uint8Array(32).fill(1));
  const info = {
    kind: "externalIn",
    src: { kind: "external", bits: 8, value: 5n },
    dest: source,
    importFee: 7n,
  } as const;

  test("small parts are inline, big ones in references", () => {
    const small = cellWith([1, 32]);
    const full = cellWith(new Uint8Array(120));
    const init = stateInitOf(small, small);
    const layouts = [
      composeMessage({ info, body: small }),
      composeMessage({ info, init, body: small }),
      composeMessage({ info, body: full }),
      composeMessage({ info, init, body: full }),
    ].map(({ initInRef, bodyInRef }) => ({ initInRef, bodyInRef }));
    expect(layouts).toEqual([
      { initInRef: false, bodyInRef: false },
      { initInRef: false, bodyInRef: false },
      { initInRef: false, bodyInRef: true },
      { initInRef: false, bodyInRef: true },
    ]);
  });

  test("the normalized form of an inbound external message depends on destination and body only", () => {
    const body = cellWith([1, 32]);
    const sent = composeMessage({ info, init: stateInitOf(body, body), body });
    const expected = cellWith([0b1000, 4], source, 0n, false, true, body);
    expect(encode(Message, normalizeExternal(sent)).hashHex()).toBe(expected.hashHex());
  });
});

describe("transactions", () => {
  test("any transaction keeps its cell and has the fields that @ton/core reads", () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(transaction, (value) => {
        const stored = encode(Transaction, value);
        expect(rebuild(Transaction, stored)).toMatchObject({ differences: [], pruned: 0 });
        const { kind } = value.description.value;
        kinds.add(kind);
        if (kind === "mergePrepare" || kind === "mergeInstall") return;
        const core = coreLoadTransaction(toCore(stored).beginParse());
        expect(plain(transactionView(stored, decode(Transaction, stored)))).toEqual(plain(core));
      }),
      { numRuns: sized(50, 200) },
    );
    expect(kinds.size).toBe(7);
  });

  // Built by hand from the scheme, because no other library reads these.
  test("descriptions of merges are laid out as in the scheme", () => {
    const [own, sibling] = [new Uint8Array(32).fill(3), new Uint8Array(32).fill(4)];
    const splitInfo = { curShardPfxLen: 1, accSplitDepth: 2, thisAddr: own, siblingAddr: sibling };
    const storagePh = {
      storageFeesCollected: 9n,
      storageFeesDue: undefined,
      statusChange: "deleted",
    } as const;
    const withInfo = (tag: number) => fieldsWith([tag, 4], [1, 6], [2, 6], own, sibling);
    const prepare = cellWith(withInfo(0b0110), 9n, false, [0b11, 2], true);
    expect(decode(TransactionDescr, prepare)).toEqual({
      kind: "mergePrepare",
      splitInfo,
      storagePh,
      aborted: true,
    });

    const prepareTransaction = cellWith([5, 8]);
    const install = cellWith(
      withInfo(0b0111),
      prepareTransaction,
      false,
      true,
      true,
      6n,
      7n,
      false,
      [0b0110, 4],
      false,
      true,
      false,
    );
    expect(decode(TransactionDescr, install)).toEqual({
      kind: "mergeInstall",
      splitInfo,
      prepareTransaction,
      storagePh: undefined,
      creditPh: { dueFeesCollected: 6n, credit: onlyCoins(7n) },
      computePh: { kind: "skipped", reason: "suspended" },
      action: undefined,
      aborted: true,
      destroyed: false,
    });
    for (const cell of [prepare, install])
      expect(encode(TransactionDescr, decode(TransactionDescr, cell)).hashHex()).toBe(cell.hashHex());
  });
});

describe("addresses in messages", () => {
  test("every form is decoded and encoded to the same bits", () => {
    fc.assert(
      fc.property(anyAddress, (value) => {
        const stored = encode(MsgAddress, value);
        expect(decode(MsgAddress, stored)).toEqual(value);
        expect(encode(MsgAddress, decode(MsgAddress, stored)).hashHex()).toBe(stored.hashHex());
      }),
    );
  });

  test("internal and external fields refuse addresses of the other kind", () => {
    fc.assert(
      fc.property(anyAddress, (value) => {
        const stored = encode(MsgAddress, value);
        const internal = value !== undefined && (value instanceof Address || value.kind !== "external");
        const [fits, refuses] = internal ? [MsgAddressInt, MsgAddressExt] : [MsgAddressExt, MsgAddressInt];
        expect(decode<unknown>(fits, stored)).toEqual(value);
        expect(() => decode<unknown>(refuses, stored)).toThrow(`${refuses.name} starts with`);
      }),
    );
  });

  test("a variable address of 256 bits and a rewritten one denote an account", () => {
    const account = new Address(
      -1,
      Uint8Array.from({ length: 32 }, (_, i) => i + 1),
    );
    const value = BigInt(`0x${account.toRaw().slice(3)}`);
    const plainForm = { kind: "variable", anycast: undefined, workchain: -1, bits: 256, value } as const;
    expect(accountOf(plainForm)).toEqual(account);
    expect(accountOf({ ...plainForm, workchain: 128 })).toBeUndefined();
    expect(accountOf({ ...plainForm, bits: 264 })).toBeUndefined();
    expect(accountOf({ kind: "external", bits: 256, value })).toBeUndefined();
    expect(accountOf(undefined)).toBeUndefined();
    const rewritten = accountOf({
      kind: "anycast",
      anycast: { depth: 12, prefix: 0xabc },
      address: account,
    });
    expect(rewritten?.toRaw()).toBe(`-1:abc2${account.toRaw().slice(7)}`);
  });
});

describe("lists of actions", () => {
  const relaxed = {
    kind: "internal",
    ihrDisabled: true,
    bounce: true,
    bounced: false,
    src: undefined,
    dest: new Address(0, new Uint8Array(32).fill(2)),
    value: onlyCoins(5n),
    extraFlags: 0n,
    fwdFee: 0n,
    createdLt: 0n,
    createdAt: 0,
  } as const;

  test("actions are encoded and decoded in execution order", () => {
    const code = cellWith([7, 8]);
    const actions: OutAction[] = [
      {
        kind: "sendMsg",
        mode: 64,
        outMsg: CellOf.of(MessageRelaxed, composeMessageRelaxed({ info: relaxed, body: code })),
      },
      { kind: "setCode", newCode: code },
      { kind: "reserveCurrency", mode: 4, currency: noCurrencies },
      { kind: "changeLibrary", mode: 2, libref: { kind: "hash", libHash: new Uint8Array(32) } },
      { kind: "changeLibrary", mode: 1, libref: { kind: "ref", library: code } },
    ];
    const stored = encodeOutList(actions);
    const read = decodeOutList(stored);
    expect(read.map(({ kind }) => kind)).toEqual(actions.map(({ kind }) => kind));
    expect(encodeOutList(read).hashHex()).toBe(stored.hashHex());
    const theirs = coreLoadOutList(toCore(stored).beginParse());
    expect(theirs.map(({ type }) => type)).toEqual([
      "sendMsg",
      "setCode",
      "reserve",
      "changeLibrary",
      "changeLibrary",
    ]);
  });

  test("a list of more actions than the node executes is refused", () => {
    const code = beginCell().endCell();
    const list = encodeOutList(
      Array.from({ length: 256 }, () => ({ kind: "setCode", newCode: code }) as const),
    );
    expect(() => decodeOutList(list)).toThrow("OutList has more than 255 actions");
  });
});
