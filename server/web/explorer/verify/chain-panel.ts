import { bytesToHex } from "../../../../shared/values/bytes.js";
import { html, type Markup } from "../../pages/markup.js";
import { count } from "../parts/amount.js";
import { facts } from "../parts/facts.js";
import { hashText } from "../parts/hash.js";
import type { PanelContent } from "./panel.js";
import { linkTo, proofPath, startLink, startText } from "./proof-path.js";
import type { Session, Status } from "./session.js";

type Acts = {
  /** Trusts the start that the service names now, or that of the package. */
  trustAnew(): void;
  /** Trusts the block in the field `start`. */
  trustGiven(): void;
  retry(): void;
};

/** One line about the chain, for the bar. */
export function chainLine({ kind, head, progress }: Status, contradicted: number): string {
  if (contradicted > 0)
    return `${contradicted} ${contradicted === 1 ? "value is" : "values are"} CONTRADICTED`;
  switch (kind) {
    case "proving":
      return progress
        ? `Proving: key block ${progress.proven} of about ${progress.about}`
        : "Proving the chain…";
    case "proven":
      return `Proven up to block ${count(head?.seqno ?? 0)}`;
    case "replaced":
      return "Another network than before";
    case "impossible":
      return "This service gives no proofs";
    case "wrong":
      return "The service's proof is WRONG";
    case "failed":
      return "Not proven: the service does not answer";
  }
}

/** The chain of proofs as a whole: its start, its newest block, and its limits. */
export function chainContent(session: Session, { trustAnew, trustGiven, retry }: Acts): PanelContent {
  const { status, links } = session;
  const { start, head, warnings, isReverted } = status;
  return {
    title: "Verified in this browser",
    body: html`${problem(status)}
      <p>Your browser checks the values of these pages itself: from a block that it trusts over the signatures of the validators to the newest block, and from there by hashes to each value. A mark beside a value opens its proof.</p>
      ${facts([
        [
          "Start",
          start && html`${startLink(start)} ${hashText(start.block.root_hash)}<p>${startText(start)}</p>`,
        ],
        ["Newest proven block", head && html`${linkTo(head)} ${hashText(bytesToHex(head.rootHash))}`],
      ])}
      ${head && html`<details><summary>From the start to the newest block</summary>${proofPath({ steps: [], head }, links.backFrom(head), status)}</details>`}
      ${isReverted && html`<p class="hint">The newest block does not follow one that was proven before, as after a revert of a devnet. Its blocks were proven again.</p>`}
      ${warnings.map((text) => html`<p class="hint">${text}</p>`)}
      <h3>Not proven</h3>
      <p>Values without a mark are from the index of this service: names, tokens, prices, traces, statistics and lists of top accounts.
      This page's script was sent by the service too. A service that changes its script can show any mark, so use an explorer that you run yourself for values that matter.</p>
      <details><summary>Start from another block</summary>
        <form data-form><label for="start-block">A key block or zero state that you trust</label>
        <input id="start-block" name="start" maxlength="400" autocomplete="off" spellcheck="false" placeholder="(-1,8000000000000000,seqno):ROOT HASH:FILE HASH" aria-describedby="start-problem">
        <p id="start-problem" class="problem" role="status"></p>
        <p class="buttons"><button type="button" data-act="trustGiven">Start from this block</button>
        <button type="button" class="quiet" data-act="trustAnew">Forget the start</button></p></form></details>`,
    acts: { trustAnew, trustGiven, retry },
  };
}

function problem({ kind, reason, start }: Status): Markup | undefined {
  const technical = reason !== undefined && html`<p class="aside">${reason.slice(0, 400)}</p>`;
  switch (kind) {
    case "replaced":
      return start?.givenBy === "service"
        ? html`<p class="failure" role="alert">The service shows another network than the one that this browser trusted here: its zero state is a new one. A devnet that was started anew does that. If nobody started it anew, the service may be lying.</p>
          <p><button type="button" data-act="trustAnew">Trust the new start</button></p>`
        : html`<p class="failure" role="alert">The service shows another network than the trusted block is of. Nothing that it shows can be proven.</p>`;
    case "impossible":
      return html`<p class="failure" role="alert">This service does not answer queries of liteservers (<code>lite.query</code>), so its values cannot be proven.</p>`;
    case "wrong":
      return html`<p class="failure" role="alert">The service does not prove its newest block: its proof was forged, or is damaged. Do not rely on this service.</p>${technical}
        <p><button type="button" data-act="retry">Try again</button></p>`;
    case "failed":
      return html`<p class="failure" role="alert">The chain could not be proven: the service could not be reached, or has refused.</p>${technical}
        <p><button type="button" data-act="retry">Try again</button></p>`;
    default:
      return undefined;
  }
}
