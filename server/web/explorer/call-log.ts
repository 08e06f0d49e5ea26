import { withoutBigint } from "../../../client/call.js";
import { elementOf } from "../pages/element.js";
import { html, type Markup } from "../pages/markup.js";
import { type Destination, requestText } from "../pages/request.js";
import { copyButton } from "./parts/copy.js";

/** A call made by the view. */
type Recorded = { readonly method: string; readonly params: string; outcome: string; ms?: number };

const forms = { json: "JSON-RPC", curl: "curl", typescript: "TypeScript" } as const;
type Form = keyof typeof forms;

/** Calls kept; a view that stays open makes many. */
const maxCalls = 40;

/** The view's calls, in forms that readers can copy. */
export class CallLog {
  readonly #root: HTMLElement;
  /** Never replaced, so that a call that ends does not undo a click on it. */
  readonly #fold: HTMLDetailsElement;
  readonly #count: HTMLElement;
  readonly #inside: HTMLElement;
  readonly #destination: () => Destination;
  readonly #saveKey: (key: string) => void;
  #calls: Recorded[] = [];
  #form: Form = "json";
  #chosen = 0;

  constructor(root: HTMLElement, destination: () => Destination, saveKey: (key: string) => void) {
    this.#root = root;
    this.#destination = destination;
    this.#saveKey = saveKey;
    root.innerHTML =
      html`<details><summary class="quiet-summary">Calls of this view <span class="count"></span></summary>
      <div class="call-log"></div></details>`.text;
    this.#fold = elementOf<HTMLDetailsElement>(root, "details");
    this.#count = elementOf(root, ".count");
    this.#inside = elementOf(root, ".call-log");
    root.addEventListener("click", (event) => this.#onClick(event.target as Element));
    root.addEventListener("change", (event) => this.#onChange(event.target as HTMLInputElement));
    root.addEventListener("submit", (event) => event.preventDefault());
    this.#fold.addEventListener("toggle", () => this.#show());
  }

  /** Clears the calls of the previous view. */
  clear(): void {
    this.#calls = [];
    this.#chosen = 0;
    this.#show();
  }

  /** Records a call. Returns a function to call when it has ended. */
  begin(method: string, params: object): (error?: unknown) => void {
    const call: Recorded = { method, params: JSON.stringify(params, withoutBigint), outcome: "waiting" };
    const start = performance.now();
    if (this.#calls.length < maxCalls) this.#calls.push(call);
    this.#show();
    return (error) => {
      call.outcome = error === undefined ? "ok" : String((error as { code?: string }).code ?? "failed");
      call.ms = performance.now() - start;
      this.#show();
    };
  }

  #onClick(target: Element): void {
    const button = target.closest<HTMLElement>("button");
    const { form, index } = button?.dataset ?? {};
    if (form !== undefined) this.#form = form as Form;
    else if (index !== undefined) this.#chosen = Number(index);
    else return;
    this.#show();
    const attribute = form === undefined ? `[data-index="${index}"]` : `[data-form="${form}"]`;
    this.#root.querySelector<HTMLElement>(attribute)?.focus();
  }

  #onChange(target: HTMLInputElement): void {
    if (target.name === "api-key") this.#saveKey(target.value.trim());
  }

  #show(): void {
    const { key, origin } = this.#destination();
    this.#root.hidden = this.#calls.length === 0 && key === "";
    this.#count.textContent = String(this.#calls.length);
    const isOpen = this.#fold.open;
    // Do not replace the key field while it has the focus.
    if (isOpen && this.#inside.querySelector("input") === document.activeElement) return;
    this.#inside.innerHTML = isOpen ? this.#content({ key, origin }).text : "";
  }

  #content(destination: Destination): Markup {
    const call = this.#calls[this.#chosen];
    const text = call && textOf(call, this.#form, destination);
    return html`<ol class="call-list">${this.#calls.map(({ method, outcome, ms }, index) => {
      const kind = outcome === "ok" ? "good" : outcome === "waiting" ? "" : "bad";
      return html`<li><button type="button" class="quiet" data-index="${index}" aria-pressed="${String(index === this.#chosen)}"><code>${method}</code>
          <span class="pill ${kind}">${outcome}</span>${ms !== undefined && html`<span class="aside">${Math.round(ms)} ms</span>`}</button></li>`;
    })}</ol>
      ${
        text !== undefined &&
        html`<div class="call-text"><div class="bar"><div class="segments" role="group" aria-label="Form of the call">
          ${Object.entries(forms).map(([form, title]) => html`<button type="button" data-form="${form}" aria-pressed="${String(form === this.#form)}">${title}</button>`)}
        </div>${copyButton(text, "Copy the call")}</div>
        <pre class="code" tabindex="0"><code>${text}</code></pre></div>`
      }
      <form class="key"><label for="api-key">API key</label>
        <input id="api-key" name="api-key" type="text" value="${destination.key}" placeholder="none" autocomplete="off" spellcheck="false"></form>`;
  }
}

function textOf({ method, params }: Recorded, form: Form, destination: Destination): string {
  const values = Object.entries(JSON.parse(params) as object);
  const call = { method, params: new Map(values.map(([name, value]) => [name, JSON.stringify(value)])) };
  const body = `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${params}}`;
  return requestText(form, { calls: [call], body }, destination);
}
