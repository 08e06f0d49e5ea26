import type { LiteApi, LiteCall } from "./lite-api.js";

export type LiteMethod = keyof LiteApi;

/** Any call of a LiteApi by the name of its method. */
export type Invoke = (method: LiteMethod, request: object, call: LiteCall) => Promise<unknown>;

/** A LiteApi whose methods all end in one function, which answers as the types of the method say. */
export function liteApiFrom(methods: readonly LiteMethod[], ask: Invoke): LiteApi {
  const entries = methods.map((method) => [
    method,
    (request: object = {}, call: LiteCall = {}) => ask(method, request, call),
  ]);
  // Requests and answers are those of the interface as long as `ask` keeps to it, which no type can say.
  return Object.fromEntries(entries) as LiteApi;
}

/** The other way round. */
export function invokerOf(api: LiteApi): Invoke {
  const methods = api as unknown as Record<LiteMethod, (request: object, call: LiteCall) => Promise<unknown>>;
  return (method, request, call) => methods[method](request, call);
}
