import pg from "pg";
import { PreparedStatements } from "./prepared-statements.js";
import { readRowMessages } from "./row-messages.js";

/** A connection whose queries can be `RowQuery`. */
export class WireClient extends pg.Client {
  readonly prepared = new PreparedStatements();

  constructor(config?: pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as { connection: NodeJS.EventEmitter };
    readRowMessages(connection);
    connection.on("parseComplete", () => this.prepared.confirm());
  }
}
