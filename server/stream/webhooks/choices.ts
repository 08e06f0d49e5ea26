import type { Webhook } from "../../../shared/schema/streams/webhook-records.js";
import { opcodeHex } from "../../store/declare/wire-forms.js";
import type { StoredChoice, WebhookRow } from "../../store/queries/kept/webhooks.js";
import type { RecordChoice } from "../subscriptions/record-filter.js";

/** A choice as JSON. Empty lists are kept distinct from absent ones: they match nothing. */
export function storedChoice({ accounts, jettons, opcodes, traces: _, ...rest }: RecordChoice): StoredChoice {
  return JSON.parse(
    JSON.stringify({
      ...rest,
      accounts: accounts && [...accounts],
      jettons: jettons && [...jettons],
      opcodes: opcodes && [...opcodes],
    }),
  ) as StoredChoice;
}

type Stored = Omit<RecordChoice, "accounts" | "jettons" | "opcodes" | "traces"> & {
  readonly accounts?: readonly string[];
  readonly jettons?: readonly string[];
  readonly opcodes?: readonly number[];
};

/** The choice of a stored webhook. */
export function choiceIn(stored: StoredChoice): RecordChoice {
  // Written by `storedChoice` only.
  const { accounts, jettons, opcodes, ...rest } = stored as unknown as Stored;
  return {
    ...rest,
    accounts: accounts && new Set(accounts),
    jettons: jettons && new Set(jettons),
    opcodes: opcodes && new Set(opcodes),
    traces: undefined,
  };
}

/** A webhook as its owner sees it. */
export function webhookRecord(row: WebhookRow): Webhook {
  const { accounts, jettons, opcodes, ...rest } = row.choice as unknown as Stored;
  return {
    id: row.id,
    url: row.url,
    ...(rest as Pick<Webhook, "kind" | "finality" | "include">),
    ...(accounts && { accounts: [...accounts] }),
    ...(jettons && { jetton_masters: [...jettons] }),
    ...(opcodes && { opcodes: opcodes.map((opcode) => opcodeHex.present(opcode)) }),
    cursor: row.cursor,
    created_at: seconds(row.created_at),
    paused: row.paused,
    failing_since: row.failing_since === null ? null : seconds(row.failing_since),
    failure: row.failure,
    next_attempt_at: row.next_attempt_at === null ? null : seconds(row.next_attempt_at),
  };
}

/** Unix time in seconds, as owners see it. */
export function seconds(ms: bigint): number {
  return Math.floor(Number(ms) / 1000);
}
