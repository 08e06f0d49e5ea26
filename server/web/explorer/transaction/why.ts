import { describeFailure } from "../../../../shared/text/describe.js";
import { englishFailures } from "../../../../shared/text/english/english.js";
import { html } from "../../pages/markup.js";
import type { AnswerNames } from "../actions/answer-names.js";
import { fillOnOpen } from "../parts/on-open.js";
import { whyLink } from "../parts/why-link.js";
import type { ViewContext } from "../view.js";

/** Says why a transaction failed, and what can be done, when the user opens `place`: its message is run again for that. */
export function growWhy(
  place: HTMLDetailsElement,
  { hash, message }: { readonly hash: string; readonly message: string },
  names: AnswerNames,
  { call }: Pick<ViewContext, "call">,
): void {
  const body = document.createElement("div");
  place.append(body);
  fillOnOpen(place, body, "Running the message again…", async () => {
    const status = await call("v3.messageStatus", { hash: message, include_hint: true });
    const found = "failures" in status && status.failures.find((each) => each.hash === hash);
    return html`<p>${found ? describeFailure(found, names, englishFailures) : "Nothing more is known."} ${whyLink(hash, { text: "Step by step" })}</p>`;
  });
}
