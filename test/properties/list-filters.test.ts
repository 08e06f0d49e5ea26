import fc from "fast-check";
import { describe, it } from "vitest";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { sized } from "../helpers/effort.js";
import { indexOfSuite } from "../helpers/http/index-of-suite.js";
import { databaseKinds } from "../helpers/store/databases.js";
import { expectWholeList, expectWholeLists, list } from "../helpers/store/filtered-lists.js";
import { laggingIndex } from "../helpers/store/lagging-index.js";
import { naiveBlocks, naiveMessages, naiveTransactions } from "../helpers/store/naive-lists.js";
import { naiveActions, naiveTraces } from "../helpers/store/naive-traces.js";
import { hashOf } from "../helpers/store/rows.js";
import {
  sampleAccounts,
  sampleActionTypes,
  sampleBodies,
  sampleIndex,
  sampleOpcodes,
  storeInSlots,
  type TracedIndex,
  withTraces,
} from "../helpers/store/sample-index.js";

const indexes = [
  ["much is equal", withTraces(sampleIndex())],
  ["shards lag", withTraces(laggingIndex())],
] as const;

const someOf = <T>(values: readonly T[], maxLength = 3) =>
  fc.array(fc.constantFrom(...values), { minLength: 1, maxLength });
const oneOfHashes = (hashes: readonly Uint8Array[]) => fc.constantFrom(...hashes.map(bytesToBase64));
/** Some of the hashes, or one that is in no row. */
const named = (hashes: readonly Uint8Array[]) => someOf([...hashes, hashOf("?")].map(bytesToBase64), 20);

const account = fc.constantFrom(...sampleAccounts);
const party = fc.oneof(account, fc.constant(null));
const time = fc.integer({ min: 95, max: 135 });
const lt = fc.bigInt(0n, 70n);
const seqno = fc.integer({ min: 1, max: 6 });
const opcode = fc.constantFrom(...sampleOpcodes.filter((value) => value !== undefined));
const windows = { start_utime: time, end_utime: time, start_lt: lt, end_lt: lt };
const ofBlock = {
  workchain: fc.constantFrom(0, -1),
  shard: fc.constantFrom("8000000000000000", "4000000000000000"),
  seqno,
  mc_seqno: seqno,
};
const ofMessage = {
  body_hash: oneOfHashes(sampleBodies),
  opcode: opcode.map((value) => `0x${value.toString(16)}`),
  direction: fc.constantFrom("in", "out"),
};
const page = {
  limit: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: sized(6, 2), max: 40 }) }, fc.constant(1000)),
  sort: fc.constantFrom("asc" as const, "desc" as const),
};

type Arbitraries<Filter> = { [Name in keyof Filter]: fc.Arbitrary<Filter[Name]> };

/** A page by a few of the filters, as all at once would leave nothing of most lists, and by at most one of the alternatives. */
function byFewOf<Filter extends object, Alternative extends object = object>(
  filters: Arbitraries<Filter>,
  alternatives: Arbitraries<Alternative> = {} as Arbitraries<Alternative>,
) {
  return fc
    .tuple(fewOf(filters, 4), fewOf(alternatives, 1), fc.record(page))
    .map(([few, one, asked]) => ({ ...few, ...one, ...asked }));
}

function fewOf<Filter extends object>(filters: Arbitraries<Filter>, maxLength: number) {
  const names = Object.keys(filters) as (keyof Filter)[];
  return fc
    .subarray(names, { maxLength: Math.min(maxLength, names.length) })
    .chain((few) => fc.record(Object.fromEntries(few.map((name) => [name, filters[name]]))))
    .map((few) => few as Partial<Filter>);
}

type MessageFilter = { msg_hash?: string[]; body_hash?: string; opcode?: string };
const bytesOf = (base64: string) => Buffer.from(base64, "base64");
/** The filter with values as rows have them. */
const asInRows = <Filter extends MessageFilter>(filter: Filter) => ({
  ...filter,
  msg_hash: filter.msg_hash?.map(bytesOf),
  body_hash: filter.body_hash === undefined ? undefined : bytesOf(filter.body_hash),
  opcode: filter.opcode === undefined ? undefined : Number(filter.opcode),
});

const hashesOf = ({ transactions, messages, traces, actions }: TracedIndex) => ({
  tx_hash: transactions.map(({ hash }) => hash),
  msg_hash: messages.map(({ msg_hash, msg_hash_norm = msg_hash }) => msg_hash_norm),
  trace_id: traces.map(({ trace_id }) => trace_id),
  action_id: actions.map(({ action_id }) => action_id),
});

function listsOf(index: TracedIndex) {
  const { blocks } = index;
  const { tx_hash, msg_hash, trace_id, action_id } = hashesOf(index);
  const ofHashes = { tx_hash: named(tx_hash), msg_hash: named(msg_hash), trace_id: named(trace_id) };
  return [
    list(
      "blocks",
      byFewOf({
        ...ofBlock,
        root_hash: oneOfHashes(blocks.map(({ root_hash }) => root_hash)),
        file_hash: oneOfHashes(blocks.map(({ file_hash }) => file_hash)),
        ...windows,
      }),
      (filter) => naiveBlocks(blocks, filter).map(({ root_hash }) => bytesToBase64(root_hash)),
    ),
    list(
      "transactions",
      byFewOf({
        ...ofBlock,
        account: someOf(sampleAccounts),
        exclude_account: someOf(sampleAccounts),
        lt,
        ...windows,
        ...ofMessage,
        msg_hash: ofHashes.msg_hash,
        source: account,
        destination: account,
      }).filter(({ direction, msg_hash, opcode }) => !direction || !!msg_hash || !!opcode),
      (filter) => naiveTransactions(index, asInRows(filter)).map(({ hash }) => bytesToBase64(hash)),
    ),
    list(
      "messages",
      byFewOf({
        ...ofMessage,
        msg_hash: ofHashes.msg_hash,
        source: party,
        destination: party,
        exclude_externals: fc.boolean(),
        only_externals: fc.boolean(),
        ...windows,
      }),
      (filter) => naiveMessages(index, asInRows(filter)).map(({ msg_hash }) => bytesToBase64(msg_hash)),
    ),
    list("traces", byFewOf({ mc_seqno: seqno, ...windows }, { account, ...ofHashes }), (filter) =>
      naiveTraces(index, filter).map(({ trace_id }) => bytesToBase64(trace_id)),
    ),
    list(
      "actions",
      byFewOf({
        account,
        initiated_by_account: fc.boolean(),
        ...ofHashes,
        action_id: named(action_id),
        mc_seqno: seqno,
        action_type: someOf([...sampleActionTypes, "of_no_action"]),
        exclude_action_type: someOf(sampleActionTypes),
        supported_action_types: someOf(["v1", "v2", "latest", "multisig", "auction_outbid"], 2),
        ...windows,
      }),
      (filter) => naiveActions(index, filter).map(({ action_id }) => bytesToBase64(action_id)),
    ),
  ];
}

const kinds = databaseKinds.flatMap(([name, open]) =>
  indexes.map(([what, index]) => [`${name}, where ${what}`, open, index] as const),
);
const namedBy = [
  ["transactions", ["msg_hash"]],
  ["messages", ["msg_hash"]],
  ["traces", ["trace_id", "tx_hash", "msg_hash"]],
  ["actions", ["trace_id", "tx_hash", "msg_hash", "action_id"]],
] as const;
type Row = { action_id?: string; hash?: string; root_hash?: string; trace_id?: string };

const namesIn = (path: string) => (answer: Record<string, Row[]>) =>
  answer[path]!.map(
    ({ action_id, hash, root_hash, trace_id }) => (action_id ?? hash ?? root_hash ?? trace_id)!,
  );

describe.each(kinds)("any filter on %s", (_, open, index) => {
  const suite = indexOfSuite(open, (database) => storeInSlots(database, index));

  it.each(listsOf(index))("pages through the $path that match, each once and in order", async (of) => {
    await expectWholeLists(suite.app, of, namesIn(of.path));
  });

  it.each(namedBy)("pages through the %s that hashes name", async (path, filters) => {
    const of = listsOf(index).find((one) => one.path === path)!;
    for (const name of filters)
      for (const sort of ["asc", "desc"]) {
        const hashes = hashesOf(index)[name].slice(0, 25).map(bytesToBase64);
        const filter = { [name]: hashes, limit: 4, sort };
        await expectWholeList(suite.app, of, filter, namesIn(path));
      }
  });
});
