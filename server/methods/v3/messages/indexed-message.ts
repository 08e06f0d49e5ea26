import { type MessageStatus, maxShownFailures } from "../../../../shared/schema/v3/message-status.js";
import type { AnswerNames } from "../../../../shared/text/answer-names.js";
import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import { libraryHash } from "../../../../shared/ton/run/code-libraries.js";
import { ifReadable } from "../../../../shared/ton/tlb/readable.js";
import { Address } from "../../../../shared/values/address.js";
import { bytesEqual, bytesOfBase64, bytesToBase64 } from "../../../../shared/values/bytes.js";
import type { ArtifactStore } from "../../../artifacts/store.js";
import { interfacesOf } from "../../../contracts/interfaces.js";
import { abiMeaning, abiOpcodeOf, abiOperationsBut } from "../../../present/v3/abi.js";
import { readBookRows } from "../../../present/v3/answer-extras.js";
import {
  type ContractsOf,
  mayLackLibrary,
  presentFailures,
  presentOutcome,
} from "../../../present/v3/failure.js";
import { namesOf, presentBlockOf, presentTransactionRef } from "../../../present/v3/message-status.js";
import { codeOf, directions, traceStates } from "../../../store/codes.js";
import type { Queries } from "../../../store/database.js";
import { rawAddress } from "../../../store/declare/wire-forms.js";
import type { FailedTransactions, FoundMessage } from "../../../store/queries/messages/message-status.js";
import { reads } from "../../../store/reads/index-reads.js";

const complete = codeOf(traceStates, "complete");
const broken = codeOf(traceStates, "broken");
const inbound = codeOf(directions, "in");

export type AbisOf = Pick<ArtifactStore, "abisOf" | "guesses">;

type Sources = {
  names: AnswerNames;
  /** Whether a message sent by no indexed transaction was sent by none. */
  hasFullHistory?: boolean;
  artifacts: AbisOf;
};

/** The status of a message that is in an indexed block; `undefined` if the index has no message with these hashes. */
export async function indexedStatus(
  queries: Queries,
  hashes: readonly Uint8Array[],
  sources: Sources,
): Promise<MessageStatus | undefined> {
  const found = await reads.findMessage(queries, hashes);
  return found && statusOfFound(queries, found, sources);
}

async function statusOfFound(
  queries: Queries,
  { message, transaction: t, trace }: FoundMessage,
  { hasFullHistory = false, artifacts, names: known }: Sources,
): Promise<MessageStatus> {
  const names = namesOf(message);
  const isFirst = trace?.external_hash !== undefined && bytesEqual(t.hash, t.trace_id);
  const transaction = presentTransactionRef(t, isFirst);
  if (message.direction !== inbound && message.destination !== undefined)
    return { status: "pending", ...names, wallet: null, sent_by: transaction, expected: null };
  const failed = trace
    ? await reads.failedTransactions(queries, trace, maxShownFailures)
    : { transactions: [], messages: [], total: 0 };
  const failures = presentFailures(failed, await readContracts(queries, failed, artifacts), known);
  const inTrace = {
    ...names,
    transaction,
    block: presentBlockOf(t),
    mc_block_seqno: t.mc_block_seqno,
    trace_id: bytesToBase64(t.trace_id),
  };
  // A developer's message on a devnet has no sender, for which its trace would wait forever.
  const isInjected = hasFullHistory && trace?.state === broken && bytesEqual(t.hash, t.trace_id);
  const isComplete = trace?.state === complete || (isInjected && trace.pending_edges_ === 1);
  if (!trace || !isComplete)
    return {
      status: "included",
      ...inTrace,
      finality: "finalized",
      pending_messages: trace?.pending_edges_ ?? null,
      failures,
      failures_total: failed.total,
    };
  return {
    status: "completed",
    ...inTrace,
    ...presentOutcome(failed, failures, trace.nodes_),
  };
}

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
  const addresses = transactions.map(({ account }) => Address.read(rawAddress.present(account))!.address);
  const rows = await reads.readAccounts(queries, { addresses }, "both");
  return new Map(
    rows.flatMap(({ address, code_boc: boc }) => {
      const code = boc === null ? undefined : ifReadable(() => parseBocRoot(bytesOfBase64(boc)));
      return code?.type === "library" ? [[address, bytesToBase64(libraryHash(code))] as const] : [];
    }),
  );
}
