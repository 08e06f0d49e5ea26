/**
 * Runs `count` jobs in order, at most `parallel` at once. A job that returns no promise is not awaited. After each
 * awaited job, no more jobs start if the caller has disconnected.
 */
export async function runBounded(
  count: number,
  parallel: number,
  hasGone: () => boolean,
  run: (index: number) => void | Promise<void>,
): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < count) {
      const pending = run(next++);
      if (!pending) continue;
      await pending;
      if (hasGone()) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, count) }, work));
}
