import type { RawData } from "ws";
import { takeFirst } from "../../../shared/values/lookups.js";
import type { Access } from "../../access/access.js";
import type { LaunchArguments } from "../../debug-adapter/launch/launch-arguments.js";
import { noLocalSources } from "../../debug-adapter/local-sources.js";
import { maxUnsent, type Reply, readRequest } from "../../debug-adapter/protocol.js";
import { type CallService, RequestError } from "../../debug-adapter/service-calls.js";
import { DebugSession } from "../../debug-adapter/session.js";
import type { Allowance, AnswerBudget } from "../../rpc/answers/answer-budget.js";
import { Cancellation } from "../../rpc/cancellation.js";
import { SeenIndex } from "../answers/seen-index.js";
import type { CallerCalls } from "../caller-calls.js";
import { MessageContext } from "../sockets/message-context.js";
import { closeCodes, SocketConnection } from "../sockets/session.js";
import { SocketGuard } from "../sockets/socket-guard.js";
import type { OpenSocket } from "../sockets/websocket.js";

export type AdapterDeps = {
  readonly calls: CallerCalls;
  readonly access: Pick<Access, "spend" | "settle">;
  readonly budget: AnswerBudget;
};

type ConnectionOptions = AdapterDeps & OpenSocket & { readonly onDefect: (error: unknown) => void };

/** One connection of the Debug Adapter Protocol: a message per text frame. */
export class AdapterConnection extends SocketConnection {
  readonly #options: ConnectionOptions;
  readonly #guard: SocketGuard;
  readonly #session: DebugSession;
  readonly #gone = new Cancellation();
  readonly #seen = new SeenIndex();
  readonly #allowances = new Set<Allowance>();
  readonly #queue: string[] = [];
  #isBusy = false;
  #sent = 0;
  #call: CallService = () => Promise.reject(new RequestError("nothing was asked"));
  #slowSince: number | undefined;

  constructor(options: ConnectionOptions) {
    super(options);
    const { webSocket, connection } = options;
    this.#options = options;
    this.#guard = new SocketGuard({
      ...options,
      close: (code, reason) => this.close(code, reason),
      onRefused: () => this.#advance(),
    });
    this.#session = new DebugSession({
      serviceOf: (given) => this.#serviceOf(given),
      local: noLocalSources,
      send: (message) => this.#send(message),
    });
    webSocket.on("message", (data, binary) => this.#receive(data, binary));
    webSocket.on("close", () => this.#abandon());
    connection.on("drain", () => this.#advance());
  }

  override close(code: number, reason: string): void {
    this.#queue.length = 0;
    super.close(code, reason);
  }

  /** Checks the timeouts; called periodically. */
  watch(): void {
    const { limits, now } = this.#options;
    if (this.#isSlow) {
      this.#slowSince ??= now();
      if (now() - this.#slowSince >= limits.slowReaderMs)
        this.close(closeCodes.policy, "answers are not read");
      return;
    }
    this.#slowSince = undefined;
    this.#advance();
    this.#guard.watch();
  }

  get #isSlow(): boolean {
    const { webSocket, limits } = this.#options;
    return webSocket.bufferedAmount > limits.maxUnsentBytes;
  }

  #receive(data: RawData, binary: boolean): void {
    const text = this.#guard.receive(data, binary);
    if (text === undefined) return;
    this.#queue.push(text);
    this.#advance();
  }

  /** Takes the next message once the last one is answered, and the answer is read. */
  #advance(): void {
    const { webSocket, onDefect } = this.#options;
    const mayTake = () => !this.#isBusy && !this.#isSlow && !this.#guard.isPaused && this.#guard.isOpen;
    if (this.#queue.length > 0 && mayTake()) {
      this.#isBusy = true;
      this.#take(takeFirst(this.#queue))
        .catch((error: unknown) => {
          onDefect(error);
          this.close(closeCodes.defect, "internal error");
        })
        .finally(() => {
          this.#isBusy = false;
          this.#advance();
        });
    }
    if (!this.#guard.isOpen) return;
    if (!mayTake() && !this.#guard.isWaiting) webSocket.pause();
    else webSocket.resume();
  }

  async #take(text: string): Promise<void> {
    const { access, budget, calls, caller, callOptions } = this.#options;
    const request = readRequest(text);
    const { granted, retryAfterSec = 1 } = await this.#guard.charge(1);
    if (!request) return this.close(closeCodes.policy, "not a request of the Debug Adapter Protocol");
    if (granted === 0)
      return this.#session.refuse(request, `the rate limit is exceeded: try again in ${retryAfterSec} s`);
    const context = new MessageContext(
      { access, budget, caller, callOptions, refusesUnknownParams: false, seen: this.#seen },
      text.length,
      this.#gone,
      this.#allowances,
    );
    this.#call = calls.of({ context, spend: (points) => access.spend(caller, points) });
    try {
      await this.#session.handle(request);
    } finally {
      context.close();
    }
    if (this.#session.hasEnded) super.close(closeCodes.done, "the session has ended");
  }

  /** Only the service itself, with the key of the connection: no address of a client is followed. */
  #serviceOf({ service, key }: LaunchArguments): CallService {
    if (service !== undefined || key !== undefined)
      throw new RequestError("service and key are those of the connection: leave them out");
    return (method, params) => this.#call(method, params);
  }

  #send(message: Reply): void {
    const { webSocket } = this.#options;
    if (!this.#guard.isOpen) return;
    if (webSocket.bufferedAmount > maxUnsent) this.close(closeCodes.tryAgainLater, "slow consumer");
    else webSocket.send(JSON.stringify({ seq: ++this.#sent, ...message }));
  }

  #abandon(): void {
    this.#session.close();
    this.#gone.cancel(new Error("the client has gone"));
    for (const allowance of this.#allowances) allowance.close();
    this.#allowances.clear();
  }
}
