import { accountHandlers } from "../../server/methods/v2/accounts.js";
import { transactionHandlers } from "../../server/methods/v2/transactions.js";
import { ChainHead } from "../../shared/ton/proofs/read/head.js";
import { ChainReader } from "../../shared/ton/proofs/read/reader.js";
import { Address } from "../../shared/values/address.js";
import { sized } from "../helpers/effort.js";
import { firstBlocks, noRunner } from "../helpers/http/chain-app.js";
import { load } from "../helpers/servers/load.js";
import { ServerProcess } from "../helpers/servers/process.js";
import { testData } from "../helpers/test-data.js";
import type { Row, Suite } from "./harness.js";

let servers: { bare: ServerProcess; devnet: ServerProcess } | undefined;
const busy = new Address(0, new Uint8Array(32).fill(0x5a)).toRaw();
const cached = [
  ["getAddressInformation", { address: busy }],
  ["getMasterchainInfo", {}],
  ["getTransactions", { address: busy, limit: "10" }],
] as const;

export const suite: Suite = {
  title:
    "Reads of v2: cached beside bare node:http (processor time), uncached beside the liteserver's answer",
  async rows() {
    const devnet = await ServerProcess.start("devnet");
    servers = { devnet, bare: await ServerProcess.start("bare", { records: devnet.hello.records }) };
    return [...cached.flatMap(([method, params]) => cachedRows(method, params)), ...(await uncachedRows())];
  },
  close() {
    servers?.bare.close();
    servers?.devnet.close();
    servers = undefined;
  },
};

function cachedRows(method: string, params: Readonly<Record<string, string>>): Row[] {
  const { bare, devnet } = servers!;
  const get = { path: `/api/v2/${method}?${new URLSearchParams(params)}` };
  const post = { path: "/api/v2/jsonRPC", body: { jsonrpc: "2.0", id: 1, method, params } };
  const goal = { floor: 0.55, aim: 0.7 };
  return [
    { title: `${method}, GET`, ours: load(devnet, get), baseline: load(bare, get), goal },
    { title: `${method}, POST`, ours: load(devnet, post), baseline: load(bare, post), goal },
  ];
}

const listsOfTurn = sized(10, 100);

/** Time to answer without a cache, excluding the liteserver, in this process. */
async function uncachedRows(): Promise<Row[]> {
  const { chain } = testData();
  if (!chain) return [];
  const lite = firstBlocks(chain);
  const head = new ChainHead(await lite.getMasterchainInfo(), Date.now);
  const address = new Address(-1, new Uint8Array(32).fill(0x33));
  const account = { workchain: address.workchain, id: address.hash };
  const call = { signal: new AbortController().signal, asked: new Set<number>(), options: {} };
  const seqnos = Array.from({ length: sized(20, head.last.seqno - 1) }, (_, index) => index + 1);
  const newest = (await new ChainReader({ lite, head }).account(head.last, address)).lastTransaction;
  return [
    {
      title: "getAddressInformation at a block, uncached",
      async ours() {
        // A new reader has an empty cache.
        const deps = { reader: new ChainReader({ lite, head }), runner: noRunner };
        for (const seqno of seqnos)
          await accountHandlers.getAddressInformation({ address, seqno }, deps, call);
        return seqnos.length;
      },
      async baseline() {
        for (const seqno of seqnos) {
          const { id } = await lite.lookupBlock({ id: { ...head.last, seqno }, bySeqno: true });
          await lite.getAccountState({ id, account, proof: true });
        }
        return seqnos.length;
      },
    },
    {
      title: "getTransactions of 10, uncached",
      async ours() {
        const reader = new ChainReader({ lite, head });
        for (let i = 0; i < listsOfTurn; i++)
          await transactionHandlers.getTransactions(
            { address, limit: 10, to_lt: 0n, ...newest },
            { reader },
            call,
          );
        return listsOfTurn;
      },
      async baseline() {
        for (let i = 0; i < listsOfTurn; i++) await lite.getTransactions({ account, count: 10, ...newest });
        return listsOfTurn;
      },
    },
  ];
}
