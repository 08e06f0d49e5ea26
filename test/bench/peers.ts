// Our service beside other programs that serve TON Center's API, on the same requests. Each is given by a variable:
//
//   TONWIRE_BENCH_ACTON         the path of `acton`, or the URL of a localnet that runs
//   TONWIRE_BENCH_TON_HTTP_API  the path of `ton-http-api` (pip install ton-http-api), or the URL of its methods
//   TONWIRE_BENCH_TON_INDEX_GO  the URL of a ton-index-go
//   TONWIRE_BENCH_URL           the URL of a service of ours, for a ton-http-api or ton-index-go that runs: on the same
//                               network, with the same blocks in its index, and without limits for its callers
//
// A peer given by its path is started, and its cost is the processor time of its process and all that this one
// started, so the machine may be busy. What runs already spends the time on the clock, unless the number of its process
// stands behind the URL (http://127.0.0.1:8080#4711). The bench runs on Linux, after `npm run build`.
import type { Row, Suite } from "./harness.js";
import { actonRows } from "./peers/acton.js";
import { type Closable, isUrl } from "./peers/server.js";
import { tonHttpApiRows } from "./peers/ton-http-api.js";
import { tonIndexGoRows } from "./peers/ton-index-go.js";

const opened: Closable[] = [];

export const suite: Suite = {
  title:
    "Peers, per request in us, if not said otherwise (baseline: the peer; ratio: how many times we are faster)",
  needs: "peers, which test/bench/peers.ts names",
  async rows() {
    return [...(await acton()), ...(await tonHttpApi()), ...(await tonIndexGo())];
  },
  async close() {
    await Promise.all(opened.splice(0).map((each) => each.close()));
  },
};

const { env } = process;
const ourUrl = env["TONWIRE_BENCH_URL"];
const needsOurs = "TONWIRE_BENCH_URL must have the URL of our service on the same network";

async function acton(): Promise<Row[]> {
  const given = env["TONWIRE_BENCH_ACTON"];
  if (!given) return skip("Acton", "TONWIRE_BENCH_ACTON has no path of acton and no URL of its localnet");
  return actonRows(given, opened);
}

async function tonHttpApi(): Promise<Row[]> {
  const name = "ton-http-api";
  const given = env["TONWIRE_BENCH_TON_HTTP_API"];
  if (!given)
    return skip(name, "TONWIRE_BENCH_TON_HTTP_API has no path of ton-http-api and no URL of its methods");
  return (await tonHttpApiRows(given, ourUrl, opened)) ?? skip(name, needsOurs);
}

async function tonIndexGo(): Promise<Row[]> {
  const name = "ton-index-go";
  const given = env["TONWIRE_BENCH_TON_INDEX_GO"];
  if (!given) return skip(name, "TONWIRE_BENCH_TON_INDEX_GO has no URL of it");
  if (!isUrl(given))
    return skip(name, "it reads a database that only its own worker fills, so name the URL of one that runs");
  return ourUrl ? tonIndexGoRows(given, ourUrl) : skip(name, needsOurs);
}

function skip(name: string, reason: string): Row[] {
  console.log(`${name} is left out: ${reason}`);
  return [];
}
