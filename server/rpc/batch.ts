/**
 * Runs `count` jobs, at most `parallel` at once, starting them in order; starts no more once `gone` has fired.
 * Jobs that are done at once cost no waiting.
 */
export async function runBounded(
  count: number,
  parallel: number,
  gone: AbortSignal,
  run: (index: number) => void | Promise<void>,
): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < count && !gone.aborted) {
      const pending = run(next++);
      if (pending) await pending;
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, count) }, work));
}
