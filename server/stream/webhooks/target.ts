import { isLoopbackName } from "../../os/loopback.js";
import { hasCredentials, hasWebPort, mayBePublic } from "../../os/public-address.js";

/**
 * The reason why a URL must not receive deliveries; `undefined` if it may, judging by the URL alone. On a devnet
 * (`isLocal`), programs on the same machine may receive too, on any port. Resolved addresses are checked at each
 * attempt.
 */
export function targetRefusal(url: URL, isLocal: boolean): string | undefined {
  if (url.protocol !== "https:" && !(isLocal && url.protocol === "http:"))
    return "url must begin with https://";
  if (hasCredentials(url)) return "url must not have a user or a password";
  if (isLocal && isLoopbackName(url.hostname)) return undefined;
  if (!mayBePublic(url)) return "url must name a public host";
  return hasWebPort(url) ? undefined : "url must use port 443 or 80";
}
