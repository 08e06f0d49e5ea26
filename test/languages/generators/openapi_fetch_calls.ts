// Nine calls by openapi-fetch with the types that openapi-typescript made; prints the answers as JSON.
import createClient from "openapi-fetch";
import type { paths as PathsOfV2 } from "./v2.js";
import type { paths as PathsOfV3 } from "./v3.js";

const env = (name: string): string => process.env[name] ?? "";
const account = env("TON_ACCOUNT");
const v2 = createClient<PathsOfV2>({ baseUrl: env("TON_URL") });
const v3 = createClient<PathsOfV3>({ baseUrl: env("TON_URL") });

const info = await v2.GET("/api/v2/getMasterchainInfo");
const balance = await v2.GET("/api/v2/getAddressBalance", { params: { query: { address: account } } });
const run = await v3.POST("/api/v3/runGetMethod", {
  body: { address: env("TON_JETTON"), method: "get_jetton_data", stack: [] },
});
const transactions = await v3.GET("/api/v3/transactions", {
  params: {
    query: { account: [account, env("TON_OTHER")], start_lt: env("TON_START_LT"), sort: "asc", limit: 5 },
  },
});
const jettons = await v3.GET("/api/v3/jetton/wallets", { params: { query: { owner_address: [account] } } });
const traces = await v3.GET("/api/v3/traces", { params: { query: { trace_id: [env("TON_TRACE")] } } });
const actions = await v3.GET("/api/v3/actions", {
  params: { query: { account, action_type: ["jetton_transfer"] } },
});
const unprocessable = await v2.GET("/api/v2/getAddressBalance", { params: { query: { address: "nobody" } } });
const missing = await v3.GET("/api/v3/transactionsByMasterchainBlock", {
  params: { query: { seqno: Number(env("TON_MISSING_BLOCK")) } },
});

const transfers = actions.data?.actions.flatMap((action) =>
  action.type === "jetton_transfer" ? [[action.details.amount, action.details.comment]] : [],
);
console.log(
  JSON.stringify({
    seqno: info.data?.result.last.seqno,
    balance: balance.data?.result,
    supply: run.data?.stack[0]?.value,
    transactions: transactions.data?.transactions.map(({ hash }) => hash),
    jettons: Object.fromEntries(
      (jettons.data?.jetton_wallets ?? []).map(({ address, balance }) => [address, balance]),
    ),
    trace: traces.data?.traces[0]?.transactions_order?.length,
    transfers,
    unprocessable: [unprocessable.response.status, unprocessable.error?.error],
    missing: [missing.response.status, missing.error?.error],
  }),
);
