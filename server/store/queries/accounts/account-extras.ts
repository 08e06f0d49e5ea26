import type { Queries, Statement } from "../../database.js";
import { besideExtras } from "../cluster/beside-extras.js";
import { gatheredTokenStatement, tokenStatement } from "../tokens/tokens.js";
import { bookStatement } from "./accounts.js";
import type { ExtraKind, PageExtras } from "./page-extras.js";

type Found<Kind extends ExtraKind> = Pick<Required<PageExtras>, Kind>;

/** The statement of each kind. */
type ExtraStatements = Readonly<Record<ExtraKind, (of: { accounts: readonly Uint8Array[] }) => Statement>>;

/** `isLast`: whether nothing else is read of the snapshot. */
type ExtrasOptions = { isLast?: boolean };

/** Reads these kinds of extras of accounts. */
export async function readExtras<Kind extends ExtraKind>(
  queries: Queries,
  accounts: readonly Uint8Array[],
  kinds: readonly Kind[],
  options?: ExtrasOptions,
): Promise<Found<Kind>> {
  const tokens = (await queries.isDivided()) ? gatheredTokenStatement : tokenStatement;
  const near = await besideExtras(queries, accounts, kinds);
  return queryExtras(near, accounts, kinds, { book: bookStatement, tokens }, options);
}

/** Sends the statements of these kinds before it waits for any answer: a pipelined connection answers them in one round trip. */
export async function queryExtras<Kind extends ExtraKind>(
  queries: Queries,
  accounts: readonly Uint8Array[],
  kinds: readonly Kind[],
  statements: ExtraStatements,
  { isLast = false }: ExtrasOptions = {},
): Promise<Found<Kind>> {
  const asked = kinds.map(async (kind, at) => {
    const { text, values, isPlannedOnce = false } = statements[kind]({ accounts });
    const isLastOfAll = isLast && at === kinds.length - 1;
    return [kind, await queries.query({ text, values, isPlannedOnce, isLast: isLastOfAll })];
  });
  return Object.fromEntries(await Promise.all(asked));
}
