import type { TrustProgress } from "../../../shared/ton/proofs/verify/trust/sync-progress.js";
import { formatShard } from "../../../shared/ton/tlb/block-id.js";
import type { ForkStatus } from "../../devnet/fork/fork-status.js";
import type { BootstrapProgress } from "../../indexer/bootstrap/bootstrap.js";
import type { RedetectionProgress } from "../../indexer/follow/redetect.js";
import type { BackfillProgress } from "../../indexer/work/progress.js";
import { presentFork } from "../../methods/devnet/present-fork.js";
import { type HealthReport, type ReasonOrText, reasonText } from "../../observe/health.js";
import { presentGaps } from "../../present/v3/gaps.js";
import type { BootstrappedState } from "../../store/queries/upkeep/bootstraps.js";
import type { IndexStatus } from "../index/index-part.js";
import type { LiteserversStatus } from "../network/liteserver-pool.js";

/** The liteservers in the spelling of `/status`. */
export function liteserversStatus({ source, head, servers, trust }: LiteserversStatus) {
  return {
    source,
    head: head && { seqno: head.seqno, age_sec: head.ageSec },
    servers: servers.map(({ bannedUntil, latencyMs, inFlight, lastError, ...server }) => ({
      ...server,
      banned_until: bannedUntil,
      latency_ms: latencyMs,
      in_flight: inFlight,
      last_error: lastError,
    })),
    trust: trust && {
      key_block: trust.keyBlock,
      head: trust.head,
      progress: trust.progress && progressStatus(trust.progress),
    },
  };
}

function progressStatus({ keyBlock, ...progress }: TrustProgress) {
  return { key_block: keyBlock, ...progress };
}

/** The parts whose calls are answered, or why they are not, and why answers are worse than usual. */
export function healthStatus({ parts, startup, degraded }: HealthReport) {
  const text = (reason: ReasonOrText) => reasonText(reason, "operator");
  return {
    answers: Object.fromEntries(
      [...parts].map(([part, reason]) => [part, reason === undefined ? "OK" : text(reason)]),
    ),
    degraded: [startup, ...degraded].filter((reason) => reason !== undefined).map(text),
  };
}

/** The fork as a member of `/status`. */
export function forkStatusOf(fork: ForkStatus | undefined) {
  if (!fork) return {};
  const { block, utime } = fork;
  // The index has nothing of the network before it.
  return { fork: { ...presentFork(fork), v3_history_since: { seqno: block.seqno, utime } } };
}

/** The index as members of `/status`; `index` is null without an index. */
export function indexStatus(status: IndexStatus | undefined) {
  if (!status) return { index: null };
  const { role, progress, backfill, queue, gaps, first, states, standbys } = status;
  const { seqno, chainSeqno, lagSec, blocksPerSec, remainingSec = null, failure = null } = progress;
  return {
    index: {
      role,
      seqno,
      chain_seqno: chainSeqno,
      ...(lagSec !== undefined && { lag_sec: lagSec }),
      blocks_per_sec: blocksPerSec,
      remaining_sec: remainingSec,
      failure,
      ...(queue && { queued_accounts: queue.length, oldest_queued_sec: queue.oldestSec }),
      history_from: first ?? null,
      gaps: presentGaps(gaps),
      ...(states.length > 0 && { states: states.map(stateStatus) }),
      ...(standbys.length > 0 && { standbys: standbys.map(standbyStatus) }),
    },
    ...(backfill && { backfill: backfillStatus(backfill) }),
  };
}

/** A state whose accounts are stored, with the last masterchain block whose changes are all in it. */
function stateStatus({ workchain, shard, seqno, mc_seqno, accounts, done }: BootstrappedState) {
  return { workchain, shard: formatShard(BigInt.asUintN(64, shard)), seqno, mc_seqno, accounts, done };
}

function standbyStatus({ name, state, lagMs }: IndexStatus["standbys"][number]) {
  return { name, state, lag_ms: Math.round(lagMs) };
}

/** Progress of a backfill, in the spelling of `/status`. */
export function backfillStatus(progress: BackfillProgress) {
  const { blocks, missing, blocksPerSec, remainingSec = null } = progress;
  return { blocks, missing, blocks_per_sec: blocksPerSec, remaining_sec: remainingSec };
}

/** Progress of a bootstrap, in the same spelling. */
export function bootstrapStatus({ of, all, missing, perSec, remainingSec }: BootstrapProgress) {
  return { of, all, missing, per_sec: perSec, remaining_sec: remainingSec ?? null };
}

/** Progress of a redetection, in the same spelling. */
export function redetectionStatus({ accounts, missing, accountsPerSec, remainingSec }: RedetectionProgress) {
  return { accounts, missing, accounts_per_sec: accountsPerSec, remaining_sec: remainingSec ?? null };
}
