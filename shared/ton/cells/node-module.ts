// Declared here because this folder compiles without the types of Node.
declare const process: { getBuiltinModule?: (name: string) => unknown } | undefined;

/**
 * A module of Node, where its code is several times faster than JavaScript; undefined elsewhere. No import, because browsers
 * have no such modules and their bundlers would look for them.
 */
export function nodeModule<T>(name: string): T | undefined {
  return typeof process === "undefined" ? undefined : (process.getBuiltinModule?.(name) as T | undefined);
}
