import type { Call } from "../call.js";

// v3 methods over REST, for services that do not offer them by JSON-RPC.

/** Path with query, relative to the origin of the endpoint, and the request's method and body. */
export type RestRequest = readonly [path: string, request: RequestInit];

/** Whether a method belongs to API v3. */
export function isV3(method: string): boolean {
  return method.startsWith("v3.");
}

/** `message`, `runGetMethod`, `estimateFee` and `emulate`. */
const posted = /^v3\.(message$|run|es|em)/;

/**
 * The REST request of a v3 method: `/api/v3/<name with slashes for dots>`, with parameters in the query or, for a few
 * methods, in the body. Emulation is a separate service beside v3. `undefined` for other methods.
 */
export function restRequest({ method, params }: Call): RestRequest | undefined {
  if (!isV3(method)) return undefined;
  const path = `/api/${method.replaceAll(".", "/").replace("v3/emulate/t", "emulate/v1/emulateT")}`;
  if (posted.test(method)) return [path, { method: "POST", body: params }];
  const query = new URLSearchParams();
  // As a side of a message `null` is a value, written as the word; elsewhere it means that the parameter is absent.
  const asked = JSON.parse(params);
  for (const name in asked)
    for (const each of [asked[name]].flat())
      if (each !== null || /messages(source|dest)/.test(method + name)) query.append(name, each);
  return [`${path}?${query}`, {}];
}
