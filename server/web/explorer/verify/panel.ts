import { html, type Markup } from "../../pages/markup.js";

/** Contents of the panel, and its buttons by the value of `data-act`. */
export type PanelContent = {
  readonly title: string;
  readonly body: Markup;
  readonly acts?: Readonly<Record<string, () => void>>;
};

/** The dialog that explains a proof. One is in the page at a time. */
export class Panel {
  readonly #dialog = document.createElement("dialog");
  #acts: PanelContent["acts"];

  constructor() {
    this.#dialog.className = "proof-panel";
    this.#dialog.setAttribute("aria-labelledby", "proof-title");
    this.#dialog.addEventListener("click", ({ target }) => {
      const element = target as Element;
      // A click beside the content is one on the dialog itself.
      if (element === this.#dialog || element.closest("a[href]")) this.#dialog.close();
      const act = element.closest<HTMLElement>("[data-act]")?.dataset["act"];
      if (act === undefined) return;
      if (act === "close") this.#dialog.close();
      else this.#acts?.[act]?.();
    });
    document.body.append(this.#dialog);
  }

  /** The field of the form with this name. */
  field(name: string): HTMLInputElement | null {
    return this.#dialog.querySelector<HTMLInputElement>(`[name="${name}"]`);
  }

  /** Says what is wrong with a field, in the element that describes it. */
  complain(name: string, text: string): void {
    const field = this.field(name);
    const problem = this.#dialog.querySelector(`#${field?.getAttribute("aria-describedby")}`);
    if (problem) problem.textContent = text;
    field?.focus();
  }

  show({ title, body, acts }: PanelContent): void {
    this.#acts = acts;
    this.#dialog.innerHTML =
      html`<div class="proof-content"><h2 id="proof-title" tabindex="-1">${title}</h2>${body}
      <p class="proof-acts"><button type="button" data-act="close">Close</button></p></div>`.text;
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#dialog.querySelector<HTMLElement>("h2")?.focus();
  }

  close(): void {
    this.#dialog.close();
  }
}
