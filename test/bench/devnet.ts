import { Executor } from "../../server/chain/executor/executor.js";
import type { DevnetChain } from "../../server/devnet/chain/devnet-chain.js";
import { roleSeed } from "../../server/devnet/role-seed.js";
import type { GenesisAccount } from "../../server/devnet/wallets/devnet-wallets.js";
import type { TransactionRequest } from "../../shared/ton/run/account-request.js";
import { Address } from "../../shared/values/address.js";
import { funded, openTestChain, TestWallet, ton } from "../helpers/chain/devnet.js";
import { sized } from "../helpers/effort.js";
import type { Contender, Row, Spent, Suite } from "./harness.js";

const senders = sized(30, 300);
const accounts = sized(1000, 100_000);
const chains: DevnetChain[] = [];

export const suite: Suite = {
  title: "Devnet, per transaction (baseline: the executor alone on the very same requests)",
  async rows() {
    return [
      { ...(await transfers("wallet transfers in blocks", {})), goal: { floor: 0.4, aim: 0.65 } },
      await transfers("the same, each message tried out first", { tryOut: true }),
      await transfers(`the same with ${accounts} accounts, in blocks of 600`, { others: accounts - senders }),
    ];
  },
  async close() {
    for (const chain of chains) await chain.close();
  },
};

type Setting = { others?: number; tryOut?: boolean };

/** Every account pays another once: 600 transactions. The executor baseline repeats the same runs. */
async function transfers(title: string, { others = 0, tryOut = false }: Setting): Promise<Row> {
  const executor = await Executor.create();
  let requests: TransactionRequest[] = [];
  const recording: Pick<Executor, "runTransaction" | "runTickTock"> = {
    runTransaction(request) {
      requests.push(request);
      return executor.runTransaction(request);
    },
    runTickTock: (request) => executor.runTickTock(request),
  };
  const wallets = Array.from({ length: senders }, (_, index) => new TestWallet(`sender ${index}`));
  const chain = await openTestChain({
    executor: recording,
    accounts: [...funded(wallets), ...bystanders(others)],
  });
  chains.push(chain);

  const ours: Contender = async () => {
    const messages = wallets.map((wallet, index) =>
      wallet.pay({ to: wallets[(7 * index + 1) % senders]!.address, value: ton / 100n, bounce: false }),
    );
    requests = [];
    let start = performance.now();
    for (const message of messages) await (tryOut ? chain.sendMessage(message) : chain.sendTrusted(message));
    if (!tryOut) start = performance.now();
    let transactions = 0;
    while (chain.hasWork) {
      const { basechain, masterchain } = (await chain.step()).pair;
      transactions += basechain.transactionCount + masterchain.transactionCount;
    }
    return { units: transactions, micros: (performance.now() - start) * 1000 } satisfies Spent;
  };
  const baseline: Contender = () => {
    for (const request of requests) executor.runTransaction(request);
    return requests.length;
  };
  return { title, ours, baseline };
}

/** Accounts that make the state big. */
function bystanders(count: number): GenesisAccount[] {
  return Array.from({ length: count }, (_, index) => ({
    address: new Address(0, roleSeed("bystander", `${index}`)),
    balance: ton,
  }));
}
