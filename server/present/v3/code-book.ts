import type { CodeBook, CodeContract } from "../../../shared/schema/v3/records.js";
import type { Artifact } from "../../artifacts/artifact.js";
import { interfacesOf } from "../../contracts/interfaces.js";
import { latin1Text } from "../../store/sql/row-bytes.js";
import type { BookSettings } from "./answer-extras.js";
import type { TransactionRecord } from "./transaction.js";

/** The codes that account states of an answer have, for its member `code_book`. It takes no read of the index. */
export class CodeHashes {
  readonly #seen = new Set<string>();

  add(hash: string | null | undefined): void {
    if (hash) this.#seen.add(hash);
  }

  /** Those before and after a transaction. */
  addRecord({ account_state_before, account_state_after }: TransactionRecord): void {
    this.add(account_state_before.code_hash);
    this.add(account_state_after.code_hash);
  }

  /** The same of a text from the database, which ends with the two states. */
  addText(text: Uint8Array): void {
    const bytes = Buffer.from(text.buffer, text.byteOffset, text.length);
    let at = bytes.lastIndexOf(states);
    while (at >= 0) {
      at = bytes.indexOf(codeHash, at + 1);
      if (at >= 0)
        this.#seen.add(latin1Text(bytes.subarray(at + codeHash.length, at + codeHash.length + hashLength)));
    }
  }

  /** What is known of the codes; nothing if no code is known. */
  book({ artifacts }: Pick<BookSettings, "artifacts">): { code_book?: CodeBook } {
    const rows: CodeBook = {};
    for (const hash of [...this.#seen].sort()) {
      const interfaces = interfacesOf(hash, null);
      const contracts = cataloguedOf(artifacts?.artifactsOf(hash) ?? []);
      if (interfaces.length > 0 || contracts.length > 0)
        rows[hash] = {
          ...(interfaces.length > 0 && { interfaces }),
          ...(contracts.length > 0 && { contracts }),
        };
    }
    return Object.keys(rows).length > 0 ? { code_book: rows } : {};
  }
}

/** Entries of the catalogue for a code. */
function cataloguedOf(artifacts: readonly Artifact[]): CodeContract[] {
  return artifacts.flatMap(({ contract, entry }) =>
    entry
      ? {
          catalog_id: entry.id,
          display_name: contract,
          ...(entry.links.length > 0 && { links: [...entry.links] }),
        }
      : [],
  );
}

const states = Buffer.from('"account_state_before":');
const codeHash = Buffer.from('"code_hash":"');
/** Of 32 bytes in base64. */
const hashLength = 44;

/** The member `code_book` of an answer with transactions. */
export function codeBookOf(
  records: readonly TransactionRecord[],
  settings: Pick<BookSettings, "artifacts">,
): { code_book?: CodeBook } {
  const codes = new CodeHashes();
  for (const record of records) codes.addRecord(record);
  return codes.book(settings);
}
