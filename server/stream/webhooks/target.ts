import { isLoopbackName } from "../../os/loopback.js";
import { mayBePublic } from "../../os/public-address.js";

const ports = ["", "80", "443"];

/**
 * Why nothing may be delivered to a URL; `undefined` if it may, as far as the URL shows. On a devnet (`isLocal`), programs
 * on its machine may receive too, on any port. What a name resolves to is checked at each attempt.
 */
export function targetRefusal(url: URL, isLocal: boolean): string | undefined {
  if (url.protocol !== "https:" && !(isLocal && url.protocol === "http:"))
    return "url must begin with https://";
  if (url.username !== "" || url.password !== "") return "url must not have a user or a password";
  if (isLocal && isLoopbackName(url.hostname)) return undefined;
  if (!mayBePublic(url)) return "url must name a public host";
  return ports.includes(url.port) ? undefined : "url must use port 443 or 80";
}
