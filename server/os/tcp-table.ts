import { createReadStream } from "node:fs";
import type { Socket } from "node:net";
import { findRows, sidesInTable, type TcpRow } from "./tcp-rows.js";

/** A connection as its socket in this process shows it. */
export type TcpConnection = Partial<
  Pick<Socket, "remoteAddress" | "remotePort" | "localAddress" | "localPort">
>;

/**
 * The other side of a connection on this machine: the user of its socket; `closed` if it is no longer open; `unknown` if the
 * kernel does not show it.
 */
type OtherSide = { readonly user: number } | "closed" | "unknown";

/** The text of a table in pieces. */
type OpenTable = (path: string) => AsyncIterable<string>;
type Reading = { readonly rows: ReadonlyMap<string, TcpRow>; readonly isEmpty: boolean };

const openTable: OpenTable = (path) => createReadStream(path, { encoding: "latin1" });
const kernelTables = ["/proc/net/tcp", "/proc/net/tcp6"];
/** Codes of errors by which a kernel has no table, or keeps it from this process. */
const withoutTable = new Set(["ENOENT", "ENOTDIR", "EACCES", "EPERM"]);
/** A row can be left out of a reading while others of its hash are removed. */
const maxReadings = 3;

/**
 * Finds the users of TCP sockets in the tables of Linux. A table is read in pieces of a page, so that a long one does not
 * block the thread. One reading runs at a time; look-ups that begin meanwhile share the next one.
 */
export class TcpTable {
  readonly #paths: readonly string[];
  readonly #open: OpenTable;
  /** Settles once no reading runs. */
  #idle: Promise<unknown> | undefined;
  #next: { readonly wanted: Set<string>; readonly reading: Promise<Reading> } | undefined;

  constructor(paths: readonly string[] = kernelTables, open: OpenTable = openTable) {
    this.#paths = paths;
    this.#open = open;
  }

  /** Rejects if the tables cannot be read now, as without a free file descriptor. */
  async otherSideOf(connection: TcpConnection): Promise<OtherSide> {
    const { remoteAddress, remotePort, localAddress, localPort } = connection;
    if (!remoteAddress || !remotePort || !localAddress || !localPort) return "closed";
    const here = { address: localAddress, port: localPort };
    const there = { address: remoteAddress, port: remotePort };
    const theirs = sidesInTable(there, here);
    const ours = sidesInTable(here, there);
    for (let readings = 1; ; readings++) {
      const { rows, isEmpty } = await this.#find([theirs, ours]);
      const row = rows.get(theirs);
      if (row) return row.isEstablished ? { user: row.user } : "closed";
      if (isEmpty) return "unknown";
      // A reset removes both sockets.
      if (readings === maxReadings) return rows.get(ours)?.isEstablished ? "unknown" : "closed";
    }
  }

  /** The rows with these sides, and maybe others, in a reading that begins after this call. */
  #find(sides: readonly string[]): Promise<Reading> {
    if (!this.#next) {
      const wanted = new Set<string>();
      const reading = this.#readNext(wanted);
      // Those who wait for this reading get its failure; the next one does not depend on it.
      this.#idle = reading.catch(() => {});
      this.#next = { wanted, reading };
    }
    for (const each of sides) this.#next.wanted.add(each);
    return this.#next.reading;
  }

  async #readNext(wanted: ReadonlySet<string>): Promise<Reading> {
    await this.#idle;
    this.#next = undefined;
    const found = new Map<string, TcpRow>();
    let rows = 0;
    for (const path of this.#paths)
      if (found.size < wanted.size) rows += await readTable(this.#open(path), wanted, found);
    return { rows: found, isEmpty: rows === 0 };
  }
}

/** Adds the wanted rows of a table to `found`. Returns the number of all its rows: 0 if there is no such table. */
async function readTable(
  pieces: AsyncIterable<string>,
  wanted: ReadonlySet<string>,
  found: Map<string, TcpRow>,
): Promise<number> {
  let count = 0;
  let rest = "";
  try {
    for await (const piece of pieces) {
      const read = findRows(rest + piece, wanted, found);
      count += read.rows;
      ({ rest } = read);
    }
  } catch (error) {
    if (!withoutTable.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
  return count;
}
