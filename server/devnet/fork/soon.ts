/** A function that runs the job once for all its calls within `ms` milliseconds. */
export function soon(job: () => void, ms: number): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      job();
    }, ms).unref();
  };
}
