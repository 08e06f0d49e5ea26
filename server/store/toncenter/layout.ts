import type { Layout } from "../layout.js";
import { accountReads } from "./accounts.js";
import { actionReads } from "./actions.js";
import { balanceReads } from "./balance-changes.js";
import { blockReads } from "./blocks.js";
import { contractReads } from "./contracts.js";
import { jettonReads } from "./jettons.js";
import { statusReads } from "./message-status.js";
import { messageReads } from "./messages.js";
import { nftReads } from "./nfts.js";
import { tokenEventReads } from "./token-events.js";
import { type TokenOptions, tokenReads } from "./tokens.js";
import { traceReads } from "./traces.js";
import { transactionReads } from "./transactions.js";

/** The database of TON Center's indexer, ton-indexer, which is only read. */
export function toncenterLayout(options: TokenOptions): Layout {
  return {
    reads: {
      ...accountReads,
      ...actionReads,
      ...balanceReads,
      ...blockReads,
      ...contractReads,
      ...jettonReads,
      ...messageReads,
      ...nftReads,
      ...statusReads,
      ...tokenEventReads,
      ...tokenReads(options),
      ...traceReads,
      ...transactionReads,
    },
    // The newest masterchain block counts as the version.
    versionSql: "(select seqno || ' ' || seqno from blocks where workchain = -1 order by seqno desc limit 1)",
    lack: "the service reads a database of TON Center, which does not have the data for this call",
  };
}
