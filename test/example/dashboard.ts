// A live view of a devnet, made of nothing but the client. The address of the service and the key come in the query:
// ?service=http://127.0.0.1:8081&key=...
import { createClient, fromNano, http, isRpcError, nano, toNano } from "../../client/index.js";

const query = new URLSearchParams(location.search);
const everyMs = 1000;

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const show = (id: string, text: string | number) => {
  element(id).textContent = String(text);
};

let calls = 0;
let requests = 0;
const countedFetch: typeof fetch = (...args) => {
  requests++;
  return fetch(...args);
};
const client = createClient({
  transport: http(`${query.get("service") ?? location.origin}/jsonRPC`, { fetch: countedFetch }),
  apiKey: query.get("key") ?? undefined,
});

/** Counts a call; what is made in one moment goes out as one request all the same. */
function counted<T>(answer: Promise<T>): Promise<T> {
  calls++;
  return answer;
}

function fill(id: string, rows: readonly (readonly string[])[]): void {
  element(id).replaceChildren(
    ...rows.map((cells) => {
      const row = document.createElement("tr");
      for (const text of cells) {
        const cell = row.insertCell();
        cell.textContent = text;
        if (/^\d+(\.\d+)?$/.test(text)) cell.className = "number";
      }
      return row;
    }),
  );
}

type Wallet = { readonly address: string; readonly type: string };

async function showWallets(wallets: readonly Wallet[]): Promise<void> {
  const balances = await Promise.all(
    wallets.map(({ address }) => counted(client.getAddressBalance({ address }))),
  );
  fill(
    "wallets",
    wallets.map(({ type, address }, n) => [type, address, fromNano(nano(balances[n]!))]),
  );
}

async function showTransactions(wallets: readonly Wallet[]): Promise<void> {
  const lists = await Promise.all(
    wallets.map(({ address }) => counted(client.getTransactions({ address, limit: 5 }))),
  );
  const newest = lists
    .flatMap((list, n) => list.map((transaction) => ({ ...transaction, of: wallets[n]!.address })))
    .sort((a, b) => Number(nano(b.transaction_id.lt) - nano(a.transaction_id.lt)))
    .slice(0, 10);
  fill(
    "transactions",
    newest.map(({ utime, of, transaction_id: { lt }, in_msg: message }) => [
      new Date(utime * 1000).toLocaleTimeString(),
      of,
      lt,
      fromNano(nano(message?.value ?? "0")),
    ]),
  );
}

async function send(wallets: readonly Wallet[]): Promise<void> {
  const amount = String(toNano(element<HTMLInputElement>("amount").value));
  const address = element<HTMLSelectElement>("receiver").value;
  show("sent", "sending …");
  const { block } = await counted(client.devnet.faucet({ address, amount }));
  show("sent", `arrived by block ${block.seqno}`);
  await Promise.all([showWallets(wallets), showTransactions(wallets)]);
}

/** What goes wrong is shown and gone with the next success. */
async function shielded(work: () => Promise<void>): Promise<void> {
  try {
    await work();
    show("trouble", "");
  } catch (error) {
    show("trouble", isRpcError(error) ? `${error.code}: ${error.message}` : String(error));
  }
  show("calls", calls);
  show("requests", requests);
}

let seen = -1;
async function look(wallets: readonly Wallet[]): Promise<void> {
  const { last } = await counted(client.getMasterchainInfo());
  if (last.seqno === seen) return;
  await Promise.all([showWallets(wallets), showTransactions(wallets)]);
  seen = last.seqno;
  show("seqno", seen);
}

async function begin(): Promise<void> {
  const { wallets } = await counted(client.devnet.info());
  element("receiver").replaceChildren(
    ...wallets.map(({ address, type }) => new Option(`${type} ${address.slice(0, 10)}…`, address)),
  );
  element("send").addEventListener("submit", (event) => {
    event.preventDefault();
    shielded(() => send(wallets));
  });
  const turn = async () => {
    await shielded(() => look(wallets));
    setTimeout(turn, everyMs);
  };
  await turn();
}

shielded(begin);
