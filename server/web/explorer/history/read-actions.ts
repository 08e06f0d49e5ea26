import type { Action, ActionList } from "../../../../client/api.js";
import { typesOfIcon } from "../../../../shared/text/icons.js";
import type { ViewContext } from "../view.js";
import { type Place, placeAfter } from "./place.js";

/** The wanted part of an account's actions. */
export type ActionFilter = {
  /** Kind of the actions, as their icons have it. */
  readonly kind?: string | undefined;
  /** Raw address in upper case of another account or of a token. */
  readonly other?: string | undefined;
};

type Options = ActionFilter & { readonly limit: number };

/** Reads the actions of an account, newest first, each once. */
export class ActionReader {
  readonly #call: ViewContext["call"];
  readonly #account: string;
  readonly #options: Options;
  #last: Place | undefined;
  isAtEnd = false;

  constructor(call: ViewContext["call"], account: string, options: Options) {
    this.#call = call;
    this.#account = account;
    this.#options = options;
  }

  /** The next actions that the filter lets through, which may be none before the end. */
  async next(): Promise<ActionList> {
    const { kind, other, limit } = this.#options;
    const last = this.#last;
    const types = kind === undefined ? undefined : typesOfIcon(kind);
    const answer = await this.#call("v3.actions", {
      account: this.#account,
      limit,
      include_abi: true,
      // Texts come with the reasons of failures.
      include_text: true,
      ...(types && { action_type: [...types] }),
      // Actions of one trace have one time, and a page may end between them.
      ...(last && { end_lt: last.lt, offset: last.count }),
      ...(other !== undefined && { include_accounts: true }),
    });
    this.isAtEnd = answer.actions.length < limit;
    this.#last = placeAfter(
      answer.actions.map(({ trace_end_lt }) => trace_end_lt),
      last,
    );
    if (other === undefined) return answer;
    return { ...answer, actions: answer.actions.filter((action) => concerns(action, other)) };
  }
}

/** Whether an account takes part, or a token or account is in the details. */
function concerns({ accounts, details }: Action, address: string): boolean {
  const hasIt = (value: unknown): boolean =>
    typeof value === "object" && value !== null ? Object.values(value).some(hasIt) : value === address;
  return accounts?.includes(address) === true || hasIt(details);
}
