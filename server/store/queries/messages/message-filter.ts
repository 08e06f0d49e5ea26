import type { Address } from "../../../../shared/values/address.js";
import type { directions } from "../../codes.js";
import type { TimeBounds } from "../../sql/where.js";
import { type Axis, type Bounds, timesOf } from "../slots/slot-windows.js";

/** Members are named like the parameters; `null` stands for no address. */
export type MessageListFilter = TimeBounds & {
  msg_hash?: readonly Uint8Array[] | undefined;
  body_hash?: Uint8Array | undefined;
  source?: Address | null | undefined;
  destination?: Address | null | undefined;
  opcode?: number | undefined;
  direction?: (typeof directions)[number] | undefined;
  exclude_externals?: boolean | undefined;
  only_externals?: boolean | undefined;
};

/** Bounds on the axis of the order. */
export function boundsOf(bounds: TimeBounds, byTime: boolean): Bounds & { axis: Axis } {
  return byTime ? timesOf(bounds) : { axis: "message_lt", from: bounds.start_lt, to: bounds.end_lt };
}
