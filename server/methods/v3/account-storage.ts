import type { Call } from "../../../shared/methods/define.js";
import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import { bytesOfBase64 } from "../../../shared/values/bytes.js";
import type { ArtifactStore } from "../../artifacts/store.js";
import { paidTurns } from "../../chain/paid-turns.js";
import { ServiceError } from "../../errors.js";
import { type AbiStorage, abiStorageOf } from "../../present/v3/abi.js";
import type { AccountRow } from "../../store/queries/accounts/accounts.js";

/** Characters of bags of cells and of typed values: of one account's data, and of an answer. */
const limits = { data: 1 << 20, answer: 8 << 20 } as const;

type StoredAccount = Pick<AccountRow, "address" | "code_hash" | "data_boc">;

/** The storage of accounts by the ABIs of their codes, in the order of the accounts. */
export async function readStorages(
  rows: readonly StoredAccount[],
  artifacts: Pick<ArtifactStore, "abisOf">,
  call: Pick<Call, "signal" | "spent">,
): Promise<(AbiStorage | undefined)[]> {
  const paid = paidTurns(call);
  let left = limits.answer;
  const take = (characters: number) => {
    left -= characters;
    if (left < 0)
      throw new ServiceError("too-large", "the storage exceeds 8 MiB: ask for fewer accounts at once");
  };
  for (const { data_boc } of rows) take(data_boc?.length ?? 0);
  const found: (AbiStorage | undefined)[] = [];
  for (const row of rows) {
    const storage = await paid(() => storageOf(row, artifacts));
    take(storage ? JSON.stringify(storage).length : 0);
    found.push(storage);
  }
  return found;
}

function storageOf(
  { address, code_hash, data_boc }: StoredAccount,
  artifacts: Pick<ArtifactStore, "abisOf">,
): AbiStorage | undefined {
  if (code_hash === null || data_boc === null) return undefined;
  if (data_boc.length > limits.data) return { storage_error: "the data exceed 1 MiB" };
  const abis = artifacts.abisOf({ codeHash: code_hash, account: address });
  return abiStorageOf(abis, parseBocRoot(bytesOfBase64(data_boc)));
}
