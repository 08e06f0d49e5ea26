import type { z } from "zod";
import type { ResultOf } from "../../../shared/methods/define.js";
import type { v4BlockMethods } from "../../../shared/methods/v4/blocks.js";
import type { v4WatchedBlock, v4WatchedChanges } from "../../../shared/schema/v4/records.js";
import type { Unsubscribe } from "../../../shared/values/listeners.js";
import type { Access } from "../../access/access.js";
import type { Log } from "../../observe/log.js";
import type { Route } from "../routes.js";
import { needsUpgrade } from "../sockets/needs-upgrade.js";
import type { OpenSocket, SocketService } from "../sockets/websocket.js";
import { BlockFeed, type BlockNews } from "./block-feed.js";
import { WatchSession } from "./watch-session.js";

type WatchDeps = {
  /** Calls a method of this service. */
  call: (method: string, params: object) => Promise<unknown>;
  /** Notifies of every new last block. */
  onBlock: (listener: () => void) => Unsubscribe;
  access: Pick<Access, "spend">;
  log: Pick<Log, "error">;
  /** Wall clock, ms. */
  now: () => number;
};

/** A handshake costs no point. */
const admitWatch: SocketService["admit"] = (_, caller) => {
  caller.permit?.("v4.watch", 0);
  return undefined;
};

type Latest = ResultOf<typeof v4BlockMethods.latest>;
type Block = ResultOf<typeof v4BlockMethods.block>;

/** The WebSockets of v4: each new masterchain block, and with `/changed` the accounts with transactions in it. */
export class BlockWatch {
  readonly #deps: WatchDeps;
  readonly #feeds: ReadonlyMap<string, BlockFeed>;
  readonly #stop: Unsubscribe;

  constructor(deps: WatchDeps) {
    this.#deps = deps;
    const onFailed = (error: unknown) => deps.log.error({ err: error }, "a block could not be sent");
    this.#feeds = new Map([
      ["/api/v4/block/watch", new BlockFeed(() => this.#block(), onFailed)],
      ["/api/v4/block/watch/changed", new BlockFeed(() => this.#changes(), onFailed)],
    ]);
    this.#stop = deps.onBlock(() => {
      for (const feed of this.#feeds.values()) feed.advance();
    });
  }

  /** Refusals of requests without an upgrade. */
  get routes(): [path: string, route: Route][] {
    return [...this.#feeds.keys()].map((path) => [path, { surface: "v4", handlers: { GET: needsUpgrade } }]);
  }

  /** The services of WebSockets, by path. */
  get services(): ReadonlyMap<string, SocketService> {
    const entries = [...this.#feeds].map(([path, feed]): [string, SocketService] => [
      path,
      { admit: admitWatch, open: (socket) => this.#open(socket, feed) },
    ]);
    return new Map(entries);
  }

  /** Sends no more blocks. WebSockets are closed by their openers. */
  close(): void {
    this.#stop();
  }

  #open(socket: OpenSocket, feed: BlockFeed): WatchSession {
    const { access, log } = this.#deps;
    const onDefect = (error: unknown) =>
      log.error({ err: error, caller: socket.caller.id }, "connection failed");
    const session = new WatchSession({ ...socket, access, onDefect });
    socket.webSocket.once("close", () => feed.leave(session));
    feed.join(session);
    return session;
  }

  async #block(): Promise<BlockNews> {
    const { last, now: time } = await this.#latest();
    const now = Math.floor(this.#deps.now() / 1000);
    const content: z.output<typeof v4WatchedBlock> = { seqno: last.seqno, time, now };
    return { key: last.rootHash, content };
  }

  async #changes(): Promise<BlockNews> {
    const { last, now } = await this.#latest();
    const { seqno, rootHash: key } = last;
    const found = (await this.#deps.call("v4.block", { seqno })) as Block;
    const changed: z.output<typeof v4WatchedChanges>["changed"] = {};
    // The transactions of an account are in the order of their logical times.
    for (const { transactions } of found.exist ? found.block.shards : [])
      for (const { account, lt, hash } of transactions) changed[account] = { lt, hash };
    return { key, content: { seqno, changed, lastUtime: now } };
  }

  async #latest(): Promise<Latest> {
    return (await this.#deps.call("v4.latest", {})) as Latest;
  }
}
