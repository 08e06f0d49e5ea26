/**
 * Names of headers that proxies add, in lower case: `Via`, `Forwarded`, `X-Forwarded-*` and variants, those of delivery
 * networks (`CF-*`, `CDN-Loop`), and client addresses (`X-Real-IP`, `True-Client-IP`, `Fastly-Client-IP`).
 */
const namesOfProxies = /^via$|^cf-|^cdn-|forward|proxy|-ip$/;

/** The name of a header that a proxy has added to a request; `undefined` if there is none. */
export function proxyHeaderIn(headers: Readonly<Record<string, unknown>>): string | undefined {
  for (const name in headers) if (namesOfProxies.test(name)) return name;
  return undefined;
}
