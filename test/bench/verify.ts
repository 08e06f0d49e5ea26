import type { BlockLinkForward, LiteApi } from "../../server/chain/lite-api.js";
import { verifyBlockProof } from "../../server/chain/verify/block-proof.js";
import { verifyingLiteApi } from "../../server/chain/verify/verifying-lite-api.js";
import { busyChain } from "../chain/busy-chain.js";
import { learn, type Target } from "../chain/contract/target.js";
import { testData } from "../helpers/test-data.js";
import { answerOf, linksFromKeyBlocks } from "../verify/recorded-links.js";
import { trustFromZero } from "../verify/trusted.js";
import type { Contender, Row, Suite } from "./harness.js";

let target: Target | undefined;

/** What not believing a server costs: answers are kept, so that only the checks are measured. */
export const suite: Suite = {
  title: "Verification (baseline: as stated in the row)",
  async rows() {
    target = await busyChain();
    return [...(await accountRows(target.api)), ...proofRows()];
  },
  close: () => target?.close?.() as Promise<void> | undefined,
};

/** Against a budget of a millisecond per account. */
async function accountRows(api: LiteApi): Promise<Row[]> {
  const { last: id, recent } = await learn(api);
  const request = { id, account: recent.account, proof: true };
  const answer = await api.getAccountState(request);
  const trust = await trustFromZero(api);
  const recorded = { ...api, getAccountState: () => Promise.resolve(answer) };
  const verifying = verifyingLiteApi(recorded, trust);
  return [
    {
      title: "check an account (baseline: 1 ms)",
      ours: async () => {
        await verifying.getAccountState(request);
        return undefined;
      },
      baseline: () => ({ units: 1, micros: 1000 }),
      goal: { floor: 1, aim: 2 },
    },
  ];
}

/** Against 100 links, i.e. key blocks, a second. */
function proofRows(): Row[] {
  const { chain } = testData();
  if (!chain) return [];
  const links = linksFromKeyBlocks(chain);
  const group = (isShuffled: boolean) =>
    links.filter(({ signatures }) => signatures.signatures.length > 50 === isShuffled);
  return [
    ["13 validators", group(false)],
    ["100 shuffled validators", group(true)],
  ].map(([title, chosen]) => ({
    title: `check the link behind a key block of ${title} (baseline: 10 ms)`,
    ours: checking(chosen as BlockLinkForward[]),
    baseline: () => ({ units: 1, micros: 10_000 }),
    goal: { floor: 1, aim: 2 },
  }));
}

function checking(links: readonly BlockLinkForward[]): Contender {
  return async () => {
    for (const link of links)
      await verifyBlockProof({ knownBlock: link.from, targetBlock: link.to }, answerOf(link));
    return links.length;
  };
}
