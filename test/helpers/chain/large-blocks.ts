import { serveChain } from "../../../server/chain/serve/serve.js";
import { ChainStore } from "../../../server/devnet/storage/chain-store.js";
import { ServedDevnet } from "../../../server/devnet/storage/served-devnet.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { sha256 } from "../../../shared/ton/cells/sha256.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { type BlockIdExt, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { Address } from "../../../shared/values/address.js";
import { cellTree } from "./cell-tree.js";
import { openTestChain, ton } from "./devnet.js";

/** The largest block of the configuration that was proposed for mainnet in September 2026. */
export const largestBlock = 4 << 20;

export type LargeBlocks = {
  api: LiteApi;
  /** A block of some 6,000 transactions, and one of few messages that are made of as many small cells as possible. */
  blocks: { readonly transactions: BlockIdExt; readonly cells: BlockIdExt };
  /** The receivers of the messages in these blocks. */
  receivers: { readonly transactions: readonly Address[]; readonly cells: readonly Address[] };
  close(): Promise<void>;
};

/** A devnet with two blocks of the basechain that are as large as blocks may become, at seqno 1 and 2, and a small third one. */
export async function openLargeBlocks(): Promise<LargeBlocks> {
  const storage = new ChainStore();
  const chain = await openTestChain({ storage });
  const from = new Address(0, new Uint8Array(32));
  const transactions = receiversOf("transactions", 6300);
  const comment = (to: Address) =>
    beginCell().storeUint(0, 32).storeBytes(to.hash).storeBytes(to.hash).storeBytes(to.hash).endCell();
  const pay = (to: Address, body: Cell) => ({ from, to, value: ton, bounce: false, body });
  await chain.step({ injected: transactions.map((to) => pay(to, comment(to))) });
  const cells = receiversOf("cells", 64);
  await chain.step({
    injected: cells.map((to, at) => pay(to, cellTree(leavesOfMessage, at * leavesOfMessage))),
  });
  await chain.step();
  const api = serveChain(new ServedDevnet(storage), {
    methods: { runMethod: nothingRuns, randomBytes: (count) => new Uint8Array(count) },
    sendMessage: nothingRuns,
    now: () => chain.lastUtime,
  });
  const blockAt = async (seqno: number) => {
    const found = await api.lookupBlock({ id: { workchain: 0, shard: wholeShard, seqno }, bySeqno: true });
    return found.id;
  };
  return {
    api,
    blocks: { transactions: await blockAt(1), cells: await blockAt(2) },
    receivers: { transactions, cells },
    close: () => chain.close(),
  };
}

const nothingRuns = () => Promise.reject(new Error("nothing is run here"));

/** A tree of them has a few cells less than a message may have (`max_msg_cells`, 8192). */
const leavesOfMessage = 6140;

function receiversOf(name: string, count: number): Address[] {
  return Array.from({ length: count }, (_, at) => new Address(0, new Uint8Array(sha256(`${name} ${at}`))));
}
