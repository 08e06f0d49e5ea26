/**
 * The reason why a query was not answered, or a connection ended. `garbage`: the peer violated the protocol, which
 * honest servers never do. `silent`: timeout. `closed`: closed by this side. `unreachable` and `lost` are network
 * failures.
 */
type Trouble = "unreachable" | "lost" | "silent" | "closed" | "garbage";

/** The query was not answered; the server may or may not have processed it. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly trouble: Trouble;

  constructor(trouble: Trouble, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.trouble = trouble;
  }
}
