// Records a run of the devnet for independent parsers: every block and state, the expected
// contents, and proofs. Usage: npx tsx test/interop/record-run.ts DIRECTORY, then the readers next to this file.
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DevnetThread } from "../../server/devnet/thread/devnet-thread.js";
import type { AccountId } from "../../shared/ton/lite/lite-api.js";
import { type BlockIdExt, masterchain, wholeShard } from "../../shared/ton/tlb/block-id.js";
import { Address } from "../../shared/values/address.js";
import { bytesToHex } from "../../shared/values/bytes.js";
import { TestWallet, ton } from "../helpers/chain/devnet.js";

const [directory] = process.argv.slice(2);
if (!directory) throw new Error("name the directory to write to");
mkdirSync(directory, { recursive: true });

const devnet = await DevnetThread.start(
  {
    seed: "tonwire",
    mining: { mode: "manual", intervalMs: 1000 },
    clock: "fixed",
    rewards: true,
    story: true,
  },
  { onError: console.error },
);
const { api, controls } = devnet;

/** More messages than one step handles, so that some are queued for later blocks. */
async function overflowQueue(): Promise<void> {
  const wallets = Array.from({ length: 6 }, (_, number) => new TestWallet(`interop ${number}`, "v5r1"));
  for (const { address } of wallets) await controls.faucet({ workchain: 0, id: address.hash }, 100n * ton);
  for (const [number, wallet] of wallets.entries()) {
    const payments = Array.from({ length: 200 }, (_, index) => ({
      to: new Address(0, new Uint8Array(createHash("sha256").update(`guest ${number} ${index}`).digest())),
      value: ton / 100n,
      bounce: false,
    }));
    await api.sendMessage({ body: wallet.pay(...payments) });
  }
  await controls.mine(6);
}

function write(name: string, bytes: Uint8Array): string {
  writeFileSync(join(directory!, name), bytes);
  return name;
}

function idOf({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt) {
  return {
    workchain,
    shard: BigInt.asIntN(64, shard).toString(),
    seqno,
    root_hash: bytesToHex(rootHash),
    file_hash: bytesToHex(fileHash),
  };
}

async function recordBlock(workchain: number, seqno: number) {
  const { id } = await api.lookupBlock({ id: { workchain, shard: wholeShard, seqno }, bySeqno: true });
  const name = `${workchain === masterchain ? "master" : "base"}-${seqno}`;
  const transactions = [];
  for (let after: { account: Uint8Array; lt: bigint } | undefined, more = true; more; ) {
    const page = await api.listBlockTransactions({
      id,
      count: 256,
      account: true,
      lt: true,
      hash: true,
      ...(after && { after }),
    });
    for (const { account, lt, hash } of page.ids)
      transactions.push({ account: bytesToHex(account!), lt: `${lt}`, hash: bytesToHex(hash!) });
    const last = page.ids.at(-1);
    if (last) after = { account: last.account!, lt: last.lt! };
    more = page.incomplete;
  }
  return {
    id: idOf(id),
    block: write(`${name}.block.boc`, (await api.getBlock({ id })).data),
    state: write(`${name}.state.boc`, (await api.getState({ id })).data),
    transactions,
  };
}

async function recordAccount(id: BlockIdExt, account: AccountId) {
  const name = `account-${account.workchain}-${bytesToHex(account.id)}`;
  const { shardblk, shardProof, proof, state } = await api.getAccountState({ id, account, proof: true });
  return {
    address: `${account.workchain}:${bytesToHex(account.id)}`,
    shard_block: idOf(shardblk),
    shard_proof: write(`${name}.shard-proof.boc`, shardProof),
    proof: write(`${name}.proof.boc`, proof),
    state: write(`${name}.state.boc`, state),
  };
}

await overflowQueue();
const { last } = await api.getMasterchainInfo();
const blocks = [];
for (let seqno = 1; seqno <= last.seqno; seqno++)
  for (const workchain of [0, masterchain]) blocks.push(await recordBlock(workchain, seqno));
const addresses = new Set(
  blocks.flatMap(({ id, transactions }) => transactions.map(({ account }) => `${id.workchain}:${account}`)),
);
const accounts = [];
for (const text of addresses) {
  const { workchain, hash } = Address.read(text)!.address;
  accounts.push(await recordAccount(last, { workchain, id: hash }));
}
const index = { last: idOf(last), blocks, accounts };
writeFileSync(join(directory, "index.json"), JSON.stringify(index, undefined, 1));
await devnet.close();
console.log(`${blocks.length} blocks and ${accounts.length} accounts are in ${directory}`);
