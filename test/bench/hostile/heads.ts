import { until } from "../../helpers/until.js";

const startMs = 120_000;

type Heads = { chain: number; index: number };
type Last = { seqno: number };

/** The newest blocks of a chain and of its index; 0 while there is none. */
export async function headsOf(url: string): Promise<Heads> {
  const read = async (path: string) => {
    const answer = await fetch(`${url}/api/${path}`);
    const { last, result } = (await answer.json()) as { last?: Last; result?: { last: Last } };
    return (last ?? result?.last)?.seqno ?? 0;
  };
  const [chain, index] = await Promise.all([read("v2/getMasterchainInfo"), read("v3/masterchainInfo")]);
  return { chain, index };
}

export async function untilIndexed(url: string): Promise<void> {
  const isThere = async () => {
    const { chain, index } = await headsOf(url);
    return chain > 0 && index >= chain;
  };
  await until("the index has every block", isThere, startMs);
}
