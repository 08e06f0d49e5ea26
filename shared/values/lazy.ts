/** Creates a value on first use. */
// Module state: a constant that is made when it is first needed.
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
