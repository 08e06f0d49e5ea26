import { type LiteApi, LiteError, liteErrorCode, type MasterchainInfoExt } from "../lite-api.js";
import type { Timers } from "../timers.js";
import { pause } from "./pause.js";
import { NoAnswerError } from "./remote-lite-api.js";

export type Following = {
  api: Pick<LiteApi, "getMasterchainInfoExt">;
  timers: Timers;
  /** Ends it. */
  signal: AbortSignal;
  /** Seqno of the newest block known. */
  seqno(): number | undefined;
  /** Says whether that is news. */
  onInfo(info: MasterchainInfoExt): boolean;
  /** What failed had been started at this time; says how long to leave the server alone. */
  onError(error: unknown, started: number): number;
};

/** A server that answers sooner that no block has come is not waiting for one. */
const minWaitMs = 1000;
const stalledMs = 3000;

/** Waits for one block of a server after the other, which shows at once when it has a new one. */
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
    if (pauseMs > 0) await pause(timers, pauseMs, signal);
  }
}

/** The server says that no block has come. */
function isQuiet(error: unknown): boolean {
  return (
    error instanceof LiteError && error.code === liteErrorCode.timeout && !(error instanceof NoAnswerError)
  );
}
