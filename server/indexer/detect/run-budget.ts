import { LRUCache } from "lru-cache";

/** Gas above which a run is costly. Get-methods of tokens use some thousands, rarely tens of thousands. */
const costlyGas = 200_000;
/** Costly runs in a batch: of one code, and of all codes together. */
const costlyPerCode = 2;
const costlyPerBatch = 50;
/** A code is proven by as many cheap runs for each costly one. */
const cheapPerCostly = 16;
/** A code is left out of at most this many batches before it is tried again. */
const longestPause = 1024;
const cachedCodes = 10_000;

/** What a code has cost; `pausedTo` is the last batch it is left out of. */
type Record = { cheap: number; costly: number; pause: number; pausedTo: number };

/** What codes, by their keys, may still run in a batch. */
export type BatchBudget = {
  mayRun(code: string): boolean;
  /** Notes a run. One that timed out or crashed counts as one that burnt infinite gas. */
  ran(code: string, gasUsed: number): void;
};

/**
 * Bounds what get-methods cost that burn their gas. A code with two costly runs in a batch is left out of the rest of it,
 * then of twice as many batches each time. Once a batch has had many costly runs, only proven code is run. So hostile
 * contracts cost each batch a bounded time, and contracts of proven code are never left out because of them.
 */
export class RunBudget {
  readonly #records = new LRUCache<string, Record>({ max: cachedCodes });
  #batches = 0;

  /** The budget of the next batch. */
  begin(): BatchBudget {
    const batch = ++this.#batches;
    const costly = new Map<string, number>();
    let allCostly = 0;
    return {
      mayRun: (code) => {
        const record = this.#records.get(code);
        if (record && isProven(record)) return true;
        if (record && record.pausedTo >= batch) return false;
        return allCostly < costlyPerBatch && (costly.get(code) ?? 0) < costlyPerCode;
      },
      ran: (code, gasUsed) => {
        const record = this.#records.get(code) ?? { cheap: 0, costly: 0, pause: 0, pausedTo: 0 };
        this.#records.set(code, record);
        if (gasUsed <= costlyGas) {
          record.cheap++;
          return;
        }
        allCostly++;
        record.costly++;
        const count = (costly.get(code) ?? 0) + 1;
        costly.set(code, count);
        if (count !== costlyPerCode) return;
        record.pause = Math.min(longestPause, Math.max(1, 2 * record.pause));
        record.pausedTo = batch + record.pause;
      },
    };
  }
}

function isProven({ cheap, costly }: Record): boolean {
  return cheap >= cheapPerCostly * Math.max(1, costly);
}
