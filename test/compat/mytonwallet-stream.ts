import { Address } from "@ton/core";
import { WebSocket } from "ws";

// The messages of MyTonWallet's connection to TON Center's streams, in its order and at its times.

type Finality = "pending" | "confirmed" | "finalized";

/** Replaces what was known of a message; without actions nothing of it is left. */
type ActivitiesUpdate = {
  message: string;
  finality: Finality;
  actions: readonly { type: string; action_id: string }[];
};
/** Without a token it is the balance of the account. */
type BalanceUpdate = { token: string | undefined; balance: bigint; finality: Finality };

// biome-ignore lint/suspicious/noExplicitAny: JSON of the service under test
type Json = any;

const pingMs = 20_000;
const pongMs = 5000;
const reconnectMs = 500;

export class MyTonWalletStream {
  readonly activities: ActivitiesUpdate[] = [];
  readonly balances: BalanceUpdate[] = [];
  /** Messages after whose traces balances are read again. */
  readonly invalidated: string[] = [];
  /** Messages that the wallet would not understand. */
  readonly strange: Json[] = [];
  isConnected = false;
  connections = 0;
  readonly #url: string;
  /** As the wallet shows it: not bounceable. */
  readonly #address: string;
  /** Messages that are not final and were shown. */
  readonly #shown = new Set<string>();
  #socket: WebSocket | undefined;
  #lastId = 0;
  #isClosed = false;
  readonly #timers: Partial<Record<"ping" | "pong" | "reconnect", NodeJS.Timeout>> = {};

  constructor(endpoint: string, address: string) {
    this.#address = address;
    const url = new URL("/api/streaming/v2/ws", endpoint);
    url.protocol = "ws:";
    for (const [name, value] of Object.entries({ clientid: "1", version: "4.0.0", env: "test", name: "w" }))
      url.searchParams.append(name, value);
    this.#url = url.href;
    this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    this.#socket?.close();
  }

  #connect(): void {
    const socket = new WebSocket(this.#url);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    socket.onopen = () => {
      this.connections++;
      this.#send({
        operation: "subscribe",
        id: String(this.#lastId++),
        addresses: [this.#address],
        types: ["actions", "account_state_change", "jettons_change"],
        min_finality: "pending",
        include_address_book: true,
        include_metadata: true,
        supported_action_types: ["v1"],
      });
      this.#timers.ping = setInterval(() => {
        this.#send({ operation: "ping" });
        clearTimeout(this.#timers.pong);
        this.#timers.pong = setTimeout(() => socket.terminate(), pongMs);
      }, pingMs);
    };
    socket.onmessage = ({ data }) => {
      clearTimeout(this.#timers.pong);
      this.#receive(JSON.parse(data as string));
    };
    socket.onerror = () => {};
    socket.onclose = () => {
      clearInterval(this.#timers.ping);
      this.isConnected = false;
      if (!this.#isClosed) this.#timers.reconnect = setTimeout(() => this.#connect(), reconnectMs);
    };
  }

  #send(request: object): void {
    this.#socket?.send(JSON.stringify(request));
  }

  #receive(message: Json): void {
    if ("status" in message) {
      if (message.status === "subscribed" && Number(message.id) === this.#lastId - 1) this.isConnected = true;
    } else if (message.type === "trace_invalidated") {
      const hash = message.trace_external_hash_norm;
      if (this.#shown.has(hash)) this.invalidated.push(hash);
      this.#show({ message: hash, finality: "finalized", actions: [] });
    } else if (message.type === "actions") {
      const { trace_external_hash_norm: hash, finality, actions, address_book: book } = message;
      const own = actions.filter(({ accounts }: Json) =>
        accounts.some((account: string) => (book[account]?.user_friendly ?? account) === this.#address),
      );
      this.#show({ message: hash, finality, actions: own });
    } else if (message.type === "account_state_change") {
      const { account, state, finality } = message;
      this.#balance(account, { token: undefined, balance: BigInt(state.balance), finality });
    } else if (message.type === "jettons_change") {
      const { jetton, finality } = message;
      const token = Address.parse(jetton.jetton).toString();
      this.#balance(jetton.owner, { token, balance: BigInt(jetton.balance), finality });
    } else this.strange.push(message);
  }

  /** An update without actions does not concern messages that were never shown. */
  #show(update: ActivitiesUpdate): void {
    const { message, finality, actions } = update;
    if (actions.length > 0 || this.#shown.has(message)) this.activities.push(update);
    if (actions.length > 0 && finality !== "finalized") this.#shown.add(message);
    else this.#shown.delete(message);
  }

  #balance(account: string, update: BalanceUpdate): void {
    if (Address.parse(account).equals(Address.parse(this.#address))) this.balances.push(update);
  }
}
