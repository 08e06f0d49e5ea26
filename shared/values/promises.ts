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

export type Resolvers<T> = {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
};

/** A promise that is settled from outside. Node has `Promise.withResolvers` from version 22 on. */
export function withResolvers<T>(): Resolvers<T> {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
