import SQL from "sql-template-tag";
import type { Queries } from "../../database.js";
import { codeRecord } from "../../tables/accounts.js";
import { selectRecords } from "../rows.js";

/** A code by its hash, as a bag of cells in base64. */
export async function readCode(queries: Queries, hash: Uint8Array): Promise<string | undefined> {
  const from = SQL`contract_codes k where k.code_hash = ${hash}`;
  const [found] = await selectRecords(queries, codeRecord, from, { isPlannedOnce: true });
  return found?.code_boc;
}
