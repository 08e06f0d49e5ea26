import SQL from "sql-template-tag";
import { valueAt } from "../../../../shared/values/lookups.js";
import type { Queries } from "../../database.js";
import { readMasterchainBlocks } from "../blocks/masterchain-blocks.js";
import { noEnd } from "../upkeep/index-ranges.js";

/**
 * Identifies which blocks the index has. The last masterchain block identifies the content of the range at the head;
 * ranges below it only grow and are joined, so their size and number identify them.
 */
export type ContentVersion = { readonly seqno: number; readonly rootHash: string; readonly below: string };

type Content = {
  readonly version: ContentVersion;
  /** Whether the snapshot has the blocks of this version and, apart from those that came after its last one, no other. */
  isAfter(version: ContentVersion): boolean;
};

/** The version of the snapshot; `undefined` if there is no range at the head. `isAfter` knows these earlier versions. */
export async function readContent(
  queries: Queries,
  earlier: readonly ContentVersion[],
): Promise<Content | undefined> {
  const [head] = await queries.query<{ last: number; below: string }>(SQL`
    select head.done_to as last,
      (select concat_ws(' ', sum(done_to - from_seqno + 1) filter (where to_seqno < ${noEnd}),
        count(*) filter (where not joined)) from index_ranges) as below
    from index_ranges head
    where head.to_seqno = ${noEnd} and head.done_to >= head.from_seqno`);
  if (!head) return undefined;
  const { last: seqno, below } = head;
  const seqnos = new Set([seqno, ...earlier.map((version) => version.seqno)]);
  const rows = await readMasterchainBlocks<{ seqno: number; root_hash: Uint8Array }>(
    queries,
    SQL`b.seqno, b.root_hash`,
    [...seqnos],
  );
  const hashes = new Map(rows.map((row) => [row.seqno, Buffer.from(row.root_hash).toString("base64")]));
  if (!hashes.has(seqno)) return undefined;
  return {
    version: { seqno, rootHash: valueAt(hashes, seqno), below },
    isAfter: (version) =>
      version.below === below && version.seqno <= seqno && version.rootHash === hashes.get(version.seqno),
  };
}
