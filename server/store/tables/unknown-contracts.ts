import { address, hash, integer } from "../declare/columns.js";
import { type RowOf, table } from "../declare/table.js";

export type UnknownContractRow = RowOf<typeof unknownContracts.columns>;

/** Accounts of which the classification of a trace knew nothing while blocks before it were missing. */
export const unknownContracts = table("unknown_contracts", {
  columns: {
    trace_id: hash,
    account: address,
    /** The first of the blocks that are stored without a gap up to the trace. */
    chain_from: integer,
    /** The last masterchain block of the trace. */
    mc_seqno: integer,
  },
  key: ["trace_id", "account"],
  merge: "replace",
  revertBy: { block: "mc_seqno" },
});
