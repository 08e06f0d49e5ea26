import type { CallOptions } from "../../../shared/methods/define.js";
import type { Subscriber } from "../../../shared/methods/subscriber.js";
import type { Access, Caller } from "../../access/access.js";
import type { Allowance, AnswerBudget } from "../../rpc/answers/answer-budget.js";
import { pointsOfLength } from "../../rpc/call-points.js";
import type { Cancellation } from "../../rpc/cancellation.js";
import type { CallContext } from "../../rpc/dispatch.js";
import type { SeenIndex } from "../answers/seen-index.js";
import type { ConnectionSubscriptions } from "./connection-subscriptions.js";

type ContextOptions = {
  caller: Caller;
  access: Pick<Access, "settle">;
  callOptions: CallOptions;
  refusesUnknownParams: boolean;
  /** Shared by the calls of the connection. */
  seen: SeenIndex;
  budget: AnswerBudget;
};

/** The context of the calls of one WebSocket message. */
export class MessageContext implements CallContext {
  readonly callerId: string;
  readonly plan: string;
  readonly keyId: string | undefined;
  readonly owner: string | undefined;
  readonly unlimited: boolean;
  readonly options: CallOptions;
  readonly refusesUnknownParams: boolean;
  readonly gone: Cancellation;
  readonly devnetRefusal: string | undefined;
  readonly isLocal: Caller["isLocal"];
  readonly permit: Caller["permit"];
  /** Points for the length of the message that are not charged yet. */
  #lengthPoints: number;
  readonly #caller: Caller;
  readonly #access: Pick<Access, "settle">;
  readonly #seen: SeenIndex;
  readonly #budget: AnswerBudget;
  readonly #allowances: Set<Allowance>;
  readonly #subscriptions: ConnectionSubscriptions | undefined;
  #subscriber: ReturnType<ConnectionSubscriptions["forMessage"]> | undefined;
  #allowance: Allowance | undefined;

  constructor(
    { caller, access, callOptions, refusesUnknownParams, seen, budget }: ContextOptions,
    bytes: number,
    gone: Cancellation,
    allowances: Set<Allowance>,
    subscriptions?: ConnectionSubscriptions,
  ) {
    this.callerId = caller.id;
    this.plan = caller.plan.name;
    this.keyId = caller.keyId;
    this.owner = caller.owner;
    this.unlimited = caller.plan.limit === undefined;
    this.options = callOptions;
    this.refusesUnknownParams = refusesUnknownParams;
    this.gone = gone;
    this.devnetRefusal = caller.devnetRefusal;
    this.isLocal = caller.isLocal;
    this.permit = caller.permit;
    this.#lengthPoints = pointsOfLength(bytes);
    this.#caller = caller;
    this.#access = access;
    this.#seen = seen;
    this.#budget = budget;
    this.#allowances = allowances;
    this.#subscriptions = subscriptions;
  }

  get seenIndex(): number | undefined {
    return this.#seen.seqno;
  }

  sawIndex(seqno: number): void {
    this.#seen.saw(seqno);
  }

  settle(points: number): void {
    void this.#access.settle(this.#caller, points);
  }

  /** Charges the points for the length of the message, once, after those of its calls: no call is refused for them. */
  settleLength(): void {
    const points = this.#lengthPoints;
    this.#lengthPoints = 0;
    if (points > 0) this.settle(points);
  }

  get allowance(): Allowance {
    this.#allowance ??= this.#open();
    return this.#allowance;
  }

  get subscriber(): Subscriber | undefined {
    this.#subscriber ??= this.#subscriptions?.forMessage();
    return this.#subscriber;
  }

  /** The answer was sent: frees its memory, and begins the subscriptions that it announced. */
  close(): void {
    this.settleLength();
    this.#subscriber?.answered();
    if (!this.#allowance) return;
    this.#allowance.close();
    this.#allowances.delete(this.#allowance);
  }

  #open(): Allowance {
    const allowance = this.#budget.open(this.callerId);
    if (this.gone.isCancelled) allowance.close();
    else this.#allowances.add(allowance);
    return allowance;
  }
}
