import { isSignedBy } from "../../server/chain/ed25519.js";
import type { BlockLinkForward, LiteApi } from "../../shared/ton/lite/lite-api.js";
import { readSigners, verifyBlockProof } from "../../shared/ton/proofs/verify/block-proof.js";
import { nodeIdShort } from "../../shared/ton/proofs/verify/validators.js";
import { verifyingLiteApi } from "../../shared/ton/proofs/verify/verifying-lite-api.js";
import { proofs } from "../../shared/ton/tl/codecs.js";
import type { BlockIdExt } from "../../shared/ton/tlb/block-id.js";
import { bytesToHex } from "../../shared/values/bytes.js";
import { busyChain } from "../helpers/chain/busy-chain.js";
import { learn, type Target } from "../helpers/chain/contract/target.js";
import { answerOf, linksFromKeyBlocks } from "../helpers/chain/recorded-links.js";
import { trustFromZero } from "../helpers/chain/trusted.js";
import { testData } from "../helpers/test-data.js";
import type { Row, Suite } from "./harness.js";

/** Many, because processor time has a coarse resolution. */
const accountsPerTurn = 100;
let target: Target | undefined;

/** Cost of verifying proofs: answers are cached, so that only the checks are measured. */
export const suite: Suite = {
  title: "Verification (baseline: as stated in the row)",
  async rows() {
    target = await busyChain();
    return [...(await accountRows(target.api)), ...proofRows()];
  },
  close: () => target?.close?.() as Promise<void> | undefined,
};

/** Compared with a budget of 1 ms per account. */
async function accountRows(api: LiteApi): Promise<Row[]> {
  const { last: id, recent } = await learn(api);
  const request = { id, account: recent.account, proof: true };
  const answer = await api.getAccountState(request);
  const trust = await trustFromZero(api);
  const recorded = { ...api, getAccountState: () => Promise.resolve(answer) };
  const verifying = verifyingLiteApi(recorded, trust);
  return [
    {
      title: "check an account, processor time (baseline: 1 ms)",
      ours: () =>
        processorTime(accountsPerTurn, async () => {
          for (let i = 0; i < accountsPerTurn; i++) await verifying.getAccountState(request);
        }),
      baseline: () => ({ units: 1, micros: 1000 }),
      goal: { floor: 1, aim: 2 },
    },
  ];
}

/** CPU time of all threads. */
async function processorTime(units: number, run: () => Promise<void>) {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return { units, micros: user + system };
}

/** Compared with only verifying the signatures of the same links sequentially, and with a budget of 100 links per second. */
function proofRows(): Row[] {
  const { chain } = testData();
  if (!chain) return [];
  const links = linksFromKeyBlocks(chain);
  const isLarge = ({ signatures }: BlockLinkForward) => signatures.signatures.length > 50;
  const checkAll = async (chosen: readonly BlockLinkForward[]) => {
    for (const link of chosen)
      await verifyBlockProof({ knownBlock: link.from, targetBlock: link.to }, answerOf(link));
  };
  const rows = (title: string, chosen: readonly BlockLinkForward[]): Row[] => [
    {
      title: `check the link behind a key block, ${title} (baseline: its signatures)`,
      ours: async () => {
        await checkAll(chosen);
        return chosen.length;
      },
      baseline: () => {
        for (const link of chosen) checkSignatures(link);
        return chosen.length;
      },
      goal: { floor: 0.5, aim: 1 },
    },
    {
      title: `the same, processor time (baseline: 10 ms)`,
      ours: () => processorTime(chosen.length, () => checkAll(chosen)),
      baseline: () => ({ units: 1, micros: 10_000 }),
      goal: { floor: 0.5, aim: 1 },
    },
  ];
  const [large, small] = [links.filter(isLarge), links.filter((link) => !isLarge(link))];
  return [...rows("13 validators", small), ...rows("100 shuffled validators", large)];
}

function checkSignatures({ from, to, configProof, signatures }: BlockLinkForward): void {
  if (signatures.type !== "ordinary") throw new Error("other signatures");
  const message = proofs.encode("ton.blockId", { rootCellHash: to.rootHash, fileHash: to.fileHash });
  const keys = keysOf(from, configProof, signatures.catchainSeqno);
  for (const { nodeIdShort: id, signature } of signatures.signatures)
    if (!isSignedBy(keys.get(bytesToHex(id))!, message, signature)) throw new Error("a signature is wrong");
}

const knownKeys = new Map<string, Map<string, Uint8Array>>();

/** Measured once for all rounds. */
function keysOf(from: BlockIdExt, configProof: Uint8Array, catchainSeqno: number): Map<string, Uint8Array> {
  const name = `${from.seqno} ${catchainSeqno}`;
  const known = knownKeys.get(name);
  if (known) return known;
  const members = readSigners(from, configProof).validators.members(catchainSeqno);
  const keys = new Map(members.map(({ publicKey }) => [bytesToHex(nodeIdShort(publicKey)), publicKey]));
  knownKeys.set(name, keys);
  return keys;
}
