import { ExecutorPool } from "../../server/chain/executor/pool.js";
import { ChainHead } from "../../server/chain/read/head.js";
import { ChainReader } from "../../server/chain/read/reader.js";
import { CodeLibraries } from "../../server/chain/run/code-libraries.js";
import { MethodRunner } from "../../server/chain/run/method-runner.js";
import type { Devnet } from "../../server/devnet/devnet.js";
import type { Detection } from "../../server/indexer/detect/detection.js";
import { contractDetection } from "../../server/process/contracts.js";

/** Long enough for a slow machine. */
const timeoutMs = 120_000;

/** Recognises the contracts of a devnet. */
export async function startDetection({
  api,
  events,
}: Pick<Devnet, "api" | "events">): Promise<{ detection: Detection; close(): Promise<void> }> {
  const head = new ChainHead(await api.getMasterchainInfo(), Date.now);
  events.onHead((last) => head.move(last));
  const reader = new ChainReader({ lite: api, head });
  events.onReverted(() => reader.forget());
  const pool = await ExecutorPool.start({ threads: 1, deadlineMs: timeoutMs, runTimeoutMs: timeoutMs });
  const runner = new MethodRunner({ reader, pool, libraries: new CodeLibraries(reader) });
  return { detection: contractDetection({ reader, runner }), close: () => pool.close() };
}
