import { Fault, input } from "../input.js";

const intervals = ["block", "day"] as const;

/** How far apart the balances of a history are. */
export const interval = input<string, (typeof intervals)[number]>(
  { type: "string", enum: intervals },
  (given) =>
    intervals.find((each) => each === given) ??
    new Fault("range", () => `interval should be one of: ${intervals.join(", ")}`),
);
