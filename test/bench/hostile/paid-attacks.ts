import { setTimeout as sleep } from "node:timers/promises";
import { bocText, codeOf } from "../../helpers/contracts/contracts.js";
import { compile } from "../../helpers/contracts/tolk.js";
import { sized } from "../../helpers/effort.js";
import { someAddress } from "../../helpers/index/detection.js";
import { addressOf, p95, runUncached } from "../../helpers/servers/waiting.js";
import { attackerKey, callOf, startProxiedService } from "../../helpers/services/proxied-service.js";
import type { Row } from "../harness.js";
import { post } from "./post.js";

/** Each calls once a second, as it may, whether it is answered or refused. */
const addresses = sized(2, 10);
const secondMs = 1000;
const calls = sized(2, 200);
const pauseMs = 10;
/** The 95th percentile of others is at most five times that of alone. */
const goal = { floor: 0.2, aim: 0.5 };
const blocks = sized(20, 1000);
const harmless = someAddress(0xf0).toRaw();
const key = { "X-API-Key": attackerKey };

const megabyte = 1_000_000;
const ones = `[${"1,".repeat(megabyte / 2)}1]`;
const keys = `{${Array.from({ length: megabyte / 10 }, (_, i) => `"k${i}":1`).join()}}`;
const callWith = (method: string, params: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;

type Service = { url: string; close(): void; bodies: Readonly<Record<string, string>> };

/** Attacks by calls that cost few points once, of addresses with a call a second. The other caller has a key. */
export function paidRows(): { rows: Row[]; close(): void } {
  let started: Promise<Service> | undefined;
  const service = () => {
    started ??= start();
    return started;
  };
  const attacks = ["lists of ones", "objects of 100,000 keys", "logs of transactions", "exported states"];
  return {
    rows: attacks.map((title) => rowOf(title, service)),
    close: () => void started?.then(({ close }) => close()),
  };
}

function rowOf(title: string, service: () => Promise<Service>): Row {
  const measured = ({ url }: Service) =>
    p95(
      () => runUncached(url, harmless, "seqno", key),
      calls,
      () => sleep(pauseMs),
    );
  return {
    title: `seqno, ${title}, one call a second of each`,
    baseline: async () => ({ units: 1, micros: await measured(await service()) }),
    async ours() {
      const { url, bodies } = await service();
      const over = new AbortController();
      const asking = Array.from({ length: addresses }, async (_, address) => {
        await sleep((address * secondMs) / addresses);
        while (!over.signal.aborted)
          await Promise.all([sleep(secondMs), post(`${url}/jsonRPC`, bodies[title]!, addressOf(address))]);
      });
      const micros = await measured(await service());
      over.abort();
      await Promise.all(asking);
      return { units: 1, micros };
    },
    goal,
  };
}

/** A devnet of a thousand blocks, and a transaction whose log has megabytes. */
async function start(): Promise<Service> {
  const { service, url, run } = await startProxiedService([], { TONWIRE_ANONYMOUS_RPS: "1" });
  const place = async (address: string, code: string) => {
    await run("devnet.setCode", { address, code });
    await run("devnet.setBalance", { address, balance: "1000000000000000" });
  };
  await place(harmless, bocText(await compile("get fun seqno(): int { return 7; }")));
  const logging = someAddress(0xf1).toRaw();
  // ACCEPT, 32000 PUSHINT, PUSHCONT { NOP }, REPEAT.
  await place(logging, bocText(codeOf("F800817D009100E4")));
  const message = { from: harmless, to: logging, value: "1000000000" };
  const { result } = (await run("devnet.impersonate", message)) as unknown as { result: { tx_hash: string } };
  for (let made = 0; made < blocks; made += 100) await run("devnet.mine", { blocks: 100 });
  return {
    url,
    close: () => service.send("SIGKILL"),
    bodies: {
      "lists of ones": callWith("getAddressState", `{"address":${ones}}`),
      "objects of 100,000 keys": callWith("getAddressState", `{"address":${keys}}`),
      "logs of transactions": JSON.stringify(callOf("devnet.transactionLog", { hash: result.tx_hash }, 1)),
      "exported states": JSON.stringify(callOf("devnet.exportState", {}, 1)),
    },
  };
}
