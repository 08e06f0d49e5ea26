import { Address } from "@ton/core";
import { WebSocket } from "ws";

// The messages of walletkit's streaming provider, in its order and at its times.

type WatchType = "balance" | "transactions" | "jettons";
type Finality = "pending" | "confirmed" | "finalized";

type WalletkitUpdate =
  | { type: "balance"; address: string; rawBalance: string; status: Finality }
  | {
      type: "transactions";
      address: string;
      traceHash: string;
      transactions: readonly { account: string; hash: string }[];
      status: Finality | "invalidated";
    }
  | {
      type: "jettons";
      ownerAddress: string;
      masterAddress: string;
      rawBalance: string;
      decimals: number | undefined;
      status: Finality;
    };

// biome-ignore lint/suspicious/noExplicitAny: JSON of the service under test
type Json = any;

const eventTypes: Record<WatchType, string> = {
  balance: "account_state_change",
  transactions: "transactions",
  jettons: "jettons_change",
};
const scores: Record<string, number> = { pending: 0, confirmed: 1, finalized: 2 };
const reconnectMs = [500, 1000, 2000, 4000, 8000];
const syncMs = 50;
const pingMs = 10_000;

const friendly = (text: string) => Address.parse(text).toString();
const hexOf = (base64: string) => `0x${Buffer.from(base64, "base64").toString("hex")}`;

export class WalletkitStream {
  readonly updates: WalletkitUpdate[] = [];
  /** Status answers of the service to requests. */
  readonly statuses: string[] = [];
  /** Messages that the provider would not understand. */
  readonly strange: Json[] = [];
  connections = 0;
  readonly #url: string;
  readonly #watched = new Map<WatchType, Set<string>>();
  readonly #traces = new Map<string, { score: number; accounts: Set<string> }>();
  #socket: WebSocket | undefined;
  #lastAddresses: string[] = [];
  #requests = 0;
  #failures = 0;
  readonly #timers: Partial<Record<"sync" | "ping" | "reconnect", NodeJS.Timeout>> = {};

  constructor(endpoint: string, apiKey: string) {
    const base = `${endpoint.replace(/\/$/, "").replace(/^http/, "ws")}/api/streaming/v2/ws`;
    this.#url = `${base}?api_key=${encodeURIComponent(apiKey)}`;
  }

  watch(type: WatchType, address: string): void {
    const addresses = this.#watched.get(type) ?? new Set();
    this.#watched.set(type, addresses.add(friendly(address)));
    this.#syncSoon();
    if (!this.#socket) this.#connect();
  }

  unwatch(type: WatchType, address: string): void {
    const addresses = this.#watched.get(type);
    addresses?.delete(friendly(address));
    if (addresses?.size === 0) this.#watched.delete(type);
    this.#syncSoon();
  }

  ofType<T extends WatchType>(type: T): Extract<WalletkitUpdate, { type: T }>[] {
    return this.updates.filter(
      (update): update is Extract<WalletkitUpdate, { type: T }> => update.type === type,
    );
  }

  disconnect(): void {
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    this.#watched.clear();
    this.#socket?.close();
  }

  #connect(): void {
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    socket.onopen = () => {
      this.connections++;
      this.#failures = 0;
      this.#sync();
      this.#timers.ping = setInterval(() => {
        this.#send({ operation: "ping", id: `ping-${Date.now()}` });
      }, pingMs);
    };
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(String(data)));
    socket.onerror = () => {};
    socket.onclose = () => {
      clearInterval(this.#timers.ping);
      this.#socket = undefined;
      if (this.#watched.size === 0) return;
      const delay = reconnectMs[Math.min(this.#failures++, reconnectMs.length - 1)];
      this.#timers.reconnect = setTimeout(() => this.#connect(), delay);
    };
  }

  #syncSoon(): void {
    clearTimeout(this.#timers.sync);
    this.#timers.sync = setTimeout(() => this.#sync(), syncMs);
  }

  /** Subscribes to everything watched, regardless of earlier subscriptions. */
  #sync(): void {
    clearTimeout(this.#timers.sync);
    const types = Array.from(this.#watched.keys(), (type) => eventTypes[type]);
    const addresses = [...new Set([...this.#watched.values()].flatMap((each) => [...each]))];
    const stamp = () => `${Date.now()}-${++this.#requests}`;
    if (addresses.length > 0)
      this.#send({
        operation: "subscribe",
        id: `sync-${stamp()}`,
        types,
        addresses,
        min_finality: "pending",
        include_metadata: true,
      });
    else if (this.#lastAddresses.length > 0)
      this.#send({ operation: "unsubscribe", id: `clear-${stamp()}`, addresses: this.#lastAddresses });
    if (this.#socket?.readyState === WebSocket.OPEN) this.#lastAddresses = addresses;
  }

  #send(request: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(request));
  }

  #receive(message: Json): void {
    if (typeof message.status === "string") this.statuses.push(message.status);
    else if (message.type === "account_state_change" && typeof message.state?.balance === "string")
      this.#tell({
        type: "balance",
        address: friendly(message.account),
        rawBalance: message.state.balance,
        status: message.finality,
      });
    else if (message.type === "trace_invalidated" && typeof message.trace_external_hash_norm === "string")
      this.#invalidate(message.trace_external_hash_norm);
    else if (
      message.type === "transactions" &&
      typeof message.trace_external_hash_norm === "string" &&
      Array.isArray(message.transactions)
    )
      this.#take(message);
    else if (message.type === "jettons_change" && typeof message.jetton?.owner === "string") {
      const { jetton, metadata, finality } = message;
      const info = metadata?.[jetton.jetton]?.token_info?.find(({ type }: Json) => type === "jetton_masters");
      const decimals = info?.extra?.decimals;
      this.#tell({
        type: "jettons",
        ownerAddress: friendly(jetton.owner),
        masterAddress: friendly(jetton.jetton),
        rawBalance: jetton.balance,
        decimals: typeof decimals === "string" ? Number.parseInt(decimals, 10) : undefined,
        status: finality,
      });
    } else this.strange.push(message);
  }

  /** Updates less final than an earlier one are dropped. */
  #take({ finality, trace_external_hash_norm: trace, transactions }: Json): void {
    const score = scores[finality] ?? -1;
    const known = this.#traces.get(trace) ?? { score, accounts: new Set<string>() };
    if (score < known.score) return;
    known.score = score;
    this.#traces.set(trace, known);
    for (const account of new Set<string>(transactions.map(({ account }: Json) => account))) {
      known.accounts.add(account);
      this.#tell({
        type: "transactions",
        address: friendly(account),
        traceHash: hexOf(trace),
        transactions: transactions.filter((each: Json) => each.account === account),
        status: finality,
      });
    }
  }

  #invalidate(trace: string): void {
    for (const account of this.#traces.get(trace)?.accounts ?? [])
      this.#tell({
        type: "transactions",
        address: friendly(account),
        traceHash: hexOf(trace),
        transactions: [],
        status: "invalidated",
      });
    this.#traces.delete(trace);
  }

  #tell(update: WalletkitUpdate): void {
    const address = update.type === "jettons" ? update.ownerAddress : update.address;
    if (this.#watched.get(update.type)?.has(address)) this.updates.push(update);
  }
}
