import { Socket } from "node:net";
import pg from "pg";
import { AnswerSocket } from "./answer-socket.js";
import { PreparedStatements } from "./prepared-statements.js";
import { readRowMessages } from "./row-messages.js";

/** A connection whose queries can be `RowQuery`. */
export class WireClient extends pg.Client {
  readonly prepared = new PreparedStatements();

  constructor(config?: pg.ClientConfig) {
    super({ stream: socketFor, ...config });
    const { connection } = this as unknown as { connection: NodeJS.EventEmitter };
    readRowMessages(connection);
    connection.on("parseComplete", () => this.prepared.confirm());
  }
}

/** What is encrypted is read by the socket around it. */
function socketFor(config?: Pick<pg.ClientConfig, "ssl">): Socket {
  return config?.ssl ? new Socket() : new AnswerSocket();
}
