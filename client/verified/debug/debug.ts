import type { LiteCall } from "../../../shared/ton/lite/lite-api.js";
import { ProofError } from "../../../shared/ton/proofs/verify/proof-error.js";
import { loggedWithin, runOfBlock, type Turns } from "../../../shared/ton/run/debug-run.js";
import { BlockRetrace } from "../../../shared/ton/run/retrace/block-retrace.js";
import { RetraceError } from "../../../shared/ton/run/retrace/retrace-error.js";
import { UnusableRun } from "../../../shared/ton/run/unusable-run.js";
import { type BlockIdExt, formatBlockId } from "../../../shared/ton/tlb/block-id.js";
import { bytesEqual, bytesToHex } from "../../../shared/values/bytes.js";
import { RpcError } from "../../errors.js";
import { bounded } from "../bounded-call.js";
import type { RunPool } from "../executor/run-pool.js";
import { TvmError } from "../executor/tvm-error.js";
import type { AskClaim } from "../proven-ask.js";
import type { ProvenReads } from "../proven-reads.js";
import { AccountRuns } from "./account-runs.js";
import { DebuggedRun } from "./debugged-run.js";
import { type AskedPlace, placeOf } from "./place.js";
import { ProvenRetraceReads } from "./retrace-reads.js";
import type { DebuggedTransaction, DebugTransactionParams } from "./types.js";

type Parts = { reads: ProvenReads; claims: AskClaim; pool: RunPool };

/** After so long, work lets the page do other things. */
const sliceMs = 30;

/** Runs a transaction of the chain again, on proven inputs. A run that differs from the chain's is a result, too. */
export async function debug(
  params: DebugTransactionParams,
  { reads, claims, pool }: Parts,
  given: LiteCall,
): Promise<DebuggedTransaction> {
  const call = bounded(given);
  const place = await placeOf(params, claims, call);
  const reader = new ProvenRetraceReads(reads, call);
  const retrace = new BlockRetrace({ reader, executor: new AccountRuns(pool), isRefusal });
  const turns = pageTurns();
  try {
    const block = await retrace.find(place, call);
    await checkPlace(place, block, reader);
    return await DebuggedRun.of(async (withStacks) => {
      const { result, isLost } = await loggedWithin({ withStacks, isTooDear }, (log) =>
        retrace.block({ ...place, block }, { force: true, log }),
      );
      const run = await runOfBlock(result, place.address, isLost, turns);
      if (run.givenLt !== place.lt)
        throw new RpcError("conflict", "an earlier transaction of the account in the block cannot be run");
      return run;
    }, turns);
  } catch (error) {
    throw error instanceof RetraceError ? refusalOf(error) : error;
  }
}

/** The block has the transaction that is meant. */
async function checkPlace(
  { address, lt, hash, isClaimed }: AskedPlace,
  block: BlockIdExt,
  reader: ProvenRetraceReads,
): Promise<void> {
  if (!hash) return;
  const all = await reader.accountTransactions(block, address);
  const proven = all.find(({ transaction }) => transaction.lt === lt)?.cell.hash();
  if (proven && bytesEqual(proven, hash)) return;
  if (!isClaimed) throw new RpcError("absent", "the account has no transaction of this hash at this time");
  const texts = { claimed: bytesToHex(hash), proven: proven ? bytesToHex(proven) : "nothing" };
  throw new ProofError(
    `transaction.hash: ${formatBlockId(block)} has ${texts.proven} at ${lt}, not ${texts.claimed}`,
    { method: "debug", field: "transaction.hash", ...texts, block },
  );
}

function pageTurns(): Turns {
  let began = performance.now();
  return async (work) => {
    if (performance.now() - began > sliceMs) {
      await new Promise((resolve) => setTimeout(resolve));
      began = performance.now();
    }
    return work();
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof UnusableRun || (error instanceof TvmError && error.reason === "refused");
}

/** A log may take more memory than the emulator has. */
function isTooDear(error: unknown): boolean {
  return error instanceof TvmError && error.reason === "broken";
}

function refusalOf({ kind, message, cause }: RetraceError): RpcError {
  // A service that does not give a block has not proven that there is none.
  if (kind === "absent" && cause)
    return new RpcError("unavailable", "unproven: the service does not give the block of the transaction", {
      cause,
    });
  if (kind === "absent" || kind === "state-unavailable") return new RpcError("absent", message, { cause });
  return new RpcError("conflict", message, { cause });
}
