import SQL from "sql-template-tag";
import { bytesToHex } from "../../shared/values/bytes.js";
import { SetupError } from "../errors.js";
import type { Queries } from "../store/database.js";
import type { ZeroStateIdExt } from "../tlb/block-id.js";

/** What a chain is known by. */
export type Identity = { network: string; zeroState: ZeroStateIdExt };

/** The database holds the index of another chain. */
export class OtherChainError extends SetupError {
  override readonly name = "OtherChainError";
}

/** Notes whose index this is; refuses to go on with that of another network or zero state. */
export async function claimIdentity(queries: Queries, identity: Identity): Promise<void> {
  for (const [key, value] of Object.entries(notesOf(identity)))
    await queries.query(
      SQL`insert into index_meta (key, value) values (${key}, ${value}) on conflict do nothing`,
    );
  await confirmIdentity(queries, identity);
}

/** Refuses the index of another chain. Says whether it is one at all: what has not begun is everybody's. */
export async function confirmIdentity(queries: Queries, identity: Identity): Promise<boolean> {
  const own = notesOf(identity);
  const notes = await queries.query<{ key: keyof typeof own; value: string }>(
    SQL`select key, value from index_meta where key = any(${Object.keys(own)}) order by key`,
  );
  for (const { key, value } of notes)
    if (value !== own[key])
      throw new OtherChainError(
        `the database is an index of another chain: its ${key} is ${value}, not ${own[key]}`,
      );
  return notes.length > 0;
}

function notesOf({ network, zeroState }: Identity) {
  return { network, zero_state: bytesToHex(zeroState.rootHash) };
}
