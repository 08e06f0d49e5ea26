import {
  type LiteApi,
  LiteError,
  liteErrorCode,
  type MasterchainInfoExt,
} from "../../../shared/ton/lite/lite-api.js";
import type { Timers } from "../../../shared/values/timers.js";
import { pause } from "../../os/pause.js";
import { NoAnswerError } from "../no-answer-error.js";

type Following = {
  api: Pick<LiteApi, "getMasterchainInfoExt">;
  timers: Timers;
  /** Stops following. */
  signal: AbortSignal;
  /** Seqno of the server's newest known block. */
  seqno(): number | undefined;
  /** Returns whether the block is new. */
  onInfo(info: MasterchainInfoExt): boolean;
  /** A request started at `started` failed; returns the milliseconds to wait before the next one. */
  onError(error: unknown, started: number): number;
};

/** A server that reports "no new block" sooner than this did not wait for one: treated as an error. */
const minWaitMs = 1000;
const stalledMs = 3000;

/** Long-polls a server for its next masterchain block, until the signal aborts. */
export async function followHead({ api, timers, signal, ...following }: Following): Promise<void> {
  while (!signal.aborted) {
    const started = timers.now();
    const seqno = following.seqno();
    const call = { signal, ...(seqno !== undefined && { waitSeqno: seqno + 1 }) };
    let pauseMs = 0;
    try {
      const info = await api.getMasterchainInfoExt({ shardsApplied: true }, call);
      if (signal.aborted) return;
      if (!following.onInfo(info)) pauseMs = stalledMs;
    } catch (error) {
      if (signal.aborted) return;
      const waited = timers.now() - started >= minWaitMs;
      if (!(isQuiet(error) && waited)) pauseMs = following.onError(error, started);
    }
    if (pauseMs > 0) await pause(pauseMs, signal, timers);
  }
}

/** Whether the server reports that no block arrived in time. */
function isQuiet(error: unknown): boolean {
  return (
    error instanceof LiteError && error.code === liteErrorCode.timeout && !(error instanceof NoAnswerError)
  );
}
