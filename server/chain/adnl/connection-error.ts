/**
 * Why a question got no answer, or a connection ended. `garbage`: the other side broke the protocol, which no
 * honest server does; all others can happen to anybody.
 */
export type Trouble = "unreachable" | "lost" | "silent" | "closed" | "garbage";

/** There is no answer, and what became of the question is not known. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly trouble: Trouble;

  constructor(trouble: Trouble, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.trouble = trouble;
  }
}
