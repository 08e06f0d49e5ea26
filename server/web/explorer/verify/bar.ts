import { elementOf } from "../../pages/element.js";
import { html } from "../../pages/markup.js";
import { chainLine } from "./chain-panel.js";
import type { Status } from "./session.js";

/** A line about the proven chain, which stays in view; a click on it opens the details. */
export class Bar {
  readonly #element = document.createElement("aside");
  readonly #button: HTMLElement;
  readonly #alarm: HTMLElement;

  constructor(onClick: () => void) {
    this.#element.className = "verify-bar";
    this.#element.setAttribute("aria-label", "Verification");
    this.#element.innerHTML =
      html`<button type="button"></button><span class="off-screen" role="alert"></span>`.text;
    this.#button = elementOf(this.#element, "button");
    this.#alarm = elementOf(this.#element, "span");
    this.#button.addEventListener("click", onClick);
  }

  show(status: Status, contradicted: number): void {
    const { kind } = status;
    const isBad = contradicted > 0 || kind === "wrong" || kind === "replaced";
    const line = chainLine(status, contradicted);
    this.#element.dataset["state"] = isBad ? "bad" : kind === "proven" ? "good" : "open";
    put(this.#button, line);
    put(this.#alarm, isBad ? line : "");
    if (!this.#element.isConnected) document.body.append(this.#element);
  }

  hide(): void {
    this.#element.remove();
  }
}

/** Only a change: a screen reader would read the same text again. */
function put(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
