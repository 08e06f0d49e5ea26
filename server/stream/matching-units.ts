import { rawAddressToBytes } from "../store/address-bytes.js";
import type { Queries } from "../store/database.js";
import { type UnitConcern, unitsOfAccounts } from "../store/queries/blocks/units-of-accounts.js";
import type { Filter, SubscribedType } from "./subscriptions/filter.js";

/** Tables checked to see if a block affects a watched account. Block events affect every subscription. */
const concerns: Readonly<Record<SubscribedType, UnitConcern | undefined>> = {
  block: undefined,
  message: undefined,
  transaction: "transactions",
  account: "transactions",
  account_state_change: "transactions",
  jetton: "jettonWallets",
  jettons_change: "jettonWallets",
  transactions: "traces",
  trace: "traces",
  trace_record: "traces",
  actions: "actions",
  action: "actions",
};

const stateTypes: ReadonlySet<SubscribedType> = new Set(["account", "account_state_change"]);
/** Up to this number of accounts, searching for their blocks is cheaper than reading all blocks. */
const maxAccounts = 100;
/** Blocks searched at first; the width grows while none is found. */
const firstWidth = 16;
const growth = 8;

/** Finds the masterchain blocks that may match a filter of few accounts, through the account indexes. */
export class MatchingUnits {
  readonly #accounts: readonly Uint8Array[];
  readonly #concerns: readonly UnitConcern[];
  #width = firstWidth;
  /** Matching blocks, ascending, up to `#searched`. */
  #found: number[] = [];
  #searched = 0;

  private constructor(accounts: readonly Uint8Array[], own: readonly UnitConcern[]) {
    this.#accounts = accounts;
    this.#concerns = own;
  }

  /** `undefined` if all blocks have to be read. `hasEdits`: accounts may change without a transaction. */
  static of({ types, addresses, traces, requires }: Filter, hasEdits: boolean): MatchingUnits | undefined {
    const isNarrow = requires ? requires.has("accounts") : traces.size === 0;
    if (!isNarrow || addresses.size > maxAccounts) return undefined;
    const own = new Set<UnitConcern>();
    for (const type of types) {
      const concern = concerns[type];
      // Blocks with account edits are in no index.
      if (concern === undefined || (hasEdits && stateTypes.has(type))) return undefined;
      own.add(concern);
    }
    return new MatchingUnits(Array.from(addresses, rawAddressToBytes), [...own]);
  }

  /** The first matching block in the range; the one after `newest` if there is none. */
  async next(queries: Queries, from: number, newest: number): Promise<number> {
    for (;;) {
      const known = this.#found.find((seqno) => seqno >= from);
      if (known !== undefined) return known;
      const first = Math.max(from, this.#searched + 1);
      if (first > newest) return newest + 1;
      await this.#search(queries, { first, last: Math.min(newest, first + this.#width - 1) });
    }
  }

  async #search(queries: Queries, span: { first: number; last: number }): Promise<void> {
    let { last } = span;
    const found = new Set<number>();
    for (const concern of this.#concerns) {
      const each = await unitsOfAccounts(queries, this.#accounts, concern, span);
      last = Math.min(last, each.last);
      for (const seqno of each.units) found.add(seqno);
    }
    this.#found = [...found].filter((seqno) => seqno <= last).sort((a, b) => a - b);
    this.#searched = last;
    if (this.#found.length === 0) this.#width *= growth;
  }
}
