import type { Call } from "../call.js";

// v3 methods over REST, for services that have them there alone.

export type RestRequest = readonly [path: string, request: RequestInit];

export function isV3(method: string): boolean {
  return method.startsWith("v3.");
}

const posted = /^v3\.(message|runGetMethod|estimateFee)$/;

/** For a v3 method `/api/v3/<rest of the name, dots to slashes>` with the parameters in the query or, for some, in the body. */
export function restRequest({ method, params }: Call): RestRequest | undefined {
  if (!isV3(method)) return undefined;
  const path = `/api/v3/${method.slice(3).replaceAll(".", "/")}`;
  if (posted.test(method)) return [path, { method: "POST", body: params }];
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(JSON.parse(params)))
    for (const each of [value].flat()) if (each !== null) query.append(name, each as string);
  return [`${path}?${query}`, {}];
}
