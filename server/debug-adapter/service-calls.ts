/** Calls a method of a service. Rejects with an error whose message says why it was refused. */
export type CallService = (method: string, params: object) => Promise<unknown>;

/** The part of an error that clients are shown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A request that cannot be served; its message says why, and what to do. */
export class RequestError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "RequestError";
  }
}
