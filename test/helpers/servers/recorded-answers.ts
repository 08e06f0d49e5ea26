/** Answers of a service whose newest block proceeds: `heads` are the answers of `getMasterchainInfo` in turn. */
export type Recorded = {
  heads: string[];
  headQuery: string;
  /** By query, both in base64. */
  answers: Record<string, string>;
  /** Results of ordinary methods. */
  results: Record<string, unknown>;
};

type Call = { id: number; method: string; params: { query?: string } };

/** The response to a JSON-RPC message while the newest block is the one with this index. */
export function recordedReply(recorded: Recorded, head: number, message: string): string {
  const calls = JSON.parse(message) as Call | Call[];
  const reply = (call: Call) => replyTo(recorded, head, call);
  return JSON.stringify(Array.isArray(calls) ? calls.map(reply) : reply(calls));
}

function replyTo(
  { heads, headQuery, answers, results }: Recorded,
  head: number,
  { id, method, params }: Call,
): object {
  if (method !== "lite.query") return { jsonrpc: "2.0", id, result: results[method] };
  const answer = params.query === headQuery ? heads[head] : answers[params.query!];
  if (answer === undefined) throw new Error("a query was not recorded");
  return { jsonrpc: "2.0", id, result: { answer } };
}
