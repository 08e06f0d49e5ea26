import SQL from "sql-template-tag";
import { SetupError } from "../../errors.js";
import type { IndexVersion, Queries } from "../database.js";
import type { Layout } from "../reads/index-reads.js";
import { oneRow } from "../sql/one-row.js";
import { accountReads } from "./accounts.js";
import { actionReads } from "./actions.js";
import { balanceReads } from "./balance-changes.js";
import { blockReads } from "./blocks.js";
import { contractReads } from "./contracts.js";
import { jettonReads } from "./jettons.js";
import { statusReads } from "./message-status.js";
import { messageReads } from "./messages.js";
import { nftReads } from "./nfts.js";
import { tokenEventReads } from "./token-events.js";
import { type TokenOptions, tokenReads } from "./tokens.js";
import { traceReads } from "./traces.js";
import { transactionReads } from "./transactions.js";

/** The database of TON Center's indexer, ton-indexer, which is only read. */
export function toncenterLayout(options: TokenOptions): Layout {
  return {
    reads: {
      ...accountReads,
      ...actionReads,
      ...balanceReads,
      ...blockReads,
      ...contractReads,
      ...jettonReads,
      ...messageReads,
      ...nftReads,
      ...statusReads,
      ...tokenEventReads,
      ...tokenReads(options),
      ...traceReads,
      ...transactionReads,
    },
    // The newest masterchain block counts as the version.
    versionSql: "(select seqno || ' ' || seqno from blocks where workchain = -1 order by seqno desc limit 1)",
    lack: "the service reads a database of TON Center, which does not have the data for this call",
  };
}

/** The newest masterchain block that is stored. */
export type NewestBlock = { seqno: number; genUtime: number; rootHash: string };

/** `undefined` while there is none. */
export async function readNewestBlock(queries: Queries): Promise<NewestBlock | undefined> {
  const [row] = await queries.query<{ seqno: number; gen_utime: bigint; root_hash: string }>(SQL`
    select seqno, gen_utime, root_hash::text as root_hash from blocks
    where workchain = -1 order by seqno desc limit 1`);
  return row && { seqno: row.seqno, genUtime: Number(row.gen_utime), rootHash: row.root_hash };
}

/** The root hash of a masterchain block that is stored. */
export async function readRootHash(queries: Queries, seqno: number): Promise<string | undefined> {
  const [row] = await queries.query<{ root_hash: string }>(SQL`
    select root_hash::text as root_hash from blocks where workchain = -1 and seqno = ${seqno}`);
  return row?.root_hash;
}

/** There a block counts as the version of the index. */
export function versionOf({ seqno }: NewestBlock): IndexVersion {
  return { n: seqno, seqno };
}

/** The versions of their schema with all that is read; flags of tokens are read if the patch is not less. */
const supported = { major: 1, minor: 2, patch: 7 };
const patchWithFlags = 10;

type SchemaVersion = { major: number; minor: number; patch: number };

/** The layout of the database. Throws `SetupError` if it is no database of TON Center, or of a version that cannot be read. */
export async function confirmLayout(queries: Queries): Promise<Layout> {
  const { found } = await oneRow<{ found: boolean }>(
    queries,
    SQL`select to_regclass('ton_db_version') is not null as found`,
  );
  const [version] = found
    ? await queries.query<SchemaVersion>(SQL`select major, minor, patch from ton_db_version`)
    : [];
  if (!version)
    throw new SetupError(
      "--database-layout is toncenter, but --database-url names no database of ton-indexer: it has no table ton_db_version",
    );
  const { major, minor, patch } = version;
  if (major !== supported.major || minor !== supported.minor || patch < supported.patch)
    throw new SetupError(
      `the database of ton-indexer has version ${textOf(version)} of its schema: ${textOf(supported)} and later ones of ` +
        `${supported.major}.${supported.minor} can be read`,
    );
  return toncenterLayout({ hasFlags: patch >= patchWithFlags });
}

function textOf({ major, minor, patch }: SchemaVersion): string {
  return `${major}.${minor}.${patch}`;
}
