import { systemTimers, type Timers } from "../../shared/values/timers.js";

/** How long attempts may go on after the first one that succeeded. */
const graceMs = 1000;

/** Outcomes of attempts. Once one has succeeded, the others count only if they end soon: one that hangs stops nothing. */
export function settledInTime<T>(
  attempts: readonly Promise<T>[],
  timers: Pick<Timers, "after"> = systemTimers,
): Promise<PromiseSettledResult<T>[]> {
  const outcomes: PromiseSettledResult<T>[] = [];
  return new Promise((resolve) => {
    let stop: (() => void) | undefined;
    const end = () => {
      stop?.();
      resolve([...outcomes]);
    };
    const take = (outcome: PromiseSettledResult<T>) => {
      outcomes.push(outcome);
      if (outcomes.length === attempts.length) end();
      else if (outcome.status === "fulfilled") stop ??= timers.after(graceMs, end);
    };
    for (const attempt of attempts)
      attempt.then(
        (value) => take({ status: "fulfilled", value }),
        (reason: unknown) => take({ status: "rejected", reason }),
      );
  });
}
