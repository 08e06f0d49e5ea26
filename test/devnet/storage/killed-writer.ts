// A process to be killed: continues the chain in the given directory and prints every durably stored step.
import { writeSync } from "node:fs";
import { ChainStore } from "../../../server/devnet/storage/chain-store.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { SyntheticChain } from "./synthetic-chain.js";

const say = (line: string) => writeSync(1, `${line}\n`);

const chain = new SyntheticChain();
const store = new ChainStore(process.argv[2], { recent: 4, interval: 10 });
const { last } = await store.open(chain.genesis);
if (last)
  chain.continueFrom(last.masterchain.id.seqno, {
    masterchain: last.masterchain.state,
    basechain: last.basechain.state,
  });

/** Accepts messages while steps are written, like a service. */
async function acceptMessages(): Promise<never> {
  for (let number = 0; ; number++) {
    const message = new TextEncoder().encode(`${process.pid} ${number}`);
    await store.accept({ boc: message, ignoresSignatures: false });
    say(`message ${bytesToHex(message)}`);
  }
}

async function makeSteps(): Promise<never> {
  for (;;) {
    const pair = chain.step();
    await store.append(pair);
    say(`step ${pair.masterchain.id.seqno} ${bytesToHex(pair.masterchain.id.fileHash)}`);
  }
}

await Promise.all([acceptMessages(), makeSteps()]);
