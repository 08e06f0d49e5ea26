import { existsSync } from "node:fs";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { coinName } from "../../../shared/values/coin.js";
import { shippedConfig, shippedNetworks } from "../../chain/networks/shipped.js";
import type { Config } from "../../config/settings.js";
import { SetupError } from "../../errors.js";
import { findTraces } from "../../inspect/find-trace.js";
import { readNetwork, readReport } from "../../inspect/read-report.js";
import { type Ask, fetchReport, plainReport } from "../../inspect/remote-report.js";
import type { TraceReport } from "../../inspect/report.js";
import type { TextStyle } from "../../inspect/text/line.js";
import { traceText } from "../../inspect/text/trace-text.js";
import { schemaLack } from "../../store/migrate/migrate.js";
import { createContext } from "../context/context.js";
import type { Environment } from "../environment.js";
import { claimIndex } from "../index/index-part.js";

/** Options of `tonwire trace`. */
type TraceQuestion = {
  /** Hash of a trace, or of a transaction, a message or an action in it. */
  hash: Uint8Array;
  explain: boolean;
  /** Calls the service that is asked instead of the index; it cannot explain. */
  ask?: Ask | undefined;
};

/** A trace to print. */
type PrintableTrace = {
  /** Other traces with this hash. */
  readonly otherIds: readonly string[];
  lines(style: TextStyle): string[];
  json(): string;
};

/** Reads a trace for `tonwire trace` from the index, or from a service. Throws `SetupError` if that is not possible. */
export async function readTrace(
  config: Config,
  question: TraceQuestion,
  environment: Environment = {},
): Promise<PrintableTrace> {
  if (question.ask) return fetchTrace(question.ask, question.hash);
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
    return printable(await sql.transaction((queries) => reportOf(queries, question), { snapshot: true }));
  } finally {
    await context.closers.close();
  }
}

async function fetchTrace(ask: Ask, hash: Uint8Array): Promise<PrintableTrace> {
  const coin = coinName((await networkOf(ask)) ?? "");
  const found = await fetchReport(ask, hash, coin);
  if (!found) throw unknownHash("the service", hash);
  return printable({ ...found, coin }, plainReport(found.report));
}

/** The network of a service by its zero state; undefined if it is none that is known. */
async function networkOf(ask: Ask): Promise<string | undefined> {
  const info = (await ask("getMasterchainInfo", {})) as { init?: { root_hash?: unknown } } | undefined;
  return shippedNetworks.find(
    (each) => bytesToBase64(shippedConfig(each).zeroState.rootHash) === info?.init?.root_hash,
  );
}

function unknownHash(source: string, hash: Uint8Array): SetupError {
  return new SetupError(
    `${source} has no trace, transaction, message or action with the hash ${bytesToBase64(hash)}`,
  );
}

type Report = { report: TraceReport; otherIds: string[]; coin: string };

/** `shown`: the report as a terminal may have it. */
function printable({ report, otherIds, coin }: Report, shown = report): PrintableTrace {
  return {
    otherIds,
    lines: (style) => traceText(shown, coin, style),
    json: () => JSON.stringify(report, null, 2),
  };
}

async function reportOf(
  queries: Parameters<typeof findTraces>[0],
  { hash, explain }: TraceQuestion,
): Promise<Report> {
  const [newest, ...others] = await findTraces(queries, hash);
  if (!newest) throw unknownHash("the index", hash);
  const coin = coinName((await readNetwork(queries)) ?? "");
  return {
    // The last statements of the snapshot.
    report: await readReport(queries, newest, { explain }),
    otherIds: others.map(({ id }) => bytesToBase64(id)),
    coin,
  };
}
