import { freePort } from "../../helpers/free-port.js";
import { until } from "../../helpers/until.js";
import { ours } from "../peers/ours.js";
import { ask, callV2 } from "../peers/requests.js";
import { Server } from "../peers/server.js";

const waitMs = 120_000;

type Head = { last: { seqno: number } };

/** A devnet that makes blocks on request, as a separate process. */
export type SteadyService = { server: Server; adminUrl: string };

export async function startSteady(index: boolean): Promise<SteadyService> {
  const port = await freePort();
  const flags = ["--mining", "manual", "--clock", "fixed", "--index", `${index}`, "--cache", "off"];
  const server = await Server.start(ours(...flags, "--admin-port", `${port}`));
  return { server, adminUrl: `http://127.0.0.1:${port}` };
}

/** Waits until the story is complete and the index has the newest block, whose seqno it returns. */
export function settled({ server }: SteadyService, index: boolean): Promise<number> {
  const look = async () => {
    const { last } = (await callV2(server, "getMasterchainInfo", {})) as Head;
    const { story_told } = (await callV2(server, "devnet.info", {})) as { story_told: boolean };
    if (!story_told) return undefined;
    if (!index) return last.seqno;
    // It refuses as long as the index has no block.
    const indexed = (await ask(server, { path: "/api/v3/masterchainInfo" }).catch(() => undefined)) as
      | Head
      | undefined;
    return indexed && indexed.last.seqno >= last.seqno ? last.seqno : undefined;
  };
  return until("the index has every block", look, waitMs);
}

/** Makes the blocks that deliver a transfer; returns the seqno of the newest one. */
export async function transfer({ server }: SteadyService, receiver: string): Promise<number> {
  await callV2(server, "devnet.faucet", { address: receiver, amount: "1000000" });
  const { block } = (await callV2(server, "devnet.mine", { blocks: 1 })) as { block: { seqno: number } };
  return block.seqno;
}

/** Transfers go to the same accounts repeatedly. */
const receivers = 100;
export const receiverAt = (number: number) => `0:${(number % receivers).toString(16).padStart(64, "0")}`;
