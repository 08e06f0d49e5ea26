import type { ClaimedValues, Subject } from "../parts/claim.js";
import { hexOf } from "../parts/hash.js";

/** Values that a page shows. */
export type Claim = { readonly subject: Subject; readonly values: ClaimedValues };

/** Proven values by name. */
export type ProvenValues = Readonly<Record<string, string>>;

export type Difference = { readonly name: string; readonly claimed: string; readonly proven: string };

/** The claim of an attribute `data-claim`. */
export function readClaim(text: string): Claim {
  const [subject, values] = JSON.parse(text) as [Subject, ClaimedValues];
  return { subject, values };
}

/** Values that differ from what is proven. A value that no proof has differs too. */
export function differences({ values }: Claim, proven: ProvenValues): Difference[] {
  return Object.entries(values)
    .map(([name, value]) => ({
      name,
      claimed: String(value ?? ""),
      proven: ownValue(proven, name) ?? "nothing",
    }))
    .filter(({ claimed, proven: known }) => !isSame(claimed, known));
}

const hashForm = /^([\da-f]{64}|[\w+/-]{43}=)$/i;

/** Hashes are written in several ways. */
function isSame(claimed: string, proven: string): boolean {
  if (claimed === proven) return true;
  return hashForm.test(claimed) && hashForm.test(proven) && hexOf(claimed) === hexOf(proven);
}

const names: Readonly<Record<string, string>> = {
  balance: "balance",
  state: "state",
  suspended: "suspension",
  last_lt: "logical time of the last transaction",
  last_hash: "last transaction",
  code: "code",
  data: "data",
  code_hash: "hash of the code",
  data_hash: "hash of the data",
  frozen_hash: "hash of the frozen state",
  now: "time",
  total_fees: "fees",
  fee: "fees",
  lt: "logical time",
  prev_trans_hash: "previous transaction",
  orig_status: "status before",
  end_status: "status after",
  state_before: "state before",
  state_after: "state after",
  in_hash: "incoming message",
  in_value: "amount received",
  gen_utime: "time",
  root_hash: "root hash",
  file_hash: "file hash",
  start_lt: "first logical time",
  end_lt: "last logical time",
  prev_key_block_seqno: "key block before",
  min_ref_mc_seqno: "least masterchain block",
  catchain_seqno: "catchain",
  validator_list_hash_short: "list of validators",
  is_key_block: "whether it is a key block",
  global_id: "id of the network",
  count: "number of entries",
};

/** Names of values may come from a service. */
function ownValue(values: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** The name of a value in words. */
export function nameOfValue(name: string): string {
  const known = ownValue(names, name);
  if (known !== undefined) return known;
  const [, index, part] = /^out(\d+)_(\w+)$/.exec(name) ?? [];
  if (index !== undefined)
    return `${part === "value" ? "amount" : (part ?? "")} of outgoing message ${Number(index) + 1}`;
  return name.replaceAll("_", " ");
}
