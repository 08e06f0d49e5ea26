import type { BoundMethod, Methods } from "../../../server/rpc/bind.js";
import type { QueryPairs } from "../../../server/rpc/params/params.js";
import type { Samples } from "./samples.js";

/** Subject of a call, with its assumed share of all calls. */
export const kinds = ["newest", "account", "hash", "block or time", "search"] as const;
export type Kind = (typeof kinds)[number];

/** Calls of a method by one filter, or without any. */
export type ReadClass = {
  title: string;
  kind: Kind;
  method: BoundMethod;
  queries: readonly QueryPairs[];
};

/** Every method of the registry by each of its filters, and without any; `absent` has those of which the index has no value. */
export async function readClasses(
  methods: Methods,
  samples: Samples,
  { amount, limit }: { amount: number; limit: number },
): Promise<{ classes: ReadClass[]; absent: string[] }> {
  const classes: ReadClass[] = [];
  const absent: string[] = [];
  const read = [...new Set(methods.values())].filter(
    ({ definition }) => definition.freshness.kind === "index",
  );
  for (const method of read) {
    const name = method.name.slice("v3.".length);
    const { shape } = method.definition.params;
    const page: QueryPairs = "limit" in shape ? [["limit", String(limit)]] : [];
    const repeated = (of: (number: number) => QueryPairs) => Array.from({ length: amount }, (_, i) => of(i));
    classes.push({ title: name, kind: "newest", method, queries: repeated(() => page) });
    for (const filter of Object.keys(shape)) {
      const values = await samples.of(name, filter);
      if (!values) continue;
      const title = `${name}?${filter}`;
      if (values.length === 0) absent.push(title);
      else {
        const queries = repeated((i) => [[filter, values[i % values.length]!], ...page]);
        classes.push({ title, kind: kindOf(filter), method, queries });
      }
    }
  }
  return { classes, absent };
}

function kindOf(filter: string): Kind {
  if (/^(body_hash|code_hash|opcode|action_type|exclude_\w+|index)$/.test(filter)) return "search";
  if (/(_hash|^hash|_id)$/.test(filter) && filter !== "election_id") return "hash";
  if (/(utime|lt|seqno|^shard|^workchain|^election_id|^cycle_start)$/.test(filter)) return "block or time";
  return "account";
}
