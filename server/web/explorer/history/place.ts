/** Place in a list by logical time: how many entries of the last time have been read. */
export type Place = { readonly lt: string; readonly count: number };

/** The place after a page, whose entries have these times, newest first. Several may have one time. */
export function placeAfter(times: readonly string[], before: Place | undefined): Place | undefined {
  const lt = times.at(-1);
  if (lt === undefined) return before;
  const count = times.filter((each) => each === lt).length;
  return { lt, count: before?.lt === lt ? before.count + count : count };
}
