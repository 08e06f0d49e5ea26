import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import { foundIn } from "../../../shared/values/lookups.js";
import type { RowSet } from "../../store/copy/row-set.js";
import { TokenEventRows } from "../../store/copy/token-event-rows.js";
import type { Transaction } from "../../store/database.js";
import { holdSlots } from "../../store/queries/slots/slots.js";
import { lockRequests, type QueuedAccount } from "../../store/queries/upkeep/recognition-queue.js";
import { greatest, least } from "../../store/sql/where.js";
import type { Found } from "../recognition/detection.js";
import { requestOpcodes } from "../rows/token-request.js";
import { RecognisedTokens } from "./recognised-tokens.js";
import { addTokenEvent } from "./token-events.js";

type Recognised = { entry: QueuedAccount; found: readonly Found[] };

/** Adds the events of token contracts recognised after the blocks of their transactions were stored. */
export async function addLateEvents(
  transaction: Transaction,
  rows: RowSet,
  recognised: readonly Recognised[],
): Promise<void> {
  const tokens = new RecognisedTokens(recognised.flatMap(({ found }) => found));
  const spans = recognised
    .map(({ entry }) => entry.queued)
    .filter(({ account }) => {
      const { wallet, item } = tokens.at(account);
      return wallet !== undefined || item !== undefined;
    });
  if (spans.length === 0) return;
  const requests = await lockRequests(transaction, requestOpcodes, spans);
  const lts = requests.map(({ t }) => t.lt);
  if (lts.length === 0) return;
  const slots = await holdSlots(transaction, least(lts), greatest(lts));
  const slotOf = (lt: bigint) => foundIn(slots, ({ from_lt, to_lt }) => from_lt <= lt && lt < to_lt).from_lt;
  const events = new TokenEventRows(rows, slotOf);
  for (const { t, m, b } of requests) {
    // A body that was never stored yields no event.
    if (!m.source || !b) continue;
    const request = { transaction: t, sender: m.source, body: parseBocRoot(b.body) };
    addTokenEvent(request, tokens.at(t.account), events);
  }
}
