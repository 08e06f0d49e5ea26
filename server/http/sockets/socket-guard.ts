import type { RawData, WebSocket } from "ws";
import type { Access, Caller } from "../../access/access.js";
import type { Grant } from "../../rpc/json-rpc/json-rpc.js";
import { FloodGuard, type FloodLimits } from "./flood-guard.js";
import { Heartbeat, type HeartbeatLimits } from "./heartbeat.js";
import { closeCodes, decodeUtf8 } from "./session.js";
import { SocketPings } from "./socket-pings.js";

type SocketGuardOptions = {
  readonly webSocket: WebSocket;
  readonly caller: Caller;
  readonly access: Pick<Access, "spend">;
  readonly limits: FloodLimits & HeartbeatLimits;
  /** Monotonic clock, ms. */
  readonly now: () => number;
  /** Closes the connection with what waits in it. */
  readonly close: (code: number, reason: string) => void;
  /** Called after refusals; reading may have to pause. */
  readonly onRefused: () => void;
  readonly onDefect: (error: unknown) => void;
};

/** Time for a client to complete the closing handshake after a flood. */
const cutMs = 1000;

/** Keeps a WebSocket connection alive, and its client within the rate limit, for any protocol. */
export class SocketGuard {
  readonly #options: SocketGuardOptions;
  readonly #heartbeat: Heartbeat;
  readonly #floods: FloodGuard;
  readonly #pings: SocketPings;

  constructor(options: SocketGuardOptions) {
    const { webSocket, limits, now, onDefect } = options;
    this.#options = options;
    this.#heartbeat = new Heartbeat(webSocket, limits, now);
    this.#floods = new FloodGuard(limits, now);
    this.#pings = new SocketPings({
      webSocket,
      guard: this.#floods,
      charge: (points) => this.charge(points),
      onDefect,
    });
    webSocket.on("ping", (data) => {
      this.#heartbeat.received();
      if (this.isOpen) this.#pings.ping(data);
    });
    webSocket.on("pong", () => {
      if (!this.isWaiting && this.isOpen) this.#pings.unexpectedPong();
      this.#heartbeat.received();
    });
    // ws closes the connection after protocol errors; without a listener the process would crash.
    webSocket.on("error", () => {});
  }

  get isOpen(): boolean {
    const { webSocket } = this.#options;
    return webSocket.readyState === webSocket.OPEN;
  }

  /** Whether nothing must be read until the caller's window opens. */
  get isPaused(): boolean {
    return this.#floods.isPaused;
  }

  /** Whether a ping waits for its pong, for which the socket must be read. */
  get isWaiting(): boolean {
    return this.#heartbeat.isWaiting;
  }

  /** Notes a received message; false if the connection is closed already. */
  accepts(): boolean {
    this.#heartbeat.received();
    return this.isOpen;
  }

  /** The text of a received message; `undefined` if the connection is closed, which a message without text causes. */
  receive(data: RawData, binary: boolean): string | undefined {
    if (!this.accepts()) return undefined;
    const text = binary ? decodeUtf8(data) : String(data);
    if (text === undefined) this.#options.close(closeCodes.invalidText, "invalid UTF-8");
    return text;
  }

  /** Checks the heartbeat; called periodically while the client reads. */
  watch(): void {
    if (this.isPaused) this.#heartbeat.hold();
    else this.#heartbeat.watch();
  }

  /** Counts pings that are calls; returns how many of them exceed the rate of a heartbeat. */
  pinged(pings?: number): number {
    return this.#floods.pinged(pings);
  }

  /** Charges points to the caller. Closes the connection of a client that ignores its rate limit for too long. */
  async charge(points: number): Promise<Grant> {
    const { access, caller } = this.#options;
    const spending = access.spend(caller, points);
    const grant = spending instanceof Promise ? await spending : spending;
    const refused = points - grant.granted;
    if (refused > 0) this.#refused(refused, grant.retryAfterSec);
    return grant;
  }

  #refused(calls: number, retryAfterSec: number | undefined): void {
    const { webSocket, close, onRefused } = this.#options;
    this.#floods.refused(calls, retryAfterSec);
    onRefused();
    if (!this.#floods.isExhausted || !this.isOpen) return;
    close(closeCodes.policy, "rate limit exceeded");
    // A client that sends on and ignores the close frame is cut.
    setTimeout(() => webSocket.terminate(), cutMs).unref();
  }
}
