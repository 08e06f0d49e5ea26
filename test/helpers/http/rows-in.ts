/** The list in an answer: the answer itself, or the first member that is one. */
export function rowsIn(answer: unknown): unknown[] {
  return [answer, ...Object.values(answer as object)].find(Array.isArray) ?? [];
}
