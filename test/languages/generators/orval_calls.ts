// Nine calls by clients that orval made, which throw nothing; prints the answers as JSON.
import { getAddressBalance, getMasterchainInfo } from "./orval/v2.js";
import {
  v3Actions,
  v3JettonWallets,
  v3RunGetMethodPost,
  v3Traces,
  v3Transactions,
  v3TransactionsByMasterchainBlock,
} from "./orval/v3.js";

const env = (name: string): string => process.env[name] ?? "";
const account = env("TON_ACCOUNT");

const info = taken(await getMasterchainInfo());
const balance = taken(await getAddressBalance({ address: account }));
const run = taken(
  await v3RunGetMethodPost({ address: env("TON_JETTON"), method: "get_jetton_data", stack: [] }),
);
const { transactions } = taken(
  await v3Transactions({
    account: [account, env("TON_OTHER")],
    start_lt: env("TON_START_LT"),
    sort: "asc",
    limit: 5,
  }),
);
const { jetton_wallets } = taken(await v3JettonWallets({ owner_address: [account] }));
const { traces } = taken(await v3Traces({ trace_id: [env("TON_TRACE")] }));
const { actions } = taken(await v3Actions({ account, action_type: ["jetton_transfer"] }));
const unprocessable = await getAddressBalance({ address: "nobody" });
const missing = await v3TransactionsByMasterchainBlock({ seqno: Number(env("TON_MISSING_BLOCK")) });

console.log(
  JSON.stringify({
    seqno: info.result.last.seqno,
    balance: balance.result,
    supply: run.stack[0]?.value,
    transactions: transactions.map(({ hash }) => hash),
    jettons: Object.fromEntries(jetton_wallets.map(({ address, balance }) => [address, balance])),
    trace: traces[0]?.transactions_order?.length,
    transfers: actions.flatMap((action) =>
      action.type === "jetton_transfer" ? [[action.details.amount, action.details.comment]] : [],
    ),
    unprocessable: unprocessable.status === 422 && [422, unprocessable.data.error],
    missing: missing.status === 404 && [404, missing.data.error],
  }),
);

type Answer = { readonly status: number; readonly data: unknown };

/** The data of an answer that is no failure. */
function taken<T extends Answer>(answer: T): Extract<T, { status: 200 }>["data"] {
  if (answer.status !== 200) throw new Error(JSON.stringify(answer));
  return answer.data;
}
