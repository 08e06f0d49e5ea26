import SQL, { raw } from "sql-template-tag";
import { codeOf } from "../codes.js";
import type { Transaction } from "../database.js";
import type { RowOf, Table } from "../declare/table.js";
import { code } from "../sql/where.js";
import { accountKinds } from "../tables/accounts.js";
import { tables } from "../tables/all-tables.js";
import { ownedTokens } from "../tables/owned-tokens.js";

type Ownerships = NonNullable<Table["ownedBy"]>;

/** The owners that a row names, each with the token. */
export function ownersIn(ownedBy: Ownerships, row: object): RowOf<typeof ownedTokens.columns>[] {
  const values = row as Readonly<Record<string, Uint8Array | undefined>>;
  return ownedBy.flatMap(({ owner: of, token: at, kind }) => {
    const [owner, token] = [values[of], values[at]];
    return owner && token ? [{ owner, kind: codeOf(accountKinds, kind), token }] : [];
  });
}

/** Notes the owners that stored rows name. */
export async function noteOwners(transaction: Transaction): Promise<void> {
  for (const { name, ownedBy = [] } of Object.values<Table>(tables))
    for (const { owner, token, kind } of ownedBy)
      await transaction.query(SQL`
        insert into ${raw(ownedTokens.name)} (owner, kind, token)
        select ${raw(owner)}, ${code(accountKinds, kind)}, ${raw(token)} from ${raw(name)}
        where ${raw(owner)} is not null on conflict do nothing`);
}
