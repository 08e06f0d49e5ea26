import { createHash } from "node:crypto";
import type { Row } from "../harness.js";
import type { Pair } from "./pair.js";
import { v2Question } from "./requests.js";
import type { Server } from "./server.js";

/** A get-method without arguments. */
type Getter = { address: string; method: string };

/** Accounts and get-methods, requested repeatedly and for the first time. */
export function rowsOfV2(pair: Pair, getter: Getter): Row[] {
  const read = (server: Server, address: string) => v2Question(server, "getAddressInformation", { address });
  const run = (server: Server, stack: unknown[]) => v2Question(server, "runGetMethod", { ...getter, stack });
  return [
    pair.row("getAddressInformation, repeated", (_, server) => read(server, getter.address)),
    pair.row("getAddressInformation, a new address each time", (number, server) =>
      read(server, newAddress(number)),
    ),
    pair.row("runGetMethod, repeated", (_, server) => run(server, [])),
    pair.row("runGetMethod, a new stack each time", (number, server) => run(server, [["num", `${number}`]])),
  ];
}

function newAddress(number: number): string {
  return `0:${createHash("sha256").update(`${number}`).digest("hex")}`;
}
