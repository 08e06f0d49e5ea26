import type { AbiBody, CellContent } from "../../../../client/api.js";
import { html, type Markup } from "../../pages/markup.js";
import { record } from "../parts/record.js";
import { claimed } from "../parts/text.js";
import { vouchers } from "../parts/vouchers.js";

/** A body that several protocols may read differently is closed at first, and says so. */
export function decodedBody(
  body: NonNullable<CellContent["decoded"]>,
  candidates: readonly string[] = [],
): Markup {
  const isSure = candidates.length === 0;
  return html`<details class="fold"${isSure && html` open`}><summary>${isSure ? "Decoded body" : "Body, as one of several protocols may read it"}</summary>${record(body)}</details>`;
}

/** A guess is closed at first. */
export function bodyByAbi({ message, contract, trust, by, fields }: AbiBody): Markup {
  const isGuess = by === "opcode";
  return html`<details class="fold" data-abi${!isGuess && html` open`}><summary>${
    isGuess ? "A guess by the opcode alone: " : ""
  }${claimed(message, 60)} of ${claimed(contract, 60)}</summary><p class="hint">By an ABI of ${vouchers[trust] ?? claimed(trust)}.</p>${record(fields)}</details>`;
}
