import { ifJson } from "../../shared/values/json.js";
import type { NotificationParams, SubscribeParams, Transaction } from "../api.js";
import type { Caller } from "../caller.js";
import { isRpcError, notReached, RpcError } from "../errors.js";
import { isLimit, type Json } from "../transports/answer.js";
import { refusalOf } from "../transports/refusal.js";
import type { Clock, SocketLike } from "../transports/transport.js";
import type { SocketConstructor } from "../transports/web-socket.js";
import type { Receiver, Subscribed } from "./connections.js";
import { textOf } from "./cursor.js";
import type { SubscriptionStart } from "./start.js";
import type { TonCenterOptions } from "./types.js";

type TonCenterSource = TonCenterOptions & {
  readonly client: Pick<Caller, "call">;
  readonly clock: Clock;
};

/** The service is looked after this often. */
const tickMs = 5000;
/** Also the interval of looks at the index without news. */
const pingMs = 15_000;
const deadMs = 20_000;
const pageLimit = 1000;
/** A block of a shard may be this much older than the masterchain block that registers it. */
const registrationSec = 60;

/** Everything up to a transaction of a masterchain block is known. */
type Position = { readonly seqno: number; readonly lt: bigint; readonly account: string };
/** Start of lists of transactions, low enough to omit none above a position. */
type Floor = { readonly start_utime?: number; readonly start_lt?: string };

/**
 * Subscribes to finalized transactions over TON Center's protocol. Its events come trace by trace, some late and some
 * again, and no event reveals a missed one. So they only trigger a look at the index, where each masterchain block's
 * transactions are listed once.
 */
export async function subscribeAtTonCenter(
  source: TonCenterSource,
  { kind, accounts, opcodes, workchain, finality = "finalized", from }: SubscribeParams,
  refusal: RpcError,
): Promise<Subscribed> {
  const url = source.url ?? (refusal.endpoint && streamingUrl(refusal.endpoint));
  const isPossible = kind === "transactions" && accounts && finality === "finalized";
  if (!url || !isPossible || opcodes || workchain !== undefined) throw refusal;
  const addresses = [accounts].flat() as string[];
  const socket = await openSocket(source, url, addresses);
  try {
    const [position, floor] = await beginning(source.client, from);
    return new Feed(source, socket, addresses, position, floor);
  } catch (error) {
    socket.close();
    throw error;
  }
}

function streamingUrl(endpoint: string): string {
  const url = new URL("/api/streaming/v2/ws", new URL(endpoint, globalThis.location?.href));
  url.protocol = url.protocol.replace("http", "ws");
  return url.href;
}

/** Connects and subscribes. */
function openSocket(source: TonCenterSource, url: string, addresses: readonly string[]): Promise<SocketLike> {
  const { apiKey, clock, WebSocket = (globalThis as { WebSocket?: SocketConstructor }).WebSocket } = source;
  return new Promise((resolve, reject) => {
    if (!WebSocket) throw new TypeError("no WebSocket class: name one in `tonCenter`");
    const target = new URL(url);
    if (apiKey) target.searchParams.set("api_key", apiKey);
    const socket = new WebSocket(target.href);
    const fail = async (why: unknown) => {
      clock.clearTimeout(timer);
      socket.onerror = socket.onclose = socket.onmessage = () => {};
      socket.close();
      reject(
        isRpcError(why)
          ? why
          : ((await refusalOf(target.href, url)) ?? notReached(url, why, { unsent: true })),
      );
    };
    const timer = clock.setTimeout(() => fail("no answer"), deadMs);
    socket.onerror = ({ message }: { message?: string }) => fail(message ?? "refused");
    socket.onclose = () => fail("closed");
    socket.onopen = () =>
      socket.send(
        JSON.stringify({
          operation: "subscribe",
          types: ["transactions"],
          addresses,
          min_finality: "confirmed",
        }),
      );
    socket.onmessage = ({ data }: { data: unknown }) => {
      const { status, error }: Json = ifJson(String(data)) ?? {};
      if (error) fail(subscriptionError(String(error), url));
      else if (status === "subscribed") {
        clock.clearTimeout(timer);
        resolve(socket);
      }
    };
  });
}

function subscriptionError(text: string, endpoint: string): RpcError {
  return isLimit(text)
    ? new RpcError("rate-limited", text, { retryable: true })
    : new RpcError("invalid-params", text, { endpoint });
}

/** Cursors have the form of those of our own service, but for their first letter. */
function cursorOf({ seqno, lt, account }: Position): string {
  const text = btoa(`t1.${seqno}.${lt === endOfBlock.lt ? endRank : 1}.${lt}.${account}`);
  return text
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/={1,2}$/, "");
}

/**
 * The start in the form of our own service: after a partly received block the stream drops its events of that block.
 */
export function startAtOwnService(from: SubscriptionStart | undefined): SubscriptionStart | undefined {
  const position = typeof from === "string" ? positionOf(from) : undefined;
  if (!position || position.isOwn) return from;
  return { mc_seqno: position.lt === endOfBlock.lt ? position.seqno + 1 : position.seqno };
}

/** The position of a cursor; `undefined` if it is none. */
function positionOf(cursor: string): (Position & { readonly isOwn: boolean }) | undefined {
  const parts = /^([ct])1\.(\d+)\.(\d+)\.(\d+)\.([^.]*)/.exec(textOf(cursor));
  if (!parts) return undefined;
  const [, form, seqno, rank, lt, account] = parts;
  const at = { seqno: Number(seqno), isOwn: form === "c" };
  // Events of other kinds stand before or behind all transactions of their block.
  if (rank === "1") return { ...at, lt: BigInt(lt!), account: account! };
  return rank === "0" ? { ...at, lt: 0n, account: "" } : { ...at, ...endOfBlock };
}

const endOfBlock = { lt: 1n << 64n, account: "" };
const endRank = 9;

type Head = { readonly seqno: number; readonly gen_utime: string };

async function headOf(client: Pick<Caller, "call">): Promise<Head> {
  const { last } = (await client.call("v3.masterchainInfo" as string, {})) as { last: Head };
  return last;
}

async function beginning(
  client: Pick<Caller, "call">,
  from: SubscriptionStart | undefined,
): Promise<[Position, Floor]> {
  if (from === undefined) {
    const { seqno, gen_utime } = await headOf(client);
    return [{ seqno, ...endOfBlock }, floorAt(Number(gen_utime))];
  }
  const position = typeof from === "string" ? positionOf(from) : { seqno: -1, ...endOfBlock };
  if (!position) throw new RpcError("invalid-params", "from is no cursor");
  if (typeof from === "object" && "lt" in from) return [position, { start_lt: String(from.lt) }];
  if (typeof from === "object" && "utime" in from) return [position, { start_utime: from.utime }];
  const seqno = typeof from === "object" ? from.mc_seqno - 1 : position.seqno;
  const after = { ...position, seqno };
  if (seqno < 1) return [after, {}];
  const params = { workchain: -1, seqno, limit: 1 };
  const { blocks } = (await client.call("v3.blocks" as string, params)) as { blocks: Head[] };
  return [after, blocks[0] ? floorAt(Number(blocks[0].gen_utime)) : {}];
}

function floorAt(utime: number): Floor {
  return { start_utime: Math.max(0, utime - registrationSec) };
}

class Feed implements Subscribed {
  readonly #source: TonCenterSource;
  readonly #socket: SocketLike;
  readonly #accounts: readonly string[];
  #position: Position;
  #floor: Floor;
  #receiver: Receiver | undefined;
  #timer: unknown;
  #heardAt: number;
  #pingedAt: number;
  #hasNews = true;
  #isLooking = false;
  #hasCaughtUp = false;
  #isOpen = true;

  constructor(
    source: TonCenterSource,
    socket: SocketLike,
    accounts: readonly string[],
    position: Position,
    floor: Floor,
  ) {
    this.#source = source;
    this.#socket = socket;
    this.#accounts = accounts;
    this.#position = position;
    this.#floor = floor;
    this.#heardAt = this.#pingedAt = source.clock.now();
    socket.onclose = () => this.#lose();
    socket.onerror = () => {};
    socket.onmessage = ({ data }: { data: unknown }) => {
      this.#heardAt = source.clock.now();
      if ((ifJson(String(data)) as Json)?.type === "transactions") this.#news();
    };
  }

  get cursor(): string {
    return cursorOf(this.#position);
  }

  open(receiver: Receiver): void {
    this.#receiver = receiver;
    this.#news();
    this.#tick();
  }

  /** Its events are not counted. */
  ack(): void {}

  close(): void {
    this.#isOpen = false;
    this.#source.clock.clearTimeout(this.#timer);
    this.#socket.close();
  }

  #lose(): void {
    if (!this.#isOpen) return;
    this.close();
    this.#receiver?.lost();
  }

  #tick(): void {
    const { clock } = this.#source;
    const now = clock.now();
    if (now - this.#heardAt >= deadMs) {
      this.#lose();
      return;
    }
    if (now - this.#pingedAt >= pingMs) {
      this.#pingedAt = now;
      this.#socket.send('{"operation":"ping"}');
      this.#news();
    }
    this.#timer = clock.setTimeout(() => this.#tick(), tickMs);
  }

  /** There may be more in the index. */
  #news(): void {
    this.#hasNews = true;
    if (!this.#isLooking && this.#receiver) void this.#look();
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    while (this.#hasNews && this.#isOpen) {
      this.#hasNews = false;
      try {
        await this.#advance();
      } catch (error) {
        // The next ping looks again.
        if (!isRpcError(error) || !error.retryable) this.#lose();
      }
    }
    this.#isLooking = false;
  }

  /** Passes on all transactions between the position and the head of the index. */
  async #advance(): Promise<void> {
    const head = await headOf(this.#source.client);
    if (head.seqno > this.#position.seqno) {
      const found = await this.#transactions(head.seqno);
      for (const [position, transaction] of found) {
        if (!this.#isOpen) return;
        this.#position = position;
        const id = `${transaction.lt}.${transaction.hash}`;
        this.#tell({ type: "transaction", transaction }, { finality: "finalized", id });
      }
      this.#position = { seqno: head.seqno, ...endOfBlock };
      this.#floor = floorAt(Number(head.gen_utime));
    }
    if (!this.#isOpen) return;
    if (this.#hasCaughtUp) {
      const { seqno, gen_utime } = head;
      this.#tell({ type: "heartbeat", head: { seqno, gen_utime: Number(gen_utime) } });
    } else this.#tell({ type: "caught-up" });
    this.#hasCaughtUp = true;
  }

  #tell(event: NotificationParams["event"], place: Pick<NotificationParams, "finality" | "id"> = {}): void {
    const length = event.type === "transaction" ? JSON.stringify(event).length : 0;
    this.#receiver?.receive({ subscription: "", cursor: this.cursor, ...place, event }, length);
  }

  /** Transactions above the position, up to a masterchain block, in the order of our own subscriptions. */
  async #transactions(last: number): Promise<[Position, Transaction][]> {
    const found = new Map<string, [Position, Transaction]>();
    for (let offset = 0; this.#isOpen; offset += pageLimit) {
      const params = { account: this.#accounts, ...this.#floor, sort: "asc", limit: pageLimit, offset };
      const page = await this.#source.client.call("v3.transactions" as string, params);
      const { transactions } = page as { transactions: Transaction[] };
      for (const transaction of transactions) {
        const { mc_block_seqno: seqno, lt, hash, account } = transaction;
        const position = { seqno: seqno ?? last + 1, lt: BigInt(lt), account };
        if (position.seqno <= last && compare(position, this.#position) > 0)
          found.set(hash, [position, transaction]);
      }
      if (transactions.length < pageLimit) break;
    }
    return [...found.values()].sort(([a], [b]) => compare(a, b));
  }
}

function compare(a: Position, b: Position): number {
  if (a.seqno !== b.seqno) return a.seqno - b.seqno;
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1;
  return a.account === b.account ? 0 : a.account < b.account ? -1 : 1;
}
