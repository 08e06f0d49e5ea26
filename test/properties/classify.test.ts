import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classify } from "../../server/indexer/actions/classify.js";
import { type Contract, ContractLookups } from "../../server/indexer/actions/contracts.js";
import type { Trace } from "../../server/indexer/actions/trace.js";
import { families } from "../../shared/ton/bodies/all-families.js";
import { layouts } from "../../shared/ton/bodies/all-layouts.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { account, addressOf, type MadeMessage, traceOf } from "../helpers/index/made-trace.js";

const accounts = Array.from({ length: 6 }, (_, i) => account(`account ${i}`));
const opcodes = [...`${families}${layouts}`.matchAll(/#([0-9a-f]{8})/g)].map(([, digits]) =>
  Number(`0x${digits}`),
);
const favourites = [0x0f8a7ea5, 0x178d4519, 0x7362d09c, 0xd53276db, 0xffffffff, 0x05138d91, 0x5fcc3d14, 0];

const anyAccount = fc.constantFrom(...accounts);
const opcode = fc.oneof(fc.constantFrom(...favourites), fc.constantFrom(...opcodes));

/** Frequent parts of bodies, so that many of the bodies can be read. */
type Part = (to: ReturnType<typeof beginCell>) => unknown;
const part = (store: Part): Part => store;
const field: fc.Arbitrary<Part> = fc.oneof(
  fc.bigInt(0n, 2n ** 64n - 1n).map((value) => part((to) => to.storeUint(value, 64))),
  fc.bigInt(0n, 2n ** 60n).map((value) => part((to) => to.storeCoins(value))),
  anyAccount.map((text) => part((to) => to.storeAddress(addressOf(text)))),
  fc.boolean().map((bit) => part((to) => to.storeBit(bit))),
  opcode.map((value) => part((to) => to.storeUint(value, 32))),
  fc.uint8Array({ maxLength: 8 }).map((bytes) => part((to) => to.storeBytes(bytes))),
);

function cellOf(
  parts: readonly ((to: ReturnType<typeof beginCell>) => unknown)[],
  refs: readonly Cell[],
): Cell {
  const builder = beginCell();
  for (const part of parts) if (builder.bits < 700) part(builder);
  for (const ref of refs) builder.storeRef(ref);
  return builder.endCell();
}

const fields = fc.array(field, { maxLength: 8 });
const leaf = fields.map((parts) => cellOf(parts, []));
const inner = fc.tuple(fields, fc.array(leaf, { maxLength: 2 })).map(([parts, refs]) => cellOf(parts, refs));
const body = fc
  .tuple(opcode, fc.bigInt(0n, 2n ** 64n - 1n), fields, fc.array(inner, { maxLength: 3 }))
  .map(([code, query, parts, refs]) =>
    cellOf([(to) => to.storeUint(code, 32), (to) => to.storeUint(query, 64), ...parts], refs),
  );

const status = fc.constantFrom("nonexist" as const, "uninit" as const, "frozen" as const, "active" as const);
const message = fc.record({
  to: fc.option(anyAccount, { nil: undefined, freq: 8 }),
  body: fc.oneof({ weight: 8, arbitrary: body }, leaf),
  value: fc.bigInt(0n, 2n ** 60n),
  bounce: fc.boolean(),
  isAborted: fc.boolean(),
  status: fc.tuple(status, status),
  /** Position of the sender among the messages before, as a fraction. */
  sender: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
});

const trace = fc.array(message, { minLength: 1, maxLength: 40 }).map((messages) => {
  const root: MadeMessage & { sends: MadeMessage[] } = { to: accounts[0], sends: [] };
  const receivers = [root];
  for (const { sender, ...made } of messages) {
    const sent = { ...made, sends: [] };
    receivers[Math.floor(sender * receivers.length)]!.sends.push(sent);
    if (made.to !== undefined) receivers.push(sent);
  }
  return traceOf(root);
});

const contract: fc.Arbitrary<Contract> = fc.record(
  {
    jettonWallet: fc.record({ owner: anyAccount, master: anyAccount }),
    nftItem: fc.record({
      index: fc.bigInt(0n, 2n ** 256n - 1n),
      collection: anyAccount,
      owner: anyAccount,
      contentUri: fc.constant(undefined),
      codeHash: fc.constant(undefined),
    }),
    nftSale: fc.record({
      nft: anyAccount,
      nftOwner: anyAccount,
      marketplace: anyAccount,
      fullPrice: fc.bigInt(0n, 2n ** 60n),
    }),
    nftAuction: fc.record({
      nft: anyAccount,
      nftOwner: anyAccount,
      marketplace: anyAccount,
      lastBid: fc.bigInt(0n, 2n ** 60n),
    }),
  },
  { requiredKeys: [] },
);
const contracts = fc.tuple(...accounts.map(() => contract));

function lookups(known: readonly Contract[]): ContractLookups {
  const contracts = new ContractLookups();
  for (const [i, each] of known.entries()) contracts.add(accounts[i]!, each);
  return contracts;
}

/** The same trace, listed in another order. */
function reordered({ transactions, ...trace }: Trace): Trace {
  const reversed = transactions.map((each) => ({ ...each, outMessages: each.outMessages.toReversed() }));
  return { ...trace, transactions: reversed.reverse() };
}

describe("Classification", () => {
  it("of any trees and bodies gives a row for each message, or for the composite that contains it", () => {
    fc.assert(
      fc.property(trace, contracts, (trace, known) => {
        const { state, actions, error } = classify(trace, lookups(known));
        expect(error).toBeUndefined();
        expect(state).not.toBe("failed");
        const shown = new Set(actions.flatMap(({ tx_hashes }) => tx_hashes));
        const expected = trace.transactions.map(({ hash }) => hash).filter((hash) => hash !== trace.traceId);
        expect(expected.filter((hash) => !shown.has(hash))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("does not depend on the order in which transactions and messages are listed", () => {
    fc.assert(
      fc.property(trace, contracts, (trace, known) => {
        expect(classify(reordered(trace), lookups(known))).toEqual(classify(trace, lookups(known)));
      }),
      { numRuns: 100 },
    );
  });
});
