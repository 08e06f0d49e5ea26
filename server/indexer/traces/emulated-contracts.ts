import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { RunCall } from "../../chain/run/method-runner.js";
import type { ExpectedTrace } from "../../chain/run/trace-emulator.js";
import { addressToBytes } from "../../store/address-bytes.js";
import type { Table } from "../../store/declare/table.js";
import { actionContractOf } from "../../store/queries/traces/action-contracts.js";
import { tables } from "../../store/tables/all-tables.js";
import type { UnstoredContracts } from "../classify/known-contracts.js";
import { type FinalAccountState, finalAccountState } from "../decode/account.js";
import { contractMethods } from "../decode/contract-methods.js";
import { keyOf } from "../hash-key.js";
import type { Detection } from "../recognition/detection.js";

/** A contract recognised in an emulated state. */
export type EmulatedContract = { table: Table; row: object };

/** Not the index's detection: costs of contracts here must not affect what the index recognises. */
export type EmulatedDetection = Pick<Detection, "recogniseKnown" | "resolveLibraries">;

/** The last known account states of a trace. */
export function lastStates({ transactions }: Pick<ExpectedTrace, "transactions">): FinalAccountState[] {
  const last = new Map<string, FinalAccountState>();
  for (const { address, transaction, after } of transactions) {
    if (!after) continue;
    const { lt, now } = transaction.value;
    const facts = {
      address,
      hash: after.cell.hash(),
      timestamp: now,
      lastTransaction: { lt, hash: transaction.cell.hash() },
    };
    last.set(address.toRaw(), finalAccountState(after.value, facts));
  }
  return [...last.values()];
}

/** Account states after a trace emulated on a block. */
export type EmulatedStates = { accounts: readonly FinalAccountState[]; block: BlockIdExt };

/** Recognises contracts in the states after a trace emulated on a block. */
export async function recogniseEmulated(
  detection: EmulatedDetection,
  { accounts, block }: EmulatedStates,
  call: RunCall,
): Promise<EmulatedContract[]> {
  const codes = new Map<string, Cell>();
  for (const { code } of accounts) if (code?.cell) codes.set(keyOf(code.hash), code.cell);
  await detection.resolveLibraries(codes);
  const methods = new Map(Array.from(codes, ([key, code]) => [key, contractMethods(code)]));
  return detection.recogniseKnown({ block, accounts, methods, call });
}

/** Contracts of a trace that are not in the index. */
export function contractsOfTrace(
  accounts: readonly FinalAccountState[],
  found: readonly EmulatedContract[],
): UnstoredContracts {
  const states = accounts.map(({ state }) => ({ table: tables.latestAccountStates, row: state }));
  const data = new Map(accounts.map(({ address, data }) => [keyOf(addressToBytes(address)), data]));
  return {
    chainFrom: 1,
    contracts: [...found, ...states].flatMap(({ table, row }) => actionContractOf(table, row) ?? []),
    dataOf(account) {
      const cell = data.get(keyOf(account))?.cell;
      return cell && serializeBoc(cell);
    },
    isQueued: () => false,
    historyOf: () => undefined,
  };
}
