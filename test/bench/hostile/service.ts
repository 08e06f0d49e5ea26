import type { Cell } from "../../../shared/ton/cells/cell.js";
import { bocText } from "../../helpers/contracts/contracts.js";
import { sized } from "../../helpers/effort.js";
import { RawEventStream } from "../../helpers/http/event-stream.js";
import { addressOf } from "../../helpers/servers/waiting.js";
import { startProxiedService } from "../../helpers/services/proxied-service.js";
import { untilIndexed } from "./heads.js";

const transfers = sized(20, 200);

export type HostileService = Awaited<ReturnType<typeof startHostileService>>;

/** A devnet with an index in the same process, and some hundred transactions. */
export async function startHostileService() {
  const { service, url, run } = await startProxiedService();
  const place = async (address: string, code: Cell) => {
    await run("devnet.setCode", { address, code: bocText(code) });
    await run("devnet.setBalance", { address, balance: "1000000000000000" });
  };
  const address = `0:${"e".repeat(64)}`;
  for (let i = 0; i < transfers; i++) await run("devnet.faucet", { address, amount: "1" });
  await run("devnet.mine", { blocks: 1 });
  await untilIndexed(url);
  /** Opens a stream for an address; returns what ends it. */
  const stream = async (number: number, request: object) => {
    const opened = RawEventStream.open(url, request, { headers: addressOf(number) });
    await new Promise((resolve) => opened.socket.once("data", resolve).once("close", resolve));
    return () => void opened.socket.destroy();
  };
  return { service, url, place, stream };
}
