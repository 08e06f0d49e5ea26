/** Runs `count` jobs, at most `parallel` at once, starting them in order; starts no more once `gone` has fired. */
export async function runBounded(
  count: number,
  parallel: number,
  gone: AbortSignal,
  run: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < count && !gone.aborted) await run(next++);
  };
  await Promise.all(Array.from({ length: Math.min(parallel, count) }, work));
}
