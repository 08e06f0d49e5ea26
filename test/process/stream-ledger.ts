/** A final event: its cursor, the masterchain block in it, and its record. */
export type Kept = { readonly cursor: string; readonly seqno: number; readonly event: unknown };

/** A subscriber's final events, stored as a client of the documented protocol stores them. */
export class Ledger {
  /** Final events that are not void, in the order of their arrival. */
  kept: Kept[] = [];
  /** Final events that arrived, void ones included. */
  received = 0;
  reverts = 0;

  add(cursor: string, event: unknown): void {
    this.received++;
    this.kept.push({ cursor, seqno: seqnoOf(cursor), event });
  }

  /** Everything above a masterchain block is void. */
  revert(seqno: number): void {
    this.reverts++;
    this.kept = this.kept.filter((each) => each.seqno <= seqno);
  }

  get cursors(): string[] {
    return this.kept.map(({ cursor }) => cursor);
  }

  /** Cursors that came again, or in a block below the one before. */
  get disorder(): string[] {
    const isLate = ({ cursor, seqno }: Kept, at: number) =>
      seqno < (this.kept[at - 1]?.seqno ?? 0) || this.cursors.indexOf(cursor) < at;
    return this.kept.filter(isLate).map(({ cursor }) => cursor);
  }
}

/** The masterchain block of a cursor, which is `c1.<seqno>.…` in base64url. */
export function seqnoOf(cursor: string): number {
  return Number(Buffer.from(cursor, "base64url").toString().split(".")[1]);
}
