import {
  type Extras,
  type KnownAccounts,
  AnswerNames as SharedNames,
} from "../../../../shared/text/answer-names.js";
import { coin } from "../parts/coin.js";

export type { Extras };

/** Names of accounts and jettons on the page's network. */
export class AnswerNames extends SharedNames {
  constructor(extras: Extras, known?: KnownAccounts) {
    super(extras, { known });
  }

  override get coin(): string {
    return coin();
  }
}
