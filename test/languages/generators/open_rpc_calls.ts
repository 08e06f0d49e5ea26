// Nine calls by the client that @open-rpc/generator made, which sends parameters by position; prints the answers as JSON.
import { type JettonTransferAction, Tonwire } from "./client/typescript/src/index.js";

const env = (name: string): string => process.env[name] ?? "";
const account = env("TON_ACCOUNT");
const { hostname, port } = new URL(env("TON_URL"));
const client = new Tonwire({
  transport: { type: "http", host: hostname, port: Number(port), path: "/jsonRPC" },
});

type Named = { readonly name: string };
const methods = Tonwire.openrpcDocument.methods as (Named & { readonly params: readonly Named[] })[];

/**
 * Calls a method with some of its parameters; the client's types require all of them, in the document's order. A `sort` is
 * needed: the client checks the parameter of that name of its array where it has none, and that is the array's method.
 */
function call<Name extends "getAddressBalance" | (`v3.${string}` & keyof Tonwire)>(
  name: Name,
  params: Readonly<Record<string, unknown>>,
): ReturnType<Tonwire[Name]> {
  const order = methods.find((each) => each.name === name)?.params ?? [];
  const method = client[name] as (...params: unknown[]) => ReturnType<Tonwire[Name]>;
  return method(...order.map((each) => params[each.name]));
}

async function main(): Promise<void> {
  const info = await client.getMasterchainInfo();
  const balance = await call("getAddressBalance", { address: account });
  const run = await call("v3.runGetMethod", {
    address: env("TON_JETTON"),
    method: "get_jetton_data",
    stack: [],
  });
  const { transactions } = await call("v3.transactions", {
    account: [account, env("TON_OTHER")],
    start_lt: env("TON_START_LT"),
    sort: "asc",
    limit: 5,
  });
  const { jetton_wallets } = await call("v3.jetton.wallets", { owner_address: [account], sort: "desc" });
  const { traces } = await call("v3.traces", { trace_id: [env("TON_TRACE")], sort: "desc" });
  const { actions } = await call("v3.actions", {
    account,
    action_type: ["jetton_transfer"],
    sort: "desc",
  });
  const block = { seqno: Number(env("TON_MISSING_BLOCK")), sort: "desc" };
  console.log(
    JSON.stringify({
      seqno: info.last.seqno,
      balance,
      supply: run.stack[0]?.value,
      transactions: transactions.map(({ hash }) => hash),
      jettons: Object.fromEntries(jetton_wallets.map(({ address, balance }) => [address, balance])),
      trace: traces[0]?.transactions_order?.length,
      transfers: actions.map((action) => {
        const { amount, comment } = (action as JettonTransferAction).details;
        return [amount, comment];
      }),
      unprocessable: await refusal(call("getAddressBalance", { address: env("TON_WRONG_ADDRESS") })),
      missing: await refusal(call("v3.transactionsByMasterchainBlock", block)),
    }),
  );
}

/** The status of the error that a call is answered with, and its text. */
async function refusal(answer: Promise<unknown>): Promise<readonly [status: number, error: string]> {
  const error = (await answer.then(
    () => undefined,
    (reason: unknown) => reason,
  )) as { readonly message: string; readonly data: { readonly code: number } };
  return [error.data.code, error.message];
}

void main();
