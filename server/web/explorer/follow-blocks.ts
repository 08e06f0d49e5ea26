import { isRpcError } from "../../../client/errors.js";
import type { ViewContext } from "./view.js";

/** Polling interval without a stream. */
const pollMs = 3000;
/** Minimum interval between updates: blocks may come faster than a person reads. */
const leastMs = 700;

type BlockListener = {
  /** Called when something may have changed. */
  readonly onBeat: () => Promise<void>;
  /** `live`: a stream announces blocks; `polling`: the chain is polled; `lost`: calls fail. */
  readonly onState: (state: "live" | "polling" | "connecting" | "lost", error?: unknown) => void;
  /** Called when a devnet was reverted. */
  readonly onReverted?: () => void;
};

/**
 * Runs a listener with every new block until the user leaves the view, from the stream of blocks or else by polling.
 * Reads nothing while the page is hidden.
 */
export function followBlocks(context: ViewContext, { onBeat, onState, onReverted }: BlockListener): void {
  const { signal, indexed } = context;
  let wake: () => void = () => {};
  let isDue = false;
  const beat = () => {
    isDue = true;
    wake();
  };
  let shownState: "live" | "polling" | "connecting" = indexed ? "connecting" : "polling";
  const follow = async () => {
    try {
      const options = {
        signal,
        onReset: () => {
          onReverted?.();
          beat();
        },
        onStatus: (status: string) => showState(status === "connecting" ? "connecting" : "live"),
      };
      for await (const _ of context.live.blocks(options)) beat();
    } catch (error) {
      if (!isRpcError(error, "aborted")) showState("polling");
    }
  };
  const showState = (state: typeof shownState) => {
    if (signal.aborted || shownState === state) return;
    shownState = state;
    onState(state);
    beat();
  };
  const pause = (ms: number, isEndedByBeat: boolean) =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener("abort", end);
      wake = isEndedByBeat ? end : () => {};
    });
  const run = async () => {
    onState(shownState);
    while (!signal.aborted) {
      await pause(leastMs, false);
      // With a live stream, poll less often: the poll only detects a silent stream.
      if (!isDue) await pause(shownState === "live" ? 10 * pollMs : pollMs, true);
      isDue = false;
      if (signal.aborted) return;
      if (document.hidden) {
        await becomesVisible(signal);
        continue;
      }
      try {
        await onBeat();
        if (isLost) onState(shownState);
        isLost = false;
      } catch (error) {
        if (signal.aborted) return;
        isLost = true;
        onState("lost", error);
      }
    }
  };
  let isLost = false;
  if (indexed) void follow();
  void run();
}

function becomesVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    document.addEventListener("visibilitychange", () => resolve(), { once: true, signal });
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
