import { elementOf } from "../../pages/element.js";
import { html } from "../../pages/markup.js";
import { count } from "../parts/amount.js";

type Uses = {
  zoomBy(way: "in" | "out"): void;
  zoomToWhole(): void;
  fit(): void;
  fold(isFolded: boolean): void;
  nextFailure(): void;
};

type Shown = {
  /** Number of groups of equal steps. */
  readonly groups: number;
  readonly isFolded: boolean;
  readonly failures: number;
};

/** The buttons above the picture of a trace. */
export class TraceTools {
  readonly element = document.createElement("div");
  #isFolded = true;

  constructor(uses: Uses) {
    this.element.className = "trace-tools";
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", "View of the picture");
    this.element.innerHTML =
      html`<button type="button" data-use="out" aria-label="Zoom out" title="Zoom out: − or Ctrl and wheel">−</button>
<button type="button" data-use="whole" title="Full size: 0"><span class="off-screen">Full size, now at </span><span data-scale>100 %</span></button>
<button type="button" data-use="in" aria-label="Zoom in" title="Zoom in: + or Ctrl and wheel">+</button>
<button type="button" data-use="fit">Fit</button>
<button type="button" data-use="fold" hidden></button>
<button type="button" data-use="failure" hidden></button>
<span class="hint">Drag to move, Ctrl and wheel to zoom</span>`.text;
    this.element.addEventListener("click", ({ target }) => {
      const use = (target as Element).closest<HTMLElement>("[data-use]")?.dataset["use"];
      if (use === "in" || use === "out") uses.zoomBy(use);
      else if (use === "whole") uses.zoomToWhole();
      else if (use === "fit") uses.fit();
      else if (use === "fold") uses.fold(!this.#isFolded);
      else if (use === "failure") uses.nextFailure();
    });
  }

  show({ groups, isFolded, failures }: Shown): void {
    this.#isFolded = isFolded;
    const fold = this.#button("fold");
    fold.hidden = groups === 0;
    fold.textContent = isFolded ? "Unfold equal messages" : "Fold equal messages";
    const failure = this.#button("failure");
    failure.hidden = failures === 0;
    failure.textContent = failures === 1 ? "Show the failure" : `Next of ${count(failures)} failures`;
  }

  showScale(scale: number): void {
    elementOf(this.element, "[data-scale]").textContent = `${Math.round(scale * 100)} %`;
  }

  #button(use: string): HTMLElement {
    return elementOf(this.element, `[data-use="${use}"]`);
  }
}
