import SQL, { empty, raw } from "sql-template-tag";
import { directions } from "../../codes.js";
import { fixedText } from "../../sql/fixed-text.js";
import { byAccount, byOpcodeOf, byPair, type Found, isFound, isFoundWithin, isHash } from "../../sql/keys.js";
import { all, code, type Fragment, keyList } from "../../sql/where.js";
import { pageText } from "../accounts/page-extras.js";
import { foundByMessages, type MessageIndex } from "../messages/message-indexes.js";
import {
  endColumns,
  endNames,
  firstOfSlot,
  isBehind,
  isOfSlot,
  pageOfSlots,
  sortedBy,
} from "../slots/slot-pages.js";
import {
  type Given,
  isByMessages,
  orderOf,
  otherMessages,
  ownAccount,
  type Shape,
  type Values,
} from "./transaction-shape.js";
import { pageColumns, pageColumnsOf, withParts } from "./transaction-text.js";

function messageTests(shape: Shape, given: Given, row: string): Fragment[] {
  return otherMessages(shape).map(
    (name) => SQL`${raw(`${row}.${name}`)} is not distinct from ${given[name]}`,
  );
}

function directionOf({ direction }: Shape, row: string): Fragment | undefined {
  return direction && SQL`${raw(row)}.direction = ${code(directions, direction)}`;
}

function ofBlocks({ ofBlocks: names }: Shape, given: Given, row: string): Fragment[] {
  return names.map((name) => SQL`${raw(`${row}.block_${name}`)} = ${given[name]}`);
}

/** Rows of transactions that are looked at, or keys if an index has them. */
function isOfKeys(shape: Shape): boolean {
  return isByMessages(shape.lead) || (shape.lead === "account" && !shape.byTime && !shape.isTested);
}

/** An item of a FROM list with what is searched one by one. */
function eachOf({ lead }: Shape, given: Given): Fragment {
  if (lead === "shard")
    return SQL`cross join unnest(
      ${keyList("integer", given.workchains)}, ${keyList("bigint", given.shards)}) wanted(workchain, shard)`;
  return lead.startsWith("account")
    ? SQL`cross join unnest(${keyList("bytea", given.accounts)}) wanted(address)`
    : empty;
}

/** How an index of transactions finds rows. */
function foundBy({ lead, byTime }: Shape): Found | undefined {
  const address = SQL`wanted.address`;
  if (lead === "account")
    return byTime ? byAccount("account", address) : { keys: ["account"], values: [address] };
  const values = [SQL`wanted.workchain`, SQL`wanted.shard`];
  return lead === "shard" ? { keys: ["block_workchain", "block_shard"], values } : undefined;
}

/** The first rows of a slot by an index of transactions. */
function firstTransactions(shape: Shape, given: Given): Fragment {
  const { byTime, sort, excludes, hasLts, isBehind: hasAfter } = shape;
  const order = orderOf(shape);
  const messages = [directionOf(shape, "m"), ...messageTests(shape, given, "m")];
  const tests = [
    excludes ? SQL`account <> all(${given.excluded}::bytea[])` : undefined,
    ...ofBlocks(shape, given, "transactions"),
    otherMessages(shape).length > 0
      ? SQL`${messageOf("transactions.hash", "transactions.lt", messages)} is not null`
      : undefined,
  ];
  const by = foundBy(shape);
  return firstOfSlot(
    {
      select: isOfKeys(shape) ? SQL`lt, account` : SQL`*`,
      from: SQL`transactions where ${all(
        byTime ? inTimes(by, given) : by && isFound(by),
        isOfSlot("lt", given),
        hasLts ? SQL`lt between ${given.from} and ${given.to}` : undefined,
        hasAfter ? isBehind(order, sort, given) : undefined,
      )}`,
      tests: shape.isTested ? all(...tests) : undefined,
      ...{ order, sort },
    },
    given,
  );
}

function inTimes(by: Found | undefined, given: Given): Fragment {
  const times = [given.since, given.until] as const;
  return by ? isFoundWithin(by, "now", times) : SQL`now between ${times[0]} and ${times[1]}`;
}

/** One of the messages of a transaction that match, as row `m`: messages_by_transaction. */
function messageOf(
  hash: string,
  lt: string,
  conditions: readonly (Fragment | undefined)[],
  row = "m",
): Fragment {
  return SQL`(
    select true from messages ${raw(row)}
    where ${all(SQL`${isHash(`${row}.tx_hash`, raw(hash))} and ${raw(row)}.tx_lt = ${raw(lt)}`, ...conditions)} limit 1)`;
}

/** The first keys of a slot by an index of messages, each once. */
function firstByMessages(shape: Shape, given: Given): Fragment {
  const { lead } = shape;
  const [address, opcode] = [SQL`wanted.address`, SQL`${given.opcode}`];
  const [source, destination] = [SQL`${given.source}`, SQL`${given.destination}`];
  const sides = ["m.source", "m.destination"] as const;
  if (lead === "account source") return keysByMessages(shape, given, byPair(sides, [source, address]), isIn);
  if (lead === "account destination")
    return keysByMessages(shape, given, byPair(sides, [address, destination]), isOut);
  if (lead === "account opcode") {
    const received = keysByMessages(
      shape,
      given,
      byOpcodeOf(["m.destination", "m.opcode"], [address, opcode]),
      isIn,
    );
    // A transaction that also received such a message is among those by received ones.
    const isAmong = messageOf(
      "m.tx_hash",
      "m.tx_lt",
      [
        SQL`i.direction = ${code(directions, "in")} and i.opcode = ${opcode}`,
        ...messageTests(shape, given, "i"),
      ],
      "i",
    );
    const sent = (condition?: Fragment) =>
      keysByMessages(
        shape,
        given,
        byOpcodeOf(["m.source", "m.opcode"], [address, opcode]),
        all(isOut, condition),
      );
    if (shape.direction) return shape.direction === "in" ? received : sent();
    return SQL`select * from ((${received}) union all (${sent(SQL`${isAmong} is null`)})) sides`;
  }
  return keysByMessages(shape, given, foundByMessages(lead as MessageIndex, given, "m."));
}

const isIn = SQL`m.direction = ${code(directions, "in")}`;
const isOut = SQL`m.direction = ${code(directions, "out")}`;

function keysByMessages(shape: Shape, given: Given, by: Found, condition?: Fragment): Fragment {
  const { byTime, sort, lead, isNarrowed, hasLts, hasTimes: hasBounds, isBehind: hasAfter } = shape;
  const order = orderOf(shape);
  const others = messageTests(shape, given, "m");
  const inBlocks = ofBlocks(shape, given, "t");
  const inTime = hasBounds ? SQL`t.now between ${given.since} and ${given.until}` : undefined;
  const ofMessage = all(
    shape.excludes ? SQL`${raw(ownAccount)} <> all(${given.excluded}::bytea[])` : undefined,
    shape.hasAccounts && !lead.startsWith("account")
      ? SQL`${raw(ownAccount)} = any(${given.accounts}::bytea[])`
      : undefined,
    ...others,
    others.length > 0 ? isFirstOf(shape, given) : undefined,
  );
  const ofTransaction = inBlocks.length > 0 || inTime ? all(inTime, ...inBlocks) : undefined;
  const rows = SQL`messages m where ${all(
    isFound(by),
    condition,
    directionOf(shape, "m"),
    isOfSlot("m.tx_lt", given),
    hasLts ? SQL`m.tx_lt between ${given.from} and ${given.to}` : undefined,
    hasAfter && !byTime ? isBehind(order, sort, given) : undefined,
    isNarrowed ? ofMessage : undefined,
  )}`;
  // The order of time would lead to another index.
  const timed = SQL`(
    select m.*, t.now from (select * from ${rows} offset 0) m
    cross join lateral (
      select now from transactions t where ${all(isOwn("m.tx_hash", "m.tx_lt"), ofTransaction)} offset 0) t) m
    where ${hasAfter && byTime ? isBehind(order, sort, given) : SQL`true`}`;
  const hasOwn = (hash: string, lt: string) =>
    ofTransaction &&
    SQL`(select true from transactions t where ${all(isOwn(hash, lt), ofTransaction)} limit 1) is not null`;
  return firstOfSlot(
    {
      select: SQL`m.tx_hash`,
      from: byTime ? timed : rows,
      tests: shape.isTested ? all(ofMessage, hasOwn("m.tx_hash", "m.tx_lt")) : undefined,
      // Rows of the same transaction follow each other, unless some of them do not match.
      once: others.length === 0 ? "m.tx_hash" : undefined,
      late: byTime ? undefined : hasOwn("each_row.tx_hash", "each_row.lt"),
      ...{ order, sort },
    },
    given,
  );
}

/** The condition that row `t` is the transaction of a message: transactions_by_lt. */
function isOwn(hash: string, lt: string): Fragment {
  return SQL`${isHash("t.hash", raw(hash))} and t.lt = ${raw(lt)}`;
}

/** Whether no other message of its transaction matches that comes before row `m`. */
function isFirstOf(shape: Shape, given: Given): Fragment {
  const same = shape.messageFilters.map((name) => SQL`o.${raw(name)} is not distinct from ${given[name]}`);
  const before = SQL`(o.direction, o.msg_hash) < (m.direction, m.msg_hash)`;
  return SQL`${messageOf("m.tx_hash", "m.tx_lt", [...same, directionOf(shape, "o"), before], "o")} is null`;
}

/** The rows of a page, by their name, which is `t` if they are whole. */
function pageRows(shape: Shape, given: Given): { row: "page" | "t"; rows: Fragment } {
  const search = isByMessages(shape.lead) ? firstByMessages(shape, given) : firstTransactions(shape, given);
  const rows = pageOfSlots(given, search, { ...shape, order: orderOf(shape), each: eachOf(shape, given) });
  if (!isOfKeys(shape)) return { row: "t", rows: SQL`${rows} t` };
  const isSame = isByMessages(shape.lead) ? isHash("hash", raw("page.tx_hash")) : SQL`account = page.account`;
  const whole = SQL`cross join lateral (
    select * from transactions
    where ${isSame} and lt = page.lt and lt between ${given.first} and ${given.greatest} offset 0) t`;
  return { row: "page", rows: SQL`${rows} page ${whole}` };
}

export const pages = (shape: Shape) =>
  pageText<Values>(
    (given) => {
      const { row, rows } = pageRows(shape, given);
      return SQL`
        select ${shape.isTested ? pageColumnsOf(row) : pageColumns}${endColumns(orderOf(shape), row, shape)}
        from ${rows}
        ${withParts({ from: given.first, to: given.greatest }, `${row}.slot`, given.first)}
        order by ${sortedBy(orderOf(shape), shape.sort, `${row}.`)}`;
    },
    { columns: endNames(shape), isInOrder: true },
  );

/** The times of the transactions of a page. */
export const times = (shape: Shape) =>
  fixedText<Values>((given) => {
    const { row, rows } = pageRows(shape, given);
    return SQL`select t.now${endColumns(orderOf(shape), row, shape)} from ${rows}
      order by ${sortedBy(orderOf(shape), shape.sort, `${row}.`)}`;
  });
