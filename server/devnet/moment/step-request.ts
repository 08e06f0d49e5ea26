import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { StateEdit } from "../collate/block/edits.js";
import type { Injection } from "../collate/messages/unsent-messages.js";

/** Work of a step in addition to queued messages. */
export type StepRequest = {
  /** Unix time of its blocks; raised to the last block's time if earlier. Default: the clock's time. */
  utime?: number | undefined;
  injected?: readonly Injection[];
  edits?: readonly StateEdit[];
  /** Libraries to publish. */
  libraries?: readonly Cell[];
  /** Limits the step by number of transactions only, so that its blocks do not depend on the machine's speed. */
  noTimeLimit?: boolean;
  /** Leaves all waiting messages for the next step. */
  noMessages?: boolean;
  /**
   * Omits ticks and tocks of special accounts, so that an idle chain has no transactions. Default for steps with edits.
   */
  noTicks?: boolean;
  /** Logical time before that of its blocks. Default: that of the fork's block. */
  afterLt?: bigint;
};
