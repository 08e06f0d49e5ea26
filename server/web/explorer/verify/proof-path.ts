import { type BlockIdExt, formatShard, sameBlock } from "../../../../shared/ton/tlb/block-id.js";
import { bytesToHex } from "../../../../shared/values/bytes.js";
import { utcDay } from "../../../../shared/values/utc-text.js";
import { type Content, html, type Markup } from "../../pages/markup.js";
import { count } from "../parts/amount.js";
import { blockLink } from "../parts/block-id.js";
import { hashText, hexOf } from "../parts/hash.js";
import { shortPercent } from "../parts/percent.js";
import type { Link } from "./links.js";
import type { Step } from "./provers/proven.js";
import type { Status } from "./session.js";
import type { StartBlock } from "./start-block.js";

type Path = { readonly steps: readonly Step[]; readonly head: BlockIdExt };

/** The way from values over blocks and signatures to the start that is believed. */
export function proofPath({ steps, head }: Path, links: readonly Link[], { start }: Status): Markup {
  const [newest, ...keyBlocks] = links;
  const isAtHead = steps.some(({ block }) => block !== undefined && sameBlock(block, head));
  return html`<ol class="proof-path">
    ${steps.map(({ title, text, block, bytes }) => step({ title, text: html`${text}${block && isAtHead && sameBlock(block, head) && newest && html` ${signedBy(newest)}`}`, block, bytes }))}
    ${!isAtHead && step({ title: "Newest proven block", text: newest ? signedBy(newest) : "The state after it lists all earlier blocks with their hashes.", block: head, bytes: newest?.bytes })}
    ${
      keyBlocks.length > 0 &&
      html`<li><details${keyBlocks.length < 4 && html` open`}><summary>${keyBlocks.length} key ${keyBlocks.length === 1 ? "block" : "blocks"}</summary>
      <p>A key block names the validators whose signatures the blocks after it need.</p><ol>${keyBlocks.map((link) => step({ title: "Key block", text: signedBy(link), block: link.to, bytes: link.bytes }))}</ol></details></li>`
    }
    ${start && startStep(start, links.at(-1)?.from ?? head)}</ol>`;
}

type Shown = {
  readonly title: string;
  readonly text: Content;
  readonly block?: BlockIdExt | undefined;
  readonly bytes?: number | undefined;
};

function step({ title, text, block, bytes }: Shown): Markup {
  return html`<li><strong>${title}</strong>${block && html` ${linkTo(block)} ${hashText(bytesToHex(block.rootHash))}`}${bytes !== undefined && bytes > 0 && html` <span class="aside">${count(bytes)} bytes</span>`}
    <p>${text}</p></li>`;
}

export function linkTo({ workchain, shard, seqno }: BlockIdExt): Markup {
  return blockLink({ workchain, shard: formatShard(shard), seqno });
}

function signedBy({ signatures, weight, totalWeight, from }: Link): Markup {
  const who = from.seqno === 0 ? html`the zero state` : html`key block ${linkTo(from)}`;
  return html`${count(signatures)} ${signatures === 1 ? "validator" : "validators"} with ${shortPercent(weight, totalWeight)} of the weight signed it; more than two thirds are needed. The list of validators is in ${who}.`;
}

/** `oldest`: the block that the proofs of this page began at. */
function startStep(start: StartBlock, oldest: BlockIdExt): Markup {
  const { block } = start;
  const isThere = oldest.seqno === block.seqno && hexOf(block.root_hash) === bytesToHex(oldest.rootHash);
  return html`${!isThere && step({ title: "Kept by this browser", text: "Signatures proved the way from the start to this key block on an earlier visit.", block: oldest })}
    <li><strong>Start</strong> ${startLink(start)} ${hashText(block.root_hash)}<p>${startText(start)}</p></li>`;
}

export function startLink({ block: { seqno } }: StartBlock): Markup {
  return seqno === 0 ? html`zero state` : blockLink({ workchain: -1, shard: "8000000000000000", seqno });
}

/** The source of the start block, and the consequence. */
export function startText({ givenBy, since }: StartBlock): string {
  if (givenBy === "package")
    return "This block is part of the software of this explorer. It is believed; all after it is proven.";
  if (givenBy === "user") return "You gave this block. It is believed; all after it is proven.";
  const when = since === undefined ? "" : ` on ${utcDay(since)}`;
  return `This service itself named the start, when this browser first proved something here${when}. The proofs show that the service has kept to one chain since then. They do not show that it is the chain you mean: compare the hash with a source that you trust, or give a block yourself.`;
}
