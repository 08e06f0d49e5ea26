/** Origin of the page. */
export type Page = { readonly host: string; readonly origin: string };

/** The page, if it comes from this machine; throws otherwise. */
export function localPage(): Page {
  if (typeof location === "undefined") throw new Error("a wallet can be injected into a page only");
  const { hostname, host, origin } = location;
  if (!isLoopback(hostname))
    throw new Error(
      `the devnet's wallet is for pages of this machine, such as http://localhost: this is ${origin}`,
    );
  return { host, origin };
}

/** Names under localhost do not leave the machine (RFC 6761); URLs have addresses in the shortest form. */
function isLoopback(hostname: string): boolean {
  return /^(.+\.)?localhost$|^127\.\d+\.\d+\.\d+$|^\[::1\]$/.test(hostname);
}

/** A value that the page keeps between loads; in memory if the browser has no storage for it. */
export class Kept {
  readonly #name: string;
  #value: string | null = null;

  constructor(name: string) {
    this.#name = name;
  }

  get(): string | null {
    try {
      return localStorage!.getItem(this.#name);
    } catch {
      // The browser refuses storage: the value is kept in memory.
      return this.#value;
    }
  }

  set(value: string | null): void {
    this.#value = value;
    try {
      if (value === null) localStorage!.removeItem(this.#name);
      else localStorage!.setItem(this.#name, value);
    } catch {
      // It is kept in memory.
    }
  }
}
