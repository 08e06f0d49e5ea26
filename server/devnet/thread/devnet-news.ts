import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { Listeners } from "../../../shared/values/listeners.js";
import type { Fallback } from "../../observe/fallback.js";
import { errorOf } from "../../os/channel/failure.js";
import type { DevnetSetup } from "../control/setup.js";
import { type DevnetEvents, errors, type LogLine } from "./protocol.js";

/** Receives the failures of a devnet. */
export type DevnetReports = {
  onError: (error: Error) => void;
  fallback: Fallback;
  onLog?: ((line: LogLine) => void) | undefined;
};

/** The events of a devnet in another thread or process, for listeners in this one. */
export class DevnetNews {
  readonly heads = new Listeners<BlockIdExt>();
  readonly reverts = new Listeners<number>();
  readonly accepted = new Listeners<{ message: Uint8Array; ignoresSignatures: boolean }>();
  readonly dropped = new Listeners<Uint8Array>();
  readonly setups = new Listeners<DevnetSetup>();
  readonly degraded = new Listeners<string | undefined>();
  readonly handlers: DevnetEvents;
  /** The seqno of the newest block. */
  newest = 0;
  setup: DevnetSetup = { conditions: { latencyMs: 0, failRate: 0 }, names: {} };
  degradedReason: string | undefined;

  constructor({ onError, fallback, onLog }: DevnetReports) {
    this.handlers = {
      head: (head) => {
        this.newest = head.seqno;
        this.heads.notify(head);
      },
      reverted: (mcSeqno) => this.reverts.notify(mcSeqno),
      accepted: (message) => this.accepted.notify(message),
      dropped: (message) => this.dropped.notify(message),
      setup: (setup) => {
        this.setup = setup;
        this.setups.notify(setup);
      },
      degraded: (reason) => {
        this.degradedReason = reason;
        this.degraded.notify(reason);
        if (reason !== undefined) onError(new Error(reason));
      },
      fallback: ({ reason, failure }) => fallback(reason, errorOf(failure, errors)),
      log: (line) => onLog?.(line),
      error: (failure) => onError(errorOf(failure, errors)),
    };
  }
}
