/**
 * Runs `count` jobs, at most `parallel` at once, starting them in order. Jobs that are done at once cost no
 * waiting; after one that was waited for, no more are started when the caller has gone.
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
