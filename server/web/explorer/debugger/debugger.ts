import type { DebugRun } from "../../../../client/api.js";
import { isRpcError } from "../../../../client/errors.js";
import { failedStep } from "../../../../shared/text/failed-step.js";
import { ifJson } from "../../../../shared/values/json.js";
import { elementOf } from "../../pages/element.js";
import { html, type Markup } from "../../pages/markup.js";
import { growCells } from "../parts/cell-tree.js";
import { downloadFile } from "../parts/download.js";
import { failure } from "../parts/failure.js";
import { hexOf } from "../parts/hash.js";
import type { ProvenDebugger } from "../verify/verifying.js";
import type { Call, View, ViewContext } from "../view.js";
import { headMarkup } from "./head.js";
import { panesMarkup } from "./panes.js";
import { callOf, shownRun } from "./proven-run.js";
import { type Asked, RunReader } from "./run-reader.js";
import { Session } from "./session.js";

/** Every step of a transaction, by its hash. */
export const showTransactionSteps: View = async (context) => {
  const hash = hexOf(context.params["hash"] ?? "");
  if (hash !== undefined) return showTransaction(context, hash);
  tell(context, html`<p class="empty">The address has no hash of a transaction: 64 hex digits.</p>`);
};

/** Every step of a run by its name; those of messages and get-methods are made again by their parameters, which the address has. */
export const showRunSteps: View = async (context) => {
  const { params, query } = context;
  const hash = /^tx:([\da-f]{64})$/i.exec(params["run"] ?? "")?.[1];
  if (hash !== undefined) return showTransaction(context, hash.toLowerCase());
  for (const kind of ["get_method", "message"] as const) {
    const made = parametersIn(query.get(kind));
    if (made) return showMade(context, kind, made);
  }
  tell(context, html`<p class="empty">The address does not say how this run is made.</p>`);
};

/** `call`: reads the run. */
type Read = { readonly run: DebugRun; readonly asked: Asked; readonly call: Call; readonly isProven?: true };

function showTransaction(context: ViewContext, hash: string): Promise<void> {
  const { query, call } = context;
  const [account, lt] = [query.get("account"), query.get("lt")];
  const place = account !== null && lt !== null ? { account, lt } : undefined;
  const force = query.get("force") === "1" ? { force: true } : {};
  return show(context, async () => {
    const proven = await context.provenDebugger();
    if (proven) return readProven(proven, { hash, ...place });
    return {
      run: await call("v3.debug.transaction", { ...(place ?? { hash }), ...force }),
      asked: { run: `tx:${hash}`, ...place, ...force },
      call: context.callQuietly,
    };
  });
}

/** Runs it in this page. */
async function readProven(
  proven: ProvenDebugger,
  params: Parameters<ProvenDebugger["debug"]>[0],
): Promise<Read> {
  try {
    const debugged = await proven.debug(params);
    const run = shownRun(debugged.run);
    return { run, asked: { run: run.run }, call: callOf(debugged), isProven: true };
  } catch (error) {
    const evidence = proven.evidenceOf(error);
    throw evidence === undefined ? error : new Lie(error, evidence);
  }
}

/** The service has answered what its proofs contradict. */
class Lie extends Error {
  readonly evidence: string;

  constructor(cause: unknown, evidence: string) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.evidence = evidence;
  }
}

/** Makes a run again. Its address gets the block that it was run at: it opens alike later, and for others. */
function showMade(context: ViewContext, kind: "get_method" | "message", made: object): Promise<void> {
  const { call } = context;
  return show(context, async () => {
    // The service checks the parameters.
    const run: DebugRun = await (kind === "message"
      ? call("v3.debug.message", made as never)
      : call("v3.debug.getMethod", made as never));
    const { seqno } = run.proof.inputs.master;
    const pinned = { ...made, ...(kind === "message" ? { mc_block_seqno: seqno } : { seqno }) };
    const text = JSON.stringify(pinned);
    const url = new URL(location.href);
    url.pathname = `/debug/${run.run}`;
    url.searchParams.set(kind, text);
    history.replaceState(history.state, "", url);
    return { run, asked: { run: run.run, [kind]: text }, call: context.callQuietly };
  });
}

/** Parameters in an address; the service checks them. */
function parametersIn(text: string | null): object | undefined {
  const parsed = text === null ? undefined : ifJson(text);
  return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? parsed : undefined;
}

async function show(context: ViewContext, read: () => Promise<Read>): Promise<void> {
  const { root, title, names, signal } = context;
  title("Debugger");
  let found: Read;
  try {
    found = await read();
  } catch (error) {
    if (isRpcError(error, "aborted")) throw error;
    if (error instanceof Lie) return showLie(context, error);
    return tell(context, html`${failure(error)}${isDifferent(error) && forceLink()}`);
  }
  if (signal.aborted) return;
  const { run, asked, call, isProven } = found;
  const hasFailed = failedStep(run) !== undefined;
  root.innerHTML =
    html`${headMarkup(run, names, isProven)}${run.steps === 0 ? html`<p class="empty">No code ran: there are no steps.</p>` : panesMarkup(hasFailed)}`.text;
  growCells(root);
  if (run.steps === 0) return;
  const reader = await RunReader.open(call, run, asked);
  if (!signal.aborted) await new Session(context, run, reader).start();
}

function showLie(context: ViewContext, { message, evidence }: Lie): void {
  tell(
    context,
    html`<p class="failure debug-lie" role="alert">The service is proven to lie about what this transaction began with. ${message.slice(0, 600)}</p>
<p><button type="button">Save the evidence</button></p>`,
  );
  elementOf(context.root, "button").addEventListener("click", () =>
    downloadFile("evidence.json", new Blob([evidence], { type: "application/json" })),
  );
}

/** Whether the run ended in another state than the chain's. */
function isDifferent(error: unknown): boolean {
  if (!isRpcError(error, "conflict")) return false;
  const { data } = Object(Object(error.body).error);
  return Object(data).kind === "different";
}

/** The same address, where a run that ends in another state is shown, too. */
function forceLink(): Markup {
  const query = new URLSearchParams(location.search);
  query.set("force", "1");
  return html`<p><a href="${location.pathname}?${query.toString()}">Show its steps anyway</a></p>`;
}

function tell({ root, title }: ViewContext, content: Markup): void {
  title("Debugger");
  root.innerHTML = html`<h1 tabindex="-1">Debugger</h1>${content}`.text;
}
