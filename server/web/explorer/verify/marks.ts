import { html } from "../../pages/markup.js";
import { type Claim, nameOfValue, readClaim } from "./claims.js";
import type { Outcome } from "./outcome.js";
import { valueText } from "./value-text.js";

type MarkOptions = {
  readonly place: HTMLElement;
  prove(claim: Claim): Promise<Outcome>;
  /** The outcome if the values are proven already: lists that are drawn anew keep their marks. */
  known(claim: Claim): Outcome | undefined;
  /** Opens the proof. `retry`: proves the value again. */
  open(outcome: Outcome, retry: () => void): void;
  /** Called with the number of contradictions whenever it may have changed. */
  onCount(contradicted: number): void;
};

const texts: Readonly<Record<Outcome["kind"] | "proving", string>> = {
  proving: "being proven",
  proven: "proven",
  contradicted: "CONTRADICTED",
  failed: "not proven",
};

/** Marks beside values: what each proof has shown. Values are proven when they come into view. */
export class Marks {
  readonly #options: MarkOptions;
  readonly #marks = new Map<Element, Mark>();
  readonly #changes: MutationObserver;
  readonly #views: IntersectionObserver;

  constructor(options: MarkOptions) {
    this.#options = options;
    this.#changes = new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes) if (node instanceof Element) this.#attach(node);
      this.#forgetRemoved();
    });
    this.#views = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) this.#prove(target);
    });
  }

  start(): void {
    const { place } = this.#options;
    this.#attach(place);
    this.#changes.observe(place, { childList: true, subtree: true });
  }

  stop(): void {
    this.#changes.disconnect();
    this.#views.disconnect();
    for (const mark of this.#marks.values()) mark.remove();
    this.#marks.clear();
    this.#options.onCount(0);
  }

  /** Proves values again: all, or those without a proof. */
  retry(which: "all" | "failed"): void {
    for (const [element, mark] of this.#marks)
      if (which === "all" || mark.outcome?.kind === "failed") this.#again(element);
  }

  #attach(root: Element): void {
    const inside = root.querySelectorAll<HTMLElement>("[data-claim]");
    const all = root.matches("[data-claim]") ? [root as HTMLElement, ...inside] : inside;
    for (const element of all) {
      if (this.#marks.has(element)) continue;
      const claim = readClaim(element.dataset["claim"] ?? "");
      const mark = new Mark(element, claim, () => {
        if (mark.outcome) this.#options.open(mark.outcome, () => this.#again(element));
      });
      this.#marks.set(element, mark);
      const known = this.#options.known(claim);
      if (known) mark.show(known);
      else this.#views.observe(element);
    }
  }

  #again(element: Element): void {
    this.#marks.get(element)?.show(undefined);
    // Observed anew, it is reported if it is in view.
    this.#views.unobserve(element);
    this.#views.observe(element);
  }

  async #prove(element: Element): Promise<void> {
    const mark = this.#marks.get(element);
    if (!mark) return;
    this.#views.unobserve(element);
    const outcome = await this.#options.prove(mark.claim);
    mark.show(outcome);
    this.#count();
  }

  #forgetRemoved(): void {
    for (const element of this.#marks.keys()) {
      if (element.isConnected) continue;
      this.#marks.delete(element);
      this.#views.unobserve(element);
    }
    this.#count();
  }

  #count(): void {
    const all = [...this.#marks.values()];
    this.#options.onCount(all.filter(({ outcome }) => outcome?.kind === "contradicted").length);
  }
}

/** The mark of one element with a claim. */
class Mark {
  readonly claim: Claim;
  outcome: Outcome | undefined;
  readonly #element: HTMLElement;
  readonly #button = document.createElement("button");
  readonly #proven = document.createElement("span");

  constructor(element: HTMLElement, claim: Claim, onClick: () => void) {
    this.claim = claim;
    this.#element = element;
    this.#button.type = "button";
    this.#button.className = "proof-mark";
    this.#button.addEventListener("click", onClick);
    this.#proven.className = "proven-value";
    element.append(this.#button);
    this.show(undefined);
  }

  show(outcome: Outcome | undefined): void {
    this.outcome = outcome;
    const kind = outcome?.kind ?? "proving";
    const names = Object.keys(this.claim.values).map(nameOfValue);
    const name = names.length > 2 ? `${names[0]} and ${names.length - 1} more` : names.join(" and ");
    this.#button.dataset["proof"] = kind;
    this.#button.ariaLabel = `${name}: ${texts[kind]}`;
    this.#button.title = texts[kind];
    this.#element.classList.toggle("contradicted", kind === "contradicted");
    this.#proven.remove();
    if (outcome?.kind !== "contradicted") return;
    this.#proven.innerHTML = outcome.error
      ? html`The service's proof is wrong.`.text
      : html`${outcome.differences.slice(0, 3).map(({ name, proven }) => html`${nameOfValue(name)} proven: ${valueText(name, proven)} `)}`
          .text;
    this.#element.append(this.#proven);
  }

  remove(): void {
    this.#button.remove();
    this.#proven.remove();
    this.#element.classList.remove("contradicted");
  }
}
