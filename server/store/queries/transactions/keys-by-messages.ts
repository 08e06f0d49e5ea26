import SQL, { raw } from "sql-template-tag";
import { bytesEqual } from "../../../../shared/values/bytes.js";
import { addressToBytes } from "../../address-bytes.js";
import { codeOf, directions } from "../../codes.js";
import { isHash } from "../../keys.js";
import { all, type Fragment, given, hasTimes, ordered, paged, within } from "../../where.js";
import { messageLt } from "../messages/message-texts.js";
import { messageConditions } from "./transaction-filter.js";
import {
  conditionsOf,
  keysOfRows,
  ltConditions,
  ofAccounts,
  type Part,
  type Search,
} from "./transaction-search.js";

/**
 * A filter by accounts and by the source or the destination of messages, which is `party`. `side`: the other side of these messages,
 * on which the other accounts are. `hasParty`: whether the party is one of the accounts.
 */
type Route = {
  party: Uint8Array;
  side: "source" | "destination";
  others: readonly Uint8Array[];
  hasParty: boolean;
};

export function routeOf({ filter, accounts, scope, columns }: Search): Route | undefined {
  const { source, destination } = filter;
  const named = source ?? destination;
  if (!accounts || !named || (source && destination) || columns[0] !== "lt" || scope.blocks || scope.named)
    return undefined;
  const party = addressToBytes(named);
  const others = accounts.filter((account) => !bytesEqual(account, party));
  const hasParty = others.length < accounts.length;
  return { party, side: source ? "destination" : "source", others, hasParty };
}

/** Transactions of the party by its own messages, and those of the other accounts by routes. */
export function keysByParties(search: Search, part: Part, route: Route): Fragment {
  const { columns, sort } = search;
  const { page } = part;
  if (!route.hasParty) return keysByRoutes(search, part, route);
  const { party, side, others } = route;
  const ofParty = { ...search, accounts: [party] };
  // A message to itself is on both sides.
  const ownSide = codeOf(directions, side === "source" ? "in" : "out");
  const own = SQL`(direction = ${ownSide} or ${raw(side)} = ${party})`;
  if (others.length === 0) return keysInOrderOfMessages(ofParty, part, own);
  const firstOf = { ...part, page: { limit: page.offset + page.limit, offset: 0 } };
  return SQL`select * from (
      (${keysInOrderOfMessages(ofParty, firstOf, own)}) union all (${keysByRoutes(search, firstOf, route)})) found
    order by ${ordered(sort, ...columns)} ${paged(page)}`;
}

/**
 * By messages_by_route, as the accounts may have many transactions and hardly any of these. Messages from one account to
 * another arrive in the order in which they were sent, so they are in the order of either transaction.
 */
function keysByRoutes(
  search: Search,
  { page, window, behind }: Part,
  { party: other, side, others: accounts }: Route,
): Fragment {
  const { filter, columns, sort } = search;
  const [from, to] =
    side === "source" ? [SQL`wanted.address`, SQL`${other}`] : [SQL`${other}`, SQL`wanted.address`];
  const conditions = messageConditions(filter);
  const ownSide = codeOf(directions, side === "source" ? "out" : "in");
  const wanted = all(...conditionsOf(search), window, behind);
  const order = ordered(sort, ...columns);
  return SQL`select one.*
    from unnest(${accounts}::bytea[]) wanted(address)
    cross join lateral (
      select found.lt, found.account
      from (
        select tx_hash, tx_lt, direction, msg_hash, ${raw(messageLt)} as key
        from (select *, tx_lt as lt from messages) messages
        where ${all(...conditions, ...ltConditions(filter), window)}
          and route_key(source, destination) = route_key(${from}, ${to})
          and ${raw(side)} is not distinct from wanted.address and direction = ${ownSide}) m
      cross join lateral (
        select lt, account from transactions
        where ${isHash("hash", raw("m.tx_hash"))} and lt = m.tx_lt and ${wanted} offset 0) found
      where ${isFirstOf("m", conditions)} and found.account = wanted.address
      order by ${ordered(sort, "m.key")} limit ${page.offset + page.limit}) one
    order by ${order} ${paged(page)}`;
}

/** Whether no other message of the transaction of a row matches that comes before it. */
function isFirstOf(row: string, conditions: readonly (Fragment | undefined)[]): Fragment {
  return SQL`(
    select true from messages o
    where ${isHash("o.tx_hash", raw(`${row}.tx_hash`))} and o.tx_lt = ${raw(row)}.tx_lt
      and (o.direction, o.msg_hash) < (${raw(row)}.direction, ${raw(row)}.msg_hash) and ${all(...conditions)}
    limit 1) is null`;
}

/**
 * By messages, in the order of messages_by_opcode_tx or messages_by_body_tx, or by messages_by_source, _by_destination or
 * _by_route. If nothing else is asked of transactions, no more of them are read than can be on the page.
 */
export function keysByMessages(search: Search, part: Part): Fragment {
  const { filter, scope, sort } = search;
  const { page, window, after } = part;
  // Blocks that are named bound the search.
  const bounds = scope.axis === "lt" ? within("lt", scope.from, scope.to) : undefined;
  const named = (...more: (Fragment | undefined)[]) => SQL`
    select tx_hash, lt as tx_lt from (select *, tx_lt as lt from messages) messages
    where ${all(...messageConditions(filter), ...ltConditions(filter), bounds, window, ...more)} group by lt, tx_hash`;
  if (isInOrderOfMessages(search)) return keysInOrderOfMessages(search, part);
  if (!isOfMessagesOnly(search)) return keysOfRows(search, part, SQL`(${named()} offset 0) name`);
  const first = (...more: (Fragment | undefined)[]) =>
    SQL`(${named(...more)} order by tx_lt ${raw(sort)} fetch first ${page.offset + page.limit} rows with ties)`;
  if (!after && page.offset > 0) return keysBehindOffset(search, part, first());
  // Transactions with the lt of the key are on either side of it.
  const names = after
    ? SQL`(${named(SQL`lt = ${after.lt}`)} union all ${first(SQL`lt ${raw(sort === "desc" ? "<" : ">")} ${after.lt}`)})`
    : first();
  return keysOfRows(search, part, SQL`${names} name`);
}

/** Each name has one transaction. It is read from the lt of the first row of the page on: before, only the number of names counts. */
function keysBehindOffset(search: Search, part: Part, names: Fragment): Fragment {
  const { limit, offset } = part.page;
  const start = SQL`(select max(place) from ranked where place <= ${offset + 1})`;
  return SQL`
    with ranked as materialized (
      select *, rank() over (order by tx_lt ${raw(search.sort)}) as place from ${names} name)
    ${keysOfRows(search, part, SQL`(select * from ranked where place >= ${start}) name`, {
      paging: SQL`limit ${limit} offset ${offset + 1} - ${start}`,
    })}`;
}

/**
 * As far as the page ends, each transaction by the first of its messages that match: most of them may be of others than the
 * accounts, shards and workchains that are wanted. `ofRows`: a further condition on messages.
 */
function keysInOrderOfMessages(
  search: Search,
  { page, window, behind, after }: Part,
  ofRows?: Fragment,
): Fragment {
  const { filter, columns, sort } = search;
  const conditions = messageConditions(filter);
  const from = given(after, ({ lt }) => SQL`lt ${raw(sort === "desc" ? "<=" : ">=")} ${lt}`);
  const wanted = all(ofAccounts(search), ...conditionsOf(search), window, behind);
  return SQL`select ${raw(columns.map((column) => `found.${column}`).join(", "))}
    from (
      select tx_hash, tx_lt, direction, msg_hash from (select *, tx_lt as lt from messages) messages
      where ${all(...conditions, ...ltConditions(filter), window, from, ofRows)}) m
    cross join lateral (
      select lt, now, account from transactions
      where ${isHash("hash", raw("m.tx_hash"))} and lt = m.tx_lt and ${wanted} offset 0) found
    where ${isFirstOf("m", conditions)}
    order by ${ordered(sort, "m.tx_lt", "found.account")} ${paged(page)}`;
}

/** Whether the list follows its messages, of which not all are wanted, and named blocks do not bound them. */
export function isInOrderOfMessages(search: Search): boolean {
  const { scope, accounts, columns } = search;
  const isByMessages = scope.isByMessages && !accounts && !scope.named;
  return isByMessages && columns[0] === "lt" && !scope.blocks && !isOfMessagesOnly(search);
}

function isOfMessagesOnly({ filter, scope, columns }: Search): boolean {
  const { workchain, shard, exclude_account } = filter;
  const isOfBlocks = scope.blocks !== undefined || workchain !== undefined || shard !== undefined;
  return columns[0] === "lt" && !hasTimes(filter) && !isOfBlocks && !exclude_account?.length;
}
