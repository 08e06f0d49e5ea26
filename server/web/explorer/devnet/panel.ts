import type {
  BlockId,
  DevnetCallsResult,
  DevnetInfoResult,
  DevnetSnapshotsResult,
} from "../../../../client/api.js";
import { bytesOfBase64, bytesToBase64 } from "../../../../shared/values/bytes.js";
import { elementOf } from "../../pages/element.js";
import { html, type Markup } from "../../pages/markup.js";
import { blockLink } from "../parts/block-id.js";
import { downloadFile } from "../parts/download.js";
import { facts } from "../parts/facts.js";
import { failure } from "../parts/failure.js";
import { claimedText } from "../parts/text.js";
import { timeOf } from "../parts/time.js";
import type { ViewContext } from "../view.js";
import type { Request } from "./control-form.js";
import { OnceAtATime } from "./once-at-a-time.js";
import { callTable, snapshotTable, walletTable } from "./tables.js";

/** The devnet's state as the panel shows it. */
type DevnetState = {
  readonly info: DevnetInfoResult;
  readonly head: Pick<BlockId, "workchain" | "shard" | "seqno">;
  readonly snapshots: DevnetSnapshotsResult[];
  /** The calls, or the reason why they are unavailable. */
  readonly calls: DevnetCallsResult[] | Error;
};

/** Limit on the calls shown. */
const shownCalls = 100;

export async function readState(
  { callQuietly }: ViewContext,
  known: Partial<DevnetState> = {},
): Promise<DevnetState> {
  const [info, head, snapshots, calls] = await Promise.all([
    known.info ?? callQuietly("devnet.info"),
    known.head ?? callQuietly("getMasterchainInfo").then(({ last }) => last),
    callQuietly("devnet.snapshots"),
    callQuietly("devnet.calls", { limit: shownCalls }).catch((error: Error) => error),
  ]);
  return { info, head, snapshots, calls };
}

/** Markup of the self-updating parts of the panel, by name. */
export function partsOf(state: DevnetState, { names }: ViewContext, withOwnCalls: boolean) {
  return {
    info: infoFacts(state),
    wallets: walletTable(state.info, names),
    snapshots: snapshotTable(state.snapshots),
    calls: state.calls instanceof Error ? failure(state.calls) : callTable(state.calls, withOwnCalls),
  };
}

function infoFacts({ info: { now, clock, mining, seed, global_id, fork }, head }: DevnetState): Markup {
  const modes = {
    interval: `every ${mining.interval_ms} ms while messages wait`,
    message: "for every message",
    manual: "on request",
  };
  return facts(
    Object.entries({
      "Newest block": blockLink(head),
      "Blocks are made": modes[mining.mode],
      "Next block's time": timeOf(now),
      Clock: clock === "wall" ? "this machine's clock" : "fixed, one second per block",
      Seed: seed,
      "Network id": String(global_id),
      ...(fork && { "Fork of": forkText(fork) }),
    }),
  );
}

function forkText(fork: NonNullable<DevnetInfoResult["fork"]>): Markup {
  const { source, block, proven, requests, waiting, problem } = fork;
  return html`${source} at block ${block.seqno}, ${proven ? "proven" : "believed"}; ${requests} requests, ${waiting} waiting
${problem !== undefined && html`<span class="pill bad">${claimedText(problem)}</span>`}`;
}

/** Keeps the panel current, and handles actions without a form. */
export class Panel {
  readonly #context: ViewContext;
  /** Markup by the part of the view that shows it. */
  readonly #shown = new WeakMap<Element, string>();
  readonly #once = new OnceAtATime();
  /** Numbers of the last started refresh and of the shown one. */
  #lastBegun = 0;
  #lastShown = 0;

  constructor(context: ViewContext) {
    this.#context = context;
    const { root } = context;
    root.addEventListener("click", (event) => this.#onClick(event));
    root.addEventListener("change", ({ target }) => this.#onChange(target as HTMLInputElement));
  }

  run({ method, params }: Request): Promise<unknown> {
    const call = this.#context.call as (method: string, params: object) => Promise<unknown>;
    return call(method, params);
  }

  changed(): void {
    void this.#refresh().catch((error) => this.#put("calls", failure(error)));
  }

  /** Refreshes with every block; without an index there are no block events. */
  async follow(): Promise<void> {
    const { live, signal, indexed } = this.#context;
    if (!indexed) return;
    try {
      for await (const { block } of live.blocks({ signal })) await this.#refresh({ head: block });
    } catch (error) {
      if (!signal.aborted) this.#put("calls", failure(error));
    }
  }

  async #refresh(known?: Partial<DevnetState>): Promise<void> {
    const { root, signal } = this.#context;
    const number = ++this.#lastBegun;
    const state = await readState(this.#context, known);
    // A newer refresh may already show the result of an action.
    if (signal.aborted || number < this.#lastShown) return;
    this.#lastShown = number;
    const withOwnCalls = elementOf<HTMLInputElement>(root, "[name=own-calls]").checked;
    for (const [part, content] of Object.entries(partsOf(state, this.#context, withOwnCalls)))
      this.#put(part, content);
  }

  #onClick(event: Event): void {
    const button = (event.target as Element).closest<HTMLElement>("button");
    if (!button || OnceAtATime.isRepeated(event)) return;
    const { snapshot, id, export: exported, refresh } = button.dataset;
    if (snapshot !== undefined)
      this.#act(button, async () => {
        await this.run({ method: snapshot as Request["method"], params: { id } });
        const outcome = snapshot === "devnet.revert" ? "The chain is back at snapshot" : "Deleted snapshot";
        return html`${outcome} ${id}.`;
      });
    else if (exported !== undefined) this.#act(button, () => this.#export());
    else if (refresh !== undefined) this.changed();
  }

  #onChange(input: HTMLInputElement): void {
    if (input.name === "own-calls") this.changed();
    const file = input.dataset["import"] === undefined ? undefined : input.files?.[0];
    if (!file) return;
    this.#act(input, async () => {
      const state = await contentOf(file);
      // Allows choosing the same file again.
      input.value = "";
      const { block } = await this.#context.call("devnet.importState", { state });
      return html`The chain is that of the file, up to block ${blockLink(block)}.`;
    });
  }

  async #export(): Promise<Markup> {
    const { state, block } = await this.#context.call("devnet.exportState");
    saveState(`devnet-${block.seqno}.state`, state);
    return html`Exported up to block ${blockLink(block)}.`;
  }

  #act(element: Element, action: () => Promise<Markup>): void {
    const answer = elementOf(element.closest("section")!, ".control-answer");
    void this.#once.run(element, async () => {
      answer.textContent = "…";
      try {
        answer.innerHTML = html`<p class="done">${await action()}</p>`.text;
        // Not awaited: the button accepts the next press during the refresh.
        this.changed();
      } catch (error) {
        answer.innerHTML = failure(error).text;
      }
    });
  }

  /** Replaces a part only if it has changed, to keep a text selection in it. */
  #put(part: string, content: Markup): void {
    const place = elementOf(this.#context.root, `[data-part="${part}"]`);
    const text = content.text;
    if (this.#shown.get(place) === text) return;
    this.#shown.set(place, text);
    place.innerHTML = text;
  }
}

function saveState(name: string, base64: string): void {
  downloadFile(name, new Blob([Uint8Array.from(bytesOfBase64(base64))]));
}

/** The content of a file in base64. */
async function contentOf(file: File): Promise<string> {
  return bytesToBase64(new Uint8Array(await file.arrayBuffer()));
}
