import type { AnyColumnType } from "./columns.js";

export type Columns = { readonly [name: string]: AnyColumnType };

type ValueOf<C> = C extends { write(value: infer T, ...more: never): void } ? T : never;

type NullableOf<C extends Columns> = { [K in keyof C]: undefined extends ValueOf<C[K]> ? K : never }[keyof C];

/** A row of a table with these columns; null is `undefined`. */
export type RowOf<C extends Columns> = { [K in Exclude<keyof C, NullableOf<C>>]: ValueOf<C[K]> } & {
  [K in NullableOf<C>]?: ValueOf<C[K]>;
};

/**
 * Treatment of a row whose key is stored already.
 * - `keep`: the stored row stays; for rows that are named by a hash of their content.
 * - `replace`: the row takes its place.
 * - `newest`: it takes its place unless these columns of the stored row, compared as a tuple, are greater. `completedBy`
 *   maps a column that may be null because its value is unchanged to the column that shows this by being equal.
 * - `add`: these columns of the stored row grow by those of the row.
 * - `widen`: the columns `from` and `to` of the stored row are widened to those of the row.
 * - `combine`: each column decides on its own: `known` ones keep their first value, `greatest` and `least` ones compare, and
 *   the others are those of the row whose `newest` column is greater, which is kept as `greatest` ones are.
 * - `refuse`: the transaction fails.
 * All of them write in key order, so that concurrent writers cannot deadlock. Without `merge` rows are appended by COPY.
 */
export type Merge<Name extends string> =
  | "keep"
  | "replace"
  | "refuse"
  | { readonly add: readonly Name[] }
  | { readonly widen: { readonly from: Name; readonly to: Name } }
  | {
      readonly combine: {
        readonly newest?: Name;
        readonly known?: readonly Name[];
        readonly greatest?: readonly Name[];
        readonly least?: readonly Name[];
      };
    }
  | { readonly newest: readonly Name[]; readonly completedBy: Readonly<Partial<Record<Name, Name>>> };

/**
 * How rows are taken back when the chain goes back to a masterchain block.
 * - `block`: rows with a greater seqno in this column are deleted.
 * - `first`, `last`: rows with a greater seqno in `first` are deleted; `last` of the others is at most that block, so that what
 *   is stored of it again counts.
 * - `account`: rows of every changed account are deleted; the indexer stores them again as of the block.
 */
type RevertBy<Name extends string> =
  | { readonly block: Name }
  | { readonly first: Name; readonly last: Name }
  | { readonly account: Name };

/** A column that only divided indexes have. */
type WidenBy = {
  readonly column: string;
  readonly type: AnyColumnType;
  /** Its value in a row, if rows come without it. */
  of?(row: never): unknown;
};

/** Names an owner of a token, and the table that the token is in. */
type Ownership<Name extends string> = {
  readonly owner: Name;
  readonly token: Name;
  readonly kind: "jetton_wallets" | "nft_items";
};

type Behaviour<Name extends string> = {
  /** Primary key; of a table without one, the columns that tell rows apart. */
  readonly key: readonly Name[];
  /**
   * SQL expressions of the unique index by which rows are merged, for a table without a primary key; of a table that is
   * spread, the index of each part. `false`: the table has no unique index.
   */
  readonly uniqueBy?: readonly string[] | false;
  readonly merge?: Merge<Name>;
  /** Without it rows stay: they say nothing of blocks. */
  readonly revertBy?: RevertBy<Name>;
  /** Names the trace of a row; follows when traces of two ranges are joined. */
  readonly traceColumn?: Name;
  /** Logical time by whose ranges the table is partitioned. */
  readonly partitionBy?: Name;
  /** SQL expressions that sort the rows of merged slots of such a table; default: time. */
  readonly clusterBy?: readonly string[];
  /** Names the start of a slot that a row tells of. When slots are merged, rows are, as `merge` says. */
  readonly slotColumn?: Name;
  /** The column by whose hash the table is partitioned. */
  readonly spreadBy?: Name;
  /**
   * The column by whose hash a cluster divides the rows. Without it the table is on the coordinator. Tables that are divided by
   * the account of a transaction can be joined.
   */
  readonly divideBy?: { readonly column: string };
  readonly widenBy?: WidenBy;
  /** Columns that name an owner and a token. A divided index finds the tokens of an owner by them. */
  readonly ownedBy?: readonly Ownership<Name>[];
};

/** A table: its columns in the order they are written, and how its rows are written and taken back. */
export type Table<
  C extends Columns = Columns,
  Name extends string = string,
  D extends Columns = Columns,
> = Behaviour<Name> & {
  readonly name: string;
  readonly columns: C;
  /** Columns that writers leave to their default. */
  readonly defaulted: D;
};

/** Declares a table. The test `tables.test.ts` compares declarations with the schema. */
export function table<const C extends Columns, const D extends Columns = Record<never, never>>(
  name: string,
  { columns, defaulted, ...behaviour }: { columns: C; defaulted?: D } & Behaviour<keyof C & string>,
): Table<C, keyof C & string, D> {
  // Without a value there are no such columns, which is what D then says.
  return { name, columns, defaulted: defaulted ?? ({} as D), ...behaviour };
}

/** A row as it is read: with the columns that writers leave out. */
export type StoredRowOf<T extends Table> = RowOf<T["columns"]> & RowOf<T["defaulted"]>;

/** The columns of these names, in this order. */
export function someColumns<C extends Columns, const Name extends keyof C>(
  columns: C,
  names: readonly Name[],
): Pick<C, Name> {
  return Object.fromEntries(names.map((name) => [name, columns[name]])) as Pick<C, Name>;
}

/** Copies these columns alone of a row that may have others. */
export function copierOf<C extends Columns>(columns: C): (row: RowOf<C>) => RowOf<C> {
  const names = Object.keys(columns);
  return (row) => {
    const copy: Record<string, unknown> = {};
    for (const name of names) copy[name] = (row as Record<string, unknown>)[name];
    return copy as RowOf<C>;
  };
}
