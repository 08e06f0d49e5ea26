/** Calls a method of the devnet's service. */
export type Call = <Result>(method: string, params: object) => Promise<Result>;

/** An error that the service answered. */
export class AnsweredError extends Error {
  /** `error.data` of the answer. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(message: string, data: Readonly<Record<string, unknown>>) {
    super(message);
    this.data = data;
  }
}

type Answer = { result: never; error?: { message: string; data?: Record<string, unknown> } };

/** Calls the service as its clients do. */
export function caller(url: string, key: string): Call {
  return async (method, params) => {
    const response = await fetch(`${url}/jsonRPC`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-API-Key": key },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as Answer;
    if (error) throw new AnsweredError(`${method}: ${error.message}`, error.data ?? {});
    return result;
  };
}
