/**
 * Whether a cursor is above another one. Cursors are base64url of `c1.<mc_seqno>.<rank>.<lt>.<id>` and more; other
 * texts cannot be compared and count as above.
 */
export function isAbove(cursor: string, other: string): boolean {
  const [key, before] = [keyOf(cursor), keyOf(other)];
  if (!key || !before) return true;
  const at = key.findIndex((part, index) => part !== before[index]);
  return at >= 0 && key[at]! > before[at]!;
}

function keyOf(cursor: string): readonly (bigint | string)[] | undefined {
  const [, seqno, rank, lt, id] = /^[^.]*\.(\d+)\.(\d+)\.(\d+)\.([^.]*)/.exec(textOf(cursor)) ?? [];
  return seqno === undefined ? undefined : [BigInt(seqno), BigInt(rank!), BigInt(lt!), id!];
}

/** The text of a cursor; an empty one if it is not base64url. */
export function textOf(cursor: string): string {
  try {
    return atob(cursor.replace(/-/g, "+").replace(/_/g, "/"));
  } catch {
    // Not a cursor of this form.
    return "";
  }
}
