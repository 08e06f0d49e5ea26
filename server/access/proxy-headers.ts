/**
 * Names that proxies give to what they add, in lower case: `Via`, `Forwarded`, `X-Forwarded-*` and their variants, headers
 * of networks such as `CF-*` and `CDN-Loop`, and addresses such as `X-Real-IP`, `True-Client-IP` and `Fastly-Client-IP`.
 */
const namesOfProxies = /^via$|^cf-|^cdn-|forward|proxy|-ip$/;

/** The name of a header that a proxy has added to a request; `undefined` if there is none. */
export function proxyHeaderIn(headers: Readonly<Record<string, unknown>>): string | undefined {
  for (const name in headers) if (namesOfProxies.test(name)) return name;
  return undefined;
}
