import { expect, inject } from "vitest";
import { fetchJson } from "./fetch-json.js";

/** The JSON output of a program after nine calls by the client that a tool made. */
type Answers = {
  /** getMasterchainInfo: seqno of the last block. */
  readonly seqno: number;
  /** getAddressBalance */
  readonly balance: string;
  /** v3 runGetMethod, `get_jetton_data`: the first value of the stack. */
  readonly supply: string;
  /** v3 transactions of two accounts from a logical time on, oldest first: the hashes of five. */
  readonly transactions: readonly string[];
  /** v3 jetton wallets of an owner: balances by address. */
  readonly jettons: Readonly<Record<string, string>>;
  /** v3 traces, by id: how many transactions it has. */
  readonly trace: number;
  /** v3 actions of type `jetton_transfer` of an account: amount and comment, from their typed details. */
  readonly transfers: readonly (readonly [amount: string, comment: string | null])[];
  /** getAddressBalance of what is no address: status and typed error. */
  readonly unprocessable: readonly [status: number, error: string];
  /** v3 transactionsByMasterchainBlock of a block that does not exist: status and typed error. */
  readonly missing: readonly [status: number, error: string];
};

type Listed = {
  readonly transactions: readonly { readonly hash: string }[];
  readonly jetton_wallets: readonly {
    readonly address: string;
    readonly balance: string;
    readonly jetton: string;
  }[];
  readonly traces: readonly { readonly trace_id: string; readonly transactions_order: readonly string[] }[];
  readonly actions: readonly {
    readonly trace_id: string;
    readonly details: { readonly amount: string; readonly comment: string | null };
  }[];
};

const { url, wallets } = inject("devnet");
const account = wallets["Ann"]!.address;
const other = wallets["Ben"]!.address;
const startLt = "30000000";
const missingBlock = "99999";

const list = (path: string, query: Record<string, string>) => fetchJson<Listed>(url, path, query);
const actionsQuery = { account, action_type: "jetton_transfer", limit: "10" };
const jettonWallets = async () =>
  (await list("/api/v3/jetton/wallets", { owner_address: account })).jetton_wallets;

/** The arguments of a program's calls, as variables of its environment. */
export async function nineCalls(): Promise<Record<string, string>> {
  const [[wallet], { actions }] = await Promise.all([jettonWallets(), list("/api/v3/actions", actionsQuery)]);
  return {
    TON_URL: url,
    TON_ACCOUNT: account,
    TON_OTHER: other,
    TON_START_LT: startLt,
    TON_JETTON: wallet!.jetton,
    TON_TRACE: actions[0]!.trace_id,
    TON_MISSING_BLOCK: missingBlock,
  };
}

/**
 * Fails unless a program printed what the service answers to the same calls. `wrongAddress` is what it sent for an address:
 * some clients send only what has the form of one.
 */
export async function expectNineAnswers(printed: string, wrongAddress = "nobody"): Promise<void> {
  expect(JSON.parse(printed)).toEqual(await answers(wrongAddress));
}

/** As above, for programs whose client has some of the calls; `names` are the calls that it must have printed. */
export async function expectAnswers(printed: string, names: readonly (keyof Answers)[]): Promise<void> {
  const all = await answers();
  expect(JSON.parse(printed)).toEqual(Object.fromEntries(names.map((name) => [name, all[name]])));
}

async function answers(wrongAddress = "nobody"): Promise<Answers> {
  const { TON_JETTON: jetton, TON_TRACE: trace } = await nineCalls();
  type Info = { result: { last: { seqno: number } } };
  const info = await fetchJson<Info>(url, "/api/v2/getMasterchainInfo");
  const balance = await fetchJson<{ result: string }>(url, "/api/v2/getAddressBalance", { address: account });
  const run = await fetch(`${url}/api/v3/runGetMethod`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ address: jetton, method: "get_jetton_data", stack: [] }),
  });
  const { stack } = (await run.json()) as { stack: [{ value: string }] };
  const accounts = new URLSearchParams({ start_lt: startLt, sort: "asc", limit: "5" });
  for (const each of [account, other]) accounts.append("account", each);
  const { transactions } = await fetchJson<Listed>(url, `/api/v3/transactions?${accounts}`);
  const { traces } = await list("/api/v3/traces", { trace_id: trace! });
  const { actions } = await list("/api/v3/actions", actionsQuery);
  return {
    seqno: info.result.last.seqno,
    balance: balance.result,
    supply: stack[0].value,
    transactions: transactions.map(({ hash }) => hash),
    jettons: Object.fromEntries((await jettonWallets()).map(({ address, balance }) => [address, balance])),
    trace: traces[0]!.transactions_order.length,
    transfers: actions.map(({ details: { amount, comment } }) => [amount, comment]),
    unprocessable: [422, await refusal(`/api/v2/getAddressBalance?address=${wrongAddress}`)],
    missing: [404, await refusal(`/api/v3/transactionsByMasterchainBlock?seqno=${missingBlock}`)],
  };
}

async function refusal(path: string): Promise<string> {
  const { error } = (await (await fetch(`${url}${path}`)).json()) as { error: string };
  return error;
}
