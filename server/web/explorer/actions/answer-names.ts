import { type Extras, AnswerNames as SharedNames } from "../../../../shared/text/answer-names.js";
import { coin } from "../parts/amount.js";
import type { Names } from "../parts/names.js";

export type { Extras };

type Known = Pick<Names, "find">;

/** Names of accounts and jettons on the page's network. */
export class AnswerNames extends SharedNames {
  readonly #metadata: Extras["metadata"];
  readonly #known: Known | undefined;

  constructor(extras: Extras, known?: Known) {
    super(extras, { known });
    this.#metadata = extras.metadata;
    this.#known = known;
  }

  /** Whether the user gave the account its name, or its owner, by which a jetton wallet is named. */
  isOwn(address: string): boolean {
    const named = this.#known?.find(address);
    if (named) return named.isOwn === true;
    const [info] = this.#metadata?.[address]?.token_info ?? [];
    const owner = info?.type === "jetton_wallets" ? info.extra?.["owner"] : undefined;
    return typeof owner === "string" && this.#known?.find(owner)?.isOwn === true;
  }

  override get coin(): string {
    return coin();
  }
}
