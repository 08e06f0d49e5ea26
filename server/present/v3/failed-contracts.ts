import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import { libraryHash } from "../../../shared/ton/run/code-libraries.js";
import { ifReadable } from "../../../shared/ton/tlb/readable.js";
import { bytesOfBase64, bytesToBase64 } from "../../../shared/values/bytes.js";
import type { Abis } from "../../artifacts/store.js";
import { interfacesOf } from "../../contracts/interfaces.js";
import { addressFromBytes } from "../../store/address-bytes.js";
import type { Queries } from "../../store/database.js";
import { rawAddress } from "../../store/declare/wire-forms.js";
import type { BookRow } from "../../store/queries/accounts/accounts.js";
import type { FailedTransactions } from "../../store/queries/messages/message-status.js";
import { reads } from "../../store/reads/index-reads.js";
import { abiMeaning, abiOpcodeOf, abiOperationsBut } from "./abi.js";
import { readBookRows } from "./answer-extras.js";
import { type ContractsOf, mayLackLibrary } from "./failure.js";

export type AbisOf = Pick<Abis, "abisOf" | "guesses">;

/**
 * The failed contracts, by their codes in `known` (base64, by raw account), else by their current ones. Without `queries` no
 * others are known.
 */
export async function readContracts(
  queries: Queries | undefined,
  { transactions }: Pick<FailedTransactions, "transactions">,
  artifacts: AbisOf,
  known: ReadonlyMap<string, string> = new Map(),
): Promise<ContractsOf> {
  if (transactions.length === 0) return () => ({ interfaces: [] });
  const accounts = new Map(transactions.map(({ account }) => [rawAddress.present(account), account]));
  const rows = queries ? await readBookRows(queries, [...accounts.values()]) : new Map<string, BookRow>();
  const libraries = await readLibraries(queries, transactions.filter(mayLackLibrary));
  return (account) => {
    const row = rows.get(account);
    const codeHash = known.get(account) ?? row?.code_hash ?? undefined;
    const methods = row?.code_hash === codeHash ? (row?.methods ?? null) : null;
    return {
      library: libraries.get(account),
      interfaces: interfacesOf(codeHash ?? null, methods === null ? null : JSON.parse(methods)),
      errorOf: (code) => abiMeaning(artifacts.abisOf({ codeHash, account }), code),
      operationOf: (opcode) => abiOpcodeOf(artifacts.guesses(opcode), opcode)?.message,
      operationsBut: (opcode) => abiOperationsBut(artifacts.abisOf({ codeHash, account }), opcode),
    };
  };
}

/** Hashes of the libraries that are the codes of accounts, in base64, by account. */
async function readLibraries(
  queries: Queries | undefined,
  transactions: FailedTransactions["transactions"],
): Promise<ReadonlyMap<string, string>> {
  if (!queries || transactions.length === 0) return new Map();
  const addresses = transactions.map(({ account }) => addressFromBytes(account));
  const rows = await reads.readAccounts(queries, { addresses }, "both");
  return new Map(
    rows.flatMap(({ address, code_boc: boc }) => {
      const code = boc === null ? undefined : ifReadable(() => parseBocRoot(bytesOfBase64(boc)));
      return code?.type === "library" ? [[address, bytesToBase64(libraryHash(code))] as const] : [];
    }),
  );
}
