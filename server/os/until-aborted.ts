/** The result of a promise, unless the caller goes before: then the error for the reason, by default the reason itself. */
export function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  errorOf: (reason: unknown) => unknown = (reason) => reason,
): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const leave = () => reject(errorOf(signal.reason));
    const stay = () => signal.removeEventListener("abort", leave);
    promise.then(resolve, reject);
    promise.then(stay, stay);
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
  });
}
