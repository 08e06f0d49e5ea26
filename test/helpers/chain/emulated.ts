import type { TestAnswer } from "../http/app.js";
import { checked, type V3Result } from "../http/v3-results.js";

export type Emulated = V3Result<"emulate/trace">;
type Trace = V3Result<"traces">["traces"][number];
type Action = Emulated["actions"][number];
type App = { post(path: string, body: unknown, headers?: Record<string, string>): Promise<TestAnswer> };

export const tracePath = "/api/emulate/v1/emulateTrace";
export const tonConnectPath = "/api/emulate/v1/emulateTonConnect";

/** The answer of an emulation, which must succeed. */
export async function emulated(app: App, path: string, params: object): Promise<Emulated> {
  const { status, text, json } = await app.post(path, params);
  if (status !== 200) throw new Error(text);
  return checked("emulate/trace", json);
}

/** The result of a trace, emulated or real: everything that does not depend on its block. */
export function outcomeOf({
  trace,
  transactions,
  actions,
}: Pick<Trace, "trace" | "transactions" | "actions">) {
  const fees = Object.values(transactions ?? {}).map(({ hash, total_fees }) => [hash, total_fees]);
  return {
    trace,
    fees: Object.fromEntries(fees),
    actions: (actions ?? [])
      .map(shownAction)
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  };
}

function shownAction({ type, success, details, start_lt, end_lt, transactions }: Action) {
  return { start_lt, end_lt, type, transactions, success, details };
}
