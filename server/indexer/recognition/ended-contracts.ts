import { groupBy } from "../../../shared/values/groups.js";
import { itemAt } from "../../../shared/values/lookups.js";
import type { Queries } from "../../store/database.js";
import { keyOf } from "../hash-key.js";
import type { RowBatch } from "../rows/row-batch.js";
import { addFound, type Detection, type Found } from "./detection.js";
import type { MethodsByCode } from "./detector.js";
import type { BatchBudget } from "./recognition-budget.js";

type Ended = {
  batch: Pick<RowBatch, "endedContracts" | "rows">;
  methods: MethodsByCode;
  /** Contracts recognised at the end of the batch; they take precedence. */
  found: readonly Found[];
  budget: BatchBudget;
};

/**
 * Adds the rows of contracts that ended within a batch, as of their last blocks, so that the result does not depend on
 * batch boundaries. Returns them.
 */
export async function detectEnded(
  detection: Detection,
  queries: Queries,
  { batch, methods, found, budget }: Ended,
): Promise<Found[]> {
  const known = new Set(found.map(nameOf));
  const added: Found[] = [];
  // If an account ended more than once, its last state counts.
  const blocks = groupBy(batch.endedContracts.toReversed(), ({ seenAt }) => keyOf(seenAt.rootHash));
  for (const accounts of blocks.values()) {
    const block = itemAt(accounts, 0).seenAt;
    for (const each of await detection.recognise(queries, { block, accounts, methods, budget })) {
      const name = nameOf(each);
      if (known.has(name)) continue;
      known.add(name);
      addFound(batch.rows, each);
      added.push(each);
    }
  }
  return added;
}

const nameOf = ({ table, account }: Found) => `${table.name} ${keyOf(account.state.account)}`;
