import type { z } from "zod";
import type { SubscriptionFrom } from "../../../shared/schema/streams/subscription-params.js";
import type {
  webhookCreateParams,
  webhookDeliveriesParams,
  webhookReplayParams,
  webhookUpdateParams,
} from "../../../shared/schema/streams/webhook-params.js";
import type {
  createdWebhook,
  Webhook,
  WebhookAttempt,
} from "../../../shared/schema/streams/webhook-records.js";
import { ServiceError } from "../../errors.js";
import type { Sql, Transaction } from "../../store/database.js";
import {
  attemptsOf,
  changeWebhook,
  deleteWebhook,
  insertWebhook,
  lockWebhook,
  type WebhookRow,
  webhooksOf,
  webhookUse,
} from "../../store/queries/kept/webhooks.js";
import { lockForTransaction } from "../../store/sql/locks.js";
import { startOf } from "../feed-start.js";
import type { Hub } from "../hub.js";
import { cursorOf } from "../subscriptions/event-key.js";
import { limitError } from "../subscriptions/limit-error.js";
import {
  accountsIn,
  ChoiceEdit,
  choiceOf,
  foreignList,
  isFirehose,
  type RecordChoice,
} from "../subscriptions/record-filter.js";
import { choiceIn, seconds, storedChoice, webhookRecord } from "./choices.js";
import type { Targets } from "./targets.js";
import type { Waiters } from "./waiters.js";

/** A plan's limits on webhooks. */
export type WebhookLimits = {
  readonly webhooks: number;
  readonly deliveries: number;
  readonly accounts: number;
  readonly firehose: number;
  readonly history: number;
};

type WebhooksOptions = {
  hub: Hub;
  waiters: Waiters;
  /** `undefined` if the key is not valid. */
  limitsOf: (keyId: string) => WebhookLimits | undefined;
  targets: Targets;
  /** Maximum duration of an attempt, ms. */
  attemptMs: number;
  /** Wall clock, ms. */
  now: () => number;
  /** Returns that number of random bytes as base64url. */
  randomText: (bytes: number) => string;
};

/** The caller who sets the URL of a webhook. */
type Creator = {
  readonly owner: string;
  /** Whether it may have events delivered to programs on this machine. */
  readonly isLocal: () => Promise<boolean>;
};

type UpdateParams = z.output<typeof webhookUpdateParams>;
type Created = z.output<typeof createdWebhook>;

const idBytes = 16;
/** As many bits as a key has. */
const secretBytes = 32;
/** How long the previous secret still signs. */
const oldSecretMs = 24 * 60 * 60_000;
/** Added to an attempt's time, to record its result. */
const graceMs = 5000;

/** Management of webhooks by their owners. `WebhookWorker` delivers them. */
export class Webhooks {
  readonly #options: WebhooksOptions;
  #database: Sql | undefined;

  constructor(options: WebhooksOptions) {
    this.#options = options;
  }

  /** Sets the database once it is available and migrated. */
  connect(database: Sql): void {
    this.#database ??= database;
  }

  /** Creates a webhook; the result has its secret, which `list` has not. Throws `rate-limited` beyond the limits of the owner's plan. */
  async create(
    { owner, isLocal }: Creator,
    params: z.output<typeof webhookCreateParams>,
    actionsVersion: string | undefined,
  ): Promise<Created> {
    const { now, randomText } = this.#options;
    const target = this.#target(params.url, await isLocal());
    const limits = this.#limitsOf(owner);
    const choice = choiceOf(params, actionsVersion);
    const cursor = await this.#placeOf(params.from, limits);
    const secret = params.secret ?? this.#newSecret();
    const row = await this.#sql.transaction(async (transaction) => {
      await lockForTransaction(transaction, "webhooks");
      const { webhooks } = await checkUse(transaction, owner, choice, limits);
      if (webhooks >= limits.webhooks) throw limitError("webhooks", limits);
      return insertWebhook(transaction, {
        id: `wh_${randomText(idBytes)}`,
        key_id: owner,
        ...target,
        ...choiceColumns(choice),
        secret,
        created_at: BigInt(now()),
        cursor,
      });
    });
    return { ...webhookRecord(row), secret };
  }

  /** The webhooks of an owner, without secrets. */
  async list(owner: string): Promise<Webhook[]> {
    return (await webhooksOf(this.#sql, owner)).map(webhookRecord);
  }

  /** Changes the named members of a webhook; `secret` is in the answer if it is new. */
  async update({ owner, isLocal }: Creator, params: UpdateParams): Promise<Created> {
    const { id, url, add, remove, paused } = params;
    const target = url === undefined ? {} : this.#target(url, await isLocal());
    const secret = params.secret ?? (params.new_secret ? this.#newSecret() : undefined);
    const row = await this.#change(owner, id, async (before, transaction) => ({
      ...before,
      ...target,
      ...((add || remove) && (await this.#edit(transaction, before, params))),
      ...(secret !== undefined && this.#rotated(before, secret)),
      ...(paused === true && { paused: "paused by its owner" }),
      ...(paused === false && active),
    }));
    return { ...webhookRecord(row), ...(secret !== undefined && { secret }) };
  }

  /** Waits until the delivering process has stopped. */
  async delete(owner: string, id: string): Promise<boolean> {
    const { waiters, attemptMs } = this.#options;
    const stopped = waiters.wait(id, attemptMs + graceMs);
    try {
      const deleted = await this.#sql.transaction((transaction) => deleteWebhook(transaction, owner, id));
      if (deleted?.sending) await stopped.done;
      return deleted !== undefined;
    } finally {
      stopped.cancel();
    }
  }

  /** The last attempts of a webhook, the newest first. */
  async deliveries(
    owner: string,
    params: z.output<typeof webhookDeliveriesParams>,
  ): Promise<WebhookAttempt[]> {
    const attempts = await attemptsOf(this.#sql, { keyId: owner, ...params });
    if (!attempts) throw noSuchWebhook();
    return attempts.map(({ at, after_cursor: after, ...rest }) => ({ at: seconds(at), after, ...rest }));
  }

  /** Delivers again from a place on, also if the webhook was paused. */
  async replay(owner: string, { id, from }: z.output<typeof webhookReplayParams>): Promise<Webhook> {
    const cursor = await this.#placeOf(from, this.#limitsOf(owner));
    const row = await this.#change(owner, id, async (before) => ({
      ...before,
      ...active,
      cursor,
      replays: before.replays + 1,
    }));
    return webhookRecord(row);
  }

  get #sql(): Sql {
    if (!this.#database) throw new ServiceError("unavailable", "database is not available");
    return this.#database;
  }

  #limitsOf(owner: string): WebhookLimits {
    const limits = this.#options.limitsOf(owner);
    if (!limits) throw new ServiceError("unknown-key");
    return limits;
  }

  #newSecret(): string {
    return `whsec_${this.#options.randomText(secretBytes)}`;
  }

  /** The URL to store, and whether the caller who sets it gives the webhook the right `loopback`. */
  #target(text: string, loopback: boolean): Pick<WebhookRow, "url" | "loopback"> {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const refusal = url ? this.#options.targets.refusal(url, loopback) : "failed to parse url";
    if (!url || refusal !== undefined)
      throw new ServiceError("invalid-params", refusal, { data: { param: "url" } });
    return { url: url.href, loopback };
  }

  async #placeOf(from: SubscriptionFrom | undefined, limits: WebhookLimits): Promise<string> {
    const { hub } = this.#options;
    const { after, history } = await startOf(hub, { from });
    if (history > limits.history) throw limitError("history", limits);
    return cursorOf(after!, hub.chain);
  }

  #change(
    owner: string,
    id: string,
    changed: (before: WebhookRow, transaction: Transaction) => Promise<WebhookRow>,
  ): Promise<WebhookRow> {
    return this.#sql.transaction(async (transaction) => {
      await lockForTransaction(transaction, "webhooks");
      const before = await lockWebhook(transaction, owner, id);
      if (!before) throw noSuchWebhook();
      return changeWebhook(transaction, await changed(before, transaction));
    });
  }

  async #edit(transaction: Transaction, before: WebhookRow, { add, remove }: UpdateParams) {
    const choice = choiceIn(before.choice);
    const foreign = foreignList(choice, add, remove);
    if (foreign !== undefined) {
      const text = `${foreign} cannot be used with kind ${choice.kind}`;
      throw new ServiceError("invalid-params", text, { data: { param: foreign } });
    }
    const edited = new ChoiceEdit(choice, add, remove).apply();
    await checkUse(transaction, before.key_id, edited, this.#limitsOf(before.key_id), before.id);
    return choiceColumns(edited);
  }

  #rotated({ secret: old }: WebhookRow, secret: string): Partial<WebhookRow> {
    const until = BigInt(this.#options.now() + oldSecretMs);
    return { secret, old_secret: old, old_secret_until: until };
  }
}

/** Column values of a resumed webhook. */
const active = { paused: null, failures: 0, failing_since: null, failure: null, next_attempt_at: null };

function choiceColumns(choice: RecordChoice): Pick<WebhookRow, "choice" | "accounts" | "firehose"> {
  return { choice: storedChoice(choice), accounts: accountsIn(choice), firehose: isFirehose(choice) };
}

/** Throws if the key's plan does not allow the choice in addition to its other webhooks. */
async function checkUse(
  transaction: Transaction,
  owner: string,
  choice: RecordChoice,
  limits: WebhookLimits,
  without?: string,
): Promise<{ webhooks: number }> {
  const use = await webhookUse(transaction, owner, without);
  if (use.accounts + accountsIn(choice) > limits.accounts) throw limitError("accounts", limits);
  if (use.firehoses + (isFirehose(choice) ? 1 : 0) > limits.firehose) throw limitError("firehose", limits);
  return use;
}

function noSuchWebhook(): ServiceError {
  return new ServiceError("absent", "there is no such webhook", { data: { param: "id" } });
}
