import { elementOf } from "../../pages/element.js";
import { html } from "../../pages/markup.js";
import { sentenceOf } from "../parts/failure.js";

type Question = {
  readonly label: string;
  readonly placeholder: string;
  /** What is said to a text; nothing closes the line. Shift with Enter asks backwards. */
  answer(text: string, direction: 1 | -1): Promise<string | undefined>;
};

/** A line with a field, which opens for a question and closes with Escape. */
export class AskBar {
  readonly element = document.createElement("form");
  readonly #field: HTMLInputElement;
  readonly #label: HTMLElement;
  readonly #said: HTMLElement;
  #question: Question | undefined;

  constructor() {
    this.element.className = "debug-ask";
    this.element.hidden = true;
    this.element.innerHTML =
      html`<label><span></span><input autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="200"></label><button type="submit">Next</button><button type="button" class="quiet" aria-label="Close">×</button><p role="status"></p>`.text;
    this.#field = elementOf<HTMLInputElement>(this.element, "input");
    this.#label = elementOf(this.element, "span");
    this.#said = elementOf(this.element, "p");
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#answer(1);
    });
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.#close();
      if (event.key !== "Enter" || !event.shiftKey) return;
      event.preventDefault();
      void this.#answer(-1);
    });
    elementOf(this.element, "[aria-label=Close]").addEventListener("click", () => this.#close());
  }

  open(question: Question): void {
    if (this.#question?.label !== question.label) this.#field.value = "";
    this.#question = question;
    this.#label.textContent = question.label;
    this.#field.placeholder = question.placeholder;
    this.#said.textContent = "";
    this.element.hidden = false;
    this.#field.focus();
    this.#field.select();
  }

  #close(): void {
    // Keys are the page's again.
    this.#field.blur();
    this.element.hidden = true;
  }

  async #answer(direction: 1 | -1): Promise<void> {
    const text = this.#field.value.trim();
    if (text === "" || !this.#question) return;
    this.#said.textContent = "…";
    try {
      const said = await this.#question.answer(text, direction);
      this.#said.textContent = said ?? "";
      if (said === undefined) this.#close();
    } catch (error) {
      this.#said.textContent = sentenceOf(error, 300);
    }
  }
}
