import type { LiteApi, LiteCall } from "./lite-api.js";

export type LiteMethod = keyof LiteApi;

/** Calls a method of a LiteApi by name. */
export type Invoke = (method: LiteMethod, request: object, call: LiteCall) => Promise<unknown>;

/** A LiteApi whose methods all call `invoke`, which must answer with the type of the method. */
export function liteApiFrom(methods: readonly LiteMethod[], invoke: Invoke): LiteApi {
  const entries = methods.map((method) => [
    method,
    (request: object = {}, call: LiteCall = {}) => invoke(method, request, call),
  ]);
  // Safe as long as `invoke` answers with the types of the interface, which its own type cannot express.
  return Object.fromEntries(entries) as LiteApi;
}

/** The inverse of `liteApiFrom`. */
export function invokerOf(api: LiteApi): Invoke {
  const methods = api as unknown as Record<LiteMethod, (request: object, call: LiteCall) => Promise<unknown>>;
  return (method, request, call) => methods[method](request, call);
}
