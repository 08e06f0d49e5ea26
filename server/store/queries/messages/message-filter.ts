import type { TimeBounds } from "../../sql/where.js";
import { type Axis, type Bounds, timesOf } from "../slots/slot-windows.js";
import type { MessageFilter } from "../transactions/transaction-filter.js";

/** Members are named like the parameters. */
export type MessageListFilter = TimeBounds &
  MessageFilter & {
    exclude_externals?: boolean | undefined;
    only_externals?: boolean | undefined;
  };

/** Bounds on the axis of the order. */
export function boundsOf(bounds: TimeBounds, byTime: boolean): Bounds & { axis: Axis } {
  return byTime ? timesOf(bounds) : { axis: "message_lt", from: bounds.start_lt, to: bounds.end_lt };
}
