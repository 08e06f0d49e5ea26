import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import { libraryHash } from "../../../shared/ton/run/code-libraries.js";
import { ifReadable } from "../../../shared/ton/tlb/readable.js";
import { bytesOfBase64, bytesToBase64 } from "../../../shared/values/bytes.js";
import type { Abis } from "../../artifacts/store.js";
import { interfacesOf } from "../../contracts/interfaces.js";
import { addressFromBytes } from "../../store/address-bytes.js";
import type { Queries } from "../../store/database.js";
import { rawAddress } from "../../store/declare/wire-forms.js";
import type { FailedTransactions } from "../../store/queries/messages/message-status.js";
import { reads } from "../../store/reads/index-reads.js";
import { abiMeaning, abiOpcodeOf, abiOperationsBut } from "./abi.js";
import { readBookRows } from "./answer-extras.js";
import { type ContractsOf, mayLackLibrary } from "./failure.js";

export type AbisOf = Pick<Abis, "abisOf" | "guesses">;

/** The failed contracts, by their current code. */
export async function readContracts(
  queries: Queries,
  { transactions }: Pick<FailedTransactions, "transactions">,
  artifacts: AbisOf,
): Promise<ContractsOf> {
  if (transactions.length === 0) return () => ({ interfaces: [] });
  const accounts = new Map(transactions.map(({ account }) => [rawAddress.present(account), account]));
  const rows = await readBookRows(queries, [...accounts.values()]);
  const libraries = await readLibraries(queries, transactions.filter(mayLackLibrary));
  return (account) => {
    const row = rows.get(account);
    const codeHash = row?.code_hash ?? undefined;
    return {
      library: libraries.get(account),
      interfaces: row
        ? interfacesOf(row.code_hash, row.methods === null ? null : JSON.parse(row.methods))
        : [],
      errorOf: (code) => abiMeaning(artifacts.abisOf({ codeHash, account }), code),
      operationOf: (opcode) => abiOpcodeOf(artifacts.guesses(opcode), opcode)?.message,
      operationsBut: (opcode) => abiOperationsBut(artifacts.abisOf({ codeHash, account }), opcode),
    };
  };
}

/** Hashes of the libraries that are the codes of accounts, in base64, by account. */
async function readLibraries(
  queries: Queries,
  transactions: FailedTransactions["transactions"],
): Promise<ReadonlyMap<string, string>> {
  if (transactions.length === 0) return new Map();
  const addresses = transactions.map(({ account }) => addressFromBytes(account));
  const rows = await reads.readAccounts(queries, { addresses }, "both");
  return new Map(
    rows.flatMap(({ address, code_boc: boc }) => {
      const code = boc === null ? undefined : ifReadable(() => parseBocRoot(bytesOfBase64(boc)));
      return code?.type === "library" ? [[address, bytesToBase64(libraryHash(code))] as const] : [];
    }),
  );
}
