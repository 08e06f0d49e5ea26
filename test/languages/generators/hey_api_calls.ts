// Nine calls by clients that hey-api made; prints the answers as JSON.
import { client as clientOfV2 } from "./hey/v2/client.gen.js";
import { getAddressBalance, getMasterchainInfo } from "./hey/v2/index.js";
import { client as clientOfV3 } from "./hey/v3/client.gen.js";
import {
  v3Actions,
  v3JettonWallets,
  v3RunGetMethodPost,
  v3Traces,
  v3Transactions,
  v3TransactionsByMasterchainBlock,
} from "./hey/v3/index.js";

const env = (name: string): string => process.env[name] ?? "";
const account = env("TON_ACCOUNT");
for (const client of [clientOfV2, clientOfV3]) client.setConfig({ baseUrl: env("TON_URL") });

/** The data of an answer that is no failure. */
const taken = { throwOnError: true } as const;

const info = await getMasterchainInfo(taken);
const balance = await getAddressBalance({ ...taken, query: { address: account } });
const run = await v3RunGetMethodPost({
  ...taken,
  body: { address: env("TON_JETTON"), method: "get_jetton_data", stack: [] },
});
const transactions = await v3Transactions({
  ...taken,
  query: { account: [account, env("TON_OTHER")], start_lt: env("TON_START_LT"), sort: "asc", limit: 5 },
});
const jettons = await v3JettonWallets({ ...taken, query: { owner_address: [account] } });
const traces = await v3Traces({ ...taken, query: { trace_id: [env("TON_TRACE")] } });
const actions = await v3Actions({ ...taken, query: { account, action_type: ["jetton_transfer"] } });
const unprocessable = await getAddressBalance({ query: { address: "nobody" } });
const missing = await v3TransactionsByMasterchainBlock({
  query: { seqno: Number(env("TON_MISSING_BLOCK")) },
});

const transfers = actions.data.actions.flatMap((action) =>
  action.type === "jetton_transfer" ? [[action.details.amount, action.details.comment]] : [],
);
console.log(
  JSON.stringify({
    seqno: info.data.result.last.seqno,
    balance: balance.data.result,
    supply: run.data.stack[0]?.value,
    transactions: transactions.data.transactions.map(({ hash }) => hash),
    jettons: Object.fromEntries(
      jettons.data.jetton_wallets.map(({ address, balance }) => [address, balance]),
    ),
    trace: traces.data.traces[0]?.transactions_order?.length,
    transfers,
    unprocessable: [unprocessable.response?.status, unprocessable.error?.error],
    missing: [missing.response?.status, missing.error?.error],
  }),
);
