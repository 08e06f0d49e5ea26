import type { Call } from "../call.js";

// v3 methods over REST, for services that do not offer them by JSON-RPC.

/** Path with query, relative to the origin of the endpoint, and the request's method and body. */
export type RestRequest = readonly [path: string, request: RequestInit];

/** Whether a method belongs to API v3. */
export function isV3(method: string): boolean {
  return method.startsWith("v3.");
}

const posted = /^v3\.(message|runGetMethod|estimateFee)$/;

/**
 * The REST request of a v3 method: `/api/v3/<name with slashes for dots>`, with parameters in the query or, for three
 * methods, in the body. `undefined` for other methods.
 */
export function restRequest({ method, params }: Call): RestRequest | undefined {
  if (!isV3(method)) return undefined;
  const path = `/api/v3/${method.slice(3).replaceAll(".", "/")}`;
  if (posted.test(method)) return [path, { method: "POST", body: params }];
  const query = new URLSearchParams();
  // As a side of a message `null` is a value, written as the word; elsewhere it means that the parameter is absent.
  for (const [name, value] of Object.entries(JSON.parse(params)))
    for (const each of [value].flat())
      if (each !== null || /messages(source|dest)/.test(method + name)) query.append(name, each as string);
  return [`${path}?${query}`, {}];
}
