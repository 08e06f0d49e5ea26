/** Keeps the rejection of a promise from counting as unhandled until it is awaited. Returns the promise. */
export function handledLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {
    // The code that awaits the promise gets the rejection.
  });
  return promise;
}

/** Resolves once the promise has settled. A rejection is for the code that awaits the promise itself. */
export function settled(promise: Promise<unknown>): Promise<void> {
  const end = () => {};
  return promise.then(end, end);
}
