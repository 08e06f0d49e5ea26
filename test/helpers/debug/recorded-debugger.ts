import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { onTestFinished } from "vitest";
import { ArtifactStore } from "../../../server/artifacts/store.js";
import type { ExecutorThreads } from "../../../server/chain/executor/threads/executor-threads.js";
import { DebugRuns } from "../../../server/chain/retrace/debug-runs.js";
import { Retrace } from "../../../server/chain/retrace/retrace.js";
import { serveFramed } from "../../../server/debug-adapter/framed-session.js";
import { noLocalSources } from "../../../server/debug-adapter/local-sources.js";
import type { CallService } from "../../../server/debug-adapter/service-calls.js";
import { transactionRow } from "../../../server/indexer/decode/transaction-row.js";
import { debugHandlers } from "../../../server/methods/v3/debug.js";
import { debugRunHandlers } from "../../../server/methods/v3/debug-runs.js";
import { debugStateHandlers } from "../../../server/methods/v3/debug-state.js";
import { RunSources } from "../../../server/methods/v3/run-sources.js";
import { ReadTurns } from "../../../server/store/read-turns.js";
import { debugMethods } from "../../../shared/methods/v3/debug.js";
import { debugRunMethods } from "../../../shared/methods/v3/debug-runs.js";
import { debugStateMethods } from "../../../shared/methods/v3/debug-state.js";
import type { RecordedRuns } from "../chain/recorded-runs.js";
import { Editor } from "./editor.js";

const definitions = { ...debugRunMethods, ...debugStateMethods, abi: debugMethods.debug.abi };
const handlers = { ...debugRunHandlers, ...debugStateHandlers, abi: debugHandlers.debug.abi };

/** An editor that debugs the transactions of a recorded block, by the methods of a service without an index. */
export async function recordedEditor({ reader }: RecordedRuns, executor: ExecutorThreads): Promise<Editor> {
  const deps = {
    reader,
    hasIndex: false,
    artifacts: new ArtifactStore(),
    book: { testOnly: false },
    debugRuns: new DebugRuns(new Retrace({ reader, executor })),
    debugTurns: new ReadTurns({ fast: 2, slow: 0 }),
    executorVersion: async () => 13,
    rowOf: (...[transaction, block]: Parameters<typeof transactionRow>) =>
      transactionRow(transaction, block, 0),
    runSources: new RunSources(),
  };
  const { signal } = new AbortController();
  const call: CallService = async (method, params) => {
    const name = method.replace(/^v3\.debug\./, "") as keyof typeof handlers;
    const handle = handlers[name] as (asked: unknown, deps: unknown, call: object) => unknown;
    const answer = await handle(definitions[name].params.parse(params), deps, { signal });
    return JSON.parse(JSON.stringify(answer));
  };
  const server = createServer((socket) => {
    serveFramed({ input: socket, output: socket }, { serviceOf: () => call, local: noLocalSources }).finally(
      () => socket.end(),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return Editor.connect((server.address() as AddressInfo).port);
}
