import { existsSync } from "node:fs";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { coinName } from "../../../shared/values/coin.js";
import type { Config } from "../../config/settings.js";
import { SetupError } from "../../errors.js";
import { findTraces } from "../../inspect/find-trace.js";
import { readNetwork, readReport } from "../../inspect/read-report.js";
import type { TraceReport } from "../../inspect/report.js";
import type { TextStyle } from "../../inspect/text/line.js";
import { traceText } from "../../inspect/text/trace-text.js";
import { schemaLack } from "../../store/migrate/migrate.js";
import type { Environment } from "../environment.js";
import { claimIndex } from "../index/index-part.js";
import { createContext } from "../service/context.js";

/** Options of `tonwire trace`. */
type TraceQuestion = {
  /** Hash of a trace, or of a transaction, a message or an action in it. */
  hash: Uint8Array;
  explain: boolean;
};

/** A trace to print. */
type PrintableTrace = {
  /** Other traces with this hash. */
  readonly otherIds: readonly string[];
  lines(style: TextStyle): string[];
  json(): string;
};

/** Reads a trace from the index for `tonwire trace`. Throws `SetupError` if that is not possible. */
export async function readTrace(
  config: Config,
  question: TraceQuestion,
  environment: Environment = {},
): Promise<PrintableTrace> {
  // Opening an index would create it.
  if (config.databaseUrl === undefined && !existsSync(`${config.data}/index`))
    throw new SetupError(`${config.data} has no index`);
  const context = createContext(config, environment);
  try {
    const claim = await claimIndex(context);
    const { signal } = new AbortController();
    const database = context.closers.add(await claim.open(signal), (each) => each.close());
    const sql = database.sql({ connections: 1 });
    const lack = await schemaLack(sql, database.emptyCommand);
    if (lack) throw new SetupError(`${lack}: start the process that writes it first`);
    const { report, otherIds, coin } = await sql.transaction((queries) => reportOf(queries, question), {
      snapshot: true,
    });
    return {
      otherIds,
      lines: (style) => traceText(report, coin, style),
      json: () => JSON.stringify(report, null, 2),
    };
  } finally {
    await context.closers.close();
  }
}

async function reportOf(
  queries: Parameters<typeof findTraces>[0],
  { hash, explain }: TraceQuestion,
): Promise<{ report: TraceReport; otherIds: string[]; coin: string }> {
  const [newest, ...others] = await findTraces(queries, hash);
  if (!newest)
    throw new SetupError(
      `the index has no trace, transaction, message or action with the hash ${bytesToBase64(hash)}`,
    );
  const coin = coinName((await readNetwork(queries)) ?? "");
  return {
    // The last statements of the snapshot.
    report: await readReport(queries, newest, { explain }),
    otherIds: others.map(({ id }) => bytesToBase64(id)),
    coin,
  };
}
