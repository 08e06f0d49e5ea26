import { Socket } from "node:net";
import pg from "pg";
import { AnswerSocket } from "./answer-socket.js";
import { readRowMessages } from "./pg-members.js";
import { PreparedStatements } from "./prepared-statements.js";

/** A connection whose queries can be `RowQuery`. */
export class WireClient extends pg.Client {
  readonly prepared = new PreparedStatements();

  /** `readsBytes`: whether rows are read as bytes, which takes members that this version of `pg` may lack. */
  constructor(config: pg.ClientConfig, readsBytes: boolean) {
    super(readsBytes ? { stream: socketFor, ...config } : config);
    // Pending queries reject as well. Without a listener the event would end the process: a pool has none between the
    // beginning of a connection and its first query, and the server's last message may come together with its first ones.
    this.on("error", () => {});
    if (readsBytes) readRowMessages(this);
  }
}

/** The socket around it reads encrypted bytes. */
function socketFor(config?: Pick<pg.ClientConfig, "ssl">): Socket {
  return config?.ssl ? new Socket() : new AnswerSocket();
}

/** For a pool, which makes its clients itself. */
export function clientsWith(config: pg.ClientConfig, readsBytes: boolean): new () => pg.Client {
  return class extends WireClient {
    constructor() {
      super(config, readsBytes);
    }
  };
}
