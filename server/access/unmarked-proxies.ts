import type { Fallback } from "../observe/fallback.js";
import type { Log } from "../observe/log.js";
import { ownUser } from "../os/file-owner.js";
import type { TcpConnection, TcpTable } from "../os/tcp-table.js";

/** How a request was sent. */
export type Transfer = {
  /** The version of HTTP, such as `1.1`. */
  readonly httpVersion: string;
  /** The same object for all requests of a connection. */
  readonly connection: TcpConnection;
};

/** Why a request is not of a program of a trusted user; `undefined` if it is. A promise while its connection is looked up. */
export type Refusal = string | undefined | Promise<string | undefined>;

type UnmarkedProxiesOptions = {
  /** Absent on systems without such a table: there only the version of HTTP shows a proxy. */
  table: TcpTable | undefined;
  users: ReadonlySet<number>;
  log: Pick<Log, "warn">;
  fallback: Fallback;
};

const orSwitchOff = "or set --devnet-key-required false";
const oldHttp = `it came over HTTP/1.0, as from a proxy; send the key that the start printed, ${orSwitchOff}`;
const ofOtherUser =
  "it came over another user's connection, or a proxy's; send the key that the start printed, start the devnet as that user, " +
  orSwitchOff;
const closed = "its sender has closed the connection";
const unreadable = "the user of its connection cannot be read from the kernel now";

/**
 * Detects reverse proxies that add no header and send a local `Host`: by HTTP/1.0, which nginx before 1.29.7 speaks by default,
 * and by the user of the connection, as most have their own. A connection is looked up once, for its first request.
 */
export class UnmarkedProxies {
  readonly #options: UnmarkedProxiesOptions;
  readonly #refusals = new WeakMap<TcpConnection, { readonly refusal: Refusal }>();
  #hasWarned = false;
  #hasLogged = false;

  constructor(options: UnmarkedProxiesOptions) {
    this.#options = options;
  }

  /** For a request that looks local otherwise. */
  whyProxied({ httpVersion, connection }: Transfer): Refusal {
    if (httpVersion === "1.0") return this.#refuse(oldHttp);
    const { table } = this.#options;
    if (!table) return undefined;
    const known = this.#refusals.get(connection);
    if (known) return known.refusal;
    const refusal = this.#lookUp(table, connection);
    this.#refusals.set(connection, { refusal });
    return refusal;
  }

  async #lookUp(table: TcpTable, connection: TcpConnection): Promise<string | undefined> {
    try {
      const refusal = await this.#refusalOf(table, connection);
      this.#refusals.set(connection, { refusal });
      return refusal;
    } catch (error) {
      // The next request tries again.
      this.#refusals.delete(connection);
      return this.#refuse(unreadable, { err: error });
    }
  }

  async #refusalOf(table: TcpTable, connection: TcpConnection): Promise<string | undefined> {
    const side = await table.otherSideOf(connection);
    if (side === "closed") return closed;
    if (side === "unknown") return this.#accept();
    const { user } = side;
    return this.#options.users.has(user) ? undefined : this.#refuse(ofOtherUser, { user });
  }

  #accept(): undefined {
    if (!this.#hasWarned) this.#options.fallback("connection-users", "the kernel does not show them");
    this.#hasWarned = true;
  }

  /** Logged once: then the operator of a proxy knows why its callers are refused and limited. */
  #refuse(refusal: string, details: object = {}): string {
    if (!this.#hasLogged)
      this.#options.log.warn(details, `a caller is limited, and needs the devnet's key: ${refusal}`);
    this.#hasLogged = true;
    return refusal;
  }
}

const root = 0;

/**
 * Ids of the users whose programs may do what the one who started this process may: its own user and root, and the caller of
 * sudo if it runs as root.
 */
export function trustedUsers(
  own: number | undefined = ownUser(),
  environment: NodeJS.ProcessEnv = process.env,
): ReadonlySet<number> {
  const users = new Set([root]);
  if (own !== undefined) users.add(own);
  const caller = environment["SUDO_UID"] ?? "";
  if (own === root && /^\d{1,10}$/.test(caller)) users.add(Number(caller));
  return users;
}
