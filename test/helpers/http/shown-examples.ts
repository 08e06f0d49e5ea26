import type { SharedOpenRpcDocument } from "../../../shared/rpc/open-rpc.js";
import type { TestService } from "../services/service.js";

/** Answers of a service to the examples of its documents, by method. */
export type ShownExamples = {
  /** The answer to an example, and whether it shows something: no error, and not only empty lists. */
  try(name: string, index: number): Promise<{ answer: unknown; isShown: boolean }>;
  /** The result that the document has for it. */
  documented(name: string, index: number): unknown;
};

export async function shownExamples(service: Pick<TestService, "get" | "rpc">): Promise<ShownExamples> {
  const { methods } = (await service.get("/openrpc.json")).json as SharedOpenRpcDocument;
  const exampleOf = (name: string, index: number) =>
    methods.find((each) => each.name === name)!.examples[index]!;
  return {
    async try(name, index) {
      const entries = exampleOf(name, index).params.map(({ name: param, value }) => [param, value]);
      const answer = (await service.rpc(name, Object.fromEntries(entries))) as {
        result?: unknown;
        error?: unknown;
      };
      return answer.error === undefined
        ? { answer: answer.result, isShown: !isEmpty(answer.result) }
        : { answer: answer.error, isShown: false };
    },
    documented: (name, index) => exampleOf(name, index).result.value,
  };
}

const besideLists = ["address_book", "metadata", "next_cursor", "total_on_page", "@type"];

export function isEmpty(result: unknown): boolean {
  if (result === null || result === undefined || result === "") return true;
  if (typeof result !== "object") return false;
  const members = Object.entries(result).filter(([name]) => !besideLists.includes(name));
  return members.every(([, value]) => typeof value === "object" && isEmpty(value));
}
