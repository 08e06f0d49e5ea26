import type { Row } from "../harness.js";
import { Pair } from "./pair.js";
import { ask, type Question } from "./requests.js";
import { Server } from "./server.js";

/**
 * Pages of v3. ton-index-go reads a database that ton-index-worker fills from the files of a node, so it is compared where
 * it runs, with the service at `ourUrl` that has indexed the same blocks of the same network.
 */
export async function tonIndexGoRows(url: string, ourUrl: string): Promise<Row[]> {
  const ours = Server.running(ourUrl);
  const theirs = Server.running(url);
  const pair = new Pair("ton-index-go", { ours, theirs });
  const account = await busyAccount(ours);
  await Promise.all([ours, theirs].map((server) => checkData(server, account)));
  const by = (path: string, filter: string, limit: number) => (newest: string) =>
    page(path, { [filter]: account, limit, end_lt: newest });
  return [
    pair.row("transactions, 10, repeated", () => page("transactions", { account, limit: 10 })),
    pair.row("transactions, 10, a new question each time", asked(by("transactions", "account", 10))),
    pair.row("transactions, 1000, a new question each time", asked(by("transactions", "account", 1000))),
    pair.row("messages, 100, a new question each time", asked(by("messages", "destination", 100))),
    pair.row("traces, 10, a new question each time", asked(by("traces", "account", 10))),
  ];
}

/** Ends in the far future, so that all these questions have the same rows. Clients request a further page like this. */
const asked = (question: (newest: string) => Question) => (number: number) =>
  question(`${9_000_000_000_000_000_000n + BigInt(number)}`);

function page(path: string, params: Readonly<Record<string, string | number>>): Question {
  const search = new URLSearchParams(Object.entries(params).map(([name, value]) => [name, `${value}`]));
  return { path: `/api/v3/${path}?${search}` };
}

type Transactions = { transactions: readonly { account: string }[] };

async function busyAccount(server: Server): Promise<string> {
  const { transactions } = (await ask(server, page("transactions", { limit: 1000 }))) as Transactions;
  const counts = new Map<string, number>();
  for (const { account } of transactions) counts.set(account, (counts.get(account) ?? 0) + 1);
  const [busiest] = [...counts].sort(([, a], [, b]) => b - a);
  if (!busiest) throw new Error(`${server.origin} has no transactions`);
  return busiest[0];
}

async function checkData(server: Server, account: string): Promise<void> {
  const { transactions } = (await ask(
    server,
    page("transactions", { account, limit: 1000 }),
  )) as Transactions;
  console.log(`${server.origin}: ${transactions.length} of at most 1000 transactions of ${account}`);
}
