import type { OpenRpcMethod } from "../../../../shared/rpc/open-rpc.js";
import { copyText } from "../copy-text.js";
import { elementOf } from "../element.js";
import { indent } from "../json-text.js";
import type { Markup } from "../markup.js";
import { methodPath } from "../reference.js";
import { type RequestForm, requestText, restCall, type TypedCall } from "../request.js";
import { fillForm, fillFromQuery, peekCall, queryOf, readCall } from "./call-form.js";
import {
  batchPanel,
  callPanel,
  consoleFrame,
  eventItem,
  eventsPanel,
  historyPanel,
  requestPreview,
} from "./console-view.js";
import { answerView, exchangeView } from "./exchange-view.js";
import { type Exchange, Session, type Transport } from "./session.js";
import { maxEvents, needsSocket, type StreamedEvent, Subscriptions } from "./subscriptions.js";

type Tab = "call" | "batch" | "events" | "history";

/** Longer parameters, such as bags of cells, are left out of the address. */
const maxQueryLength = 2000;

/** The panel that sends requests and shows their answers. */
export class Console {
  readonly #root: HTMLElement;
  readonly #visit: (path: string) => void;
  readonly #session = new Session(
    new Subscriptions((change) => (change ? this.#showEvent(change.event) : this.#showSubscriptions())),
  );
  #method: OpenRpcMethod | undefined;
  #tab: Tab = "call";
  #requestForm: RequestForm = "json";
  /** The last exchange of each tab. */
  #last: Partial<Record<Tab, Exchange>> = {};

  constructor(root: HTMLElement, visit: (path: string) => void) {
    this.#root = root;
    this.#visit = visit;
    root.innerHTML = consoleFrame(this.#session).text;
    root.addEventListener("input", (event) => this.#onInput(event.target as HTMLElement));
  }

  /** Switches to another method, or to none. */
  showMethod(method: OpenRpcMethod | undefined): void {
    this.#method = method;
    delete this.#last.call;
    const form = this.#form();
    form?.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#run();
    });
    form?.addEventListener("input", () => this.#onEdit(form));
    form?.addEventListener("reset", () => queueMicrotask(() => this.#onEdit(form)));
    if (form) fillFromQuery(form, new URLSearchParams(location.search));
    this.#showTab(this.#tab);
  }

  /** Runs the action of a button anywhere on the page. */
  act(action: string, button: HTMLElement): void {
    const data = button.dataset;
    const index = Number(data["index"]);
    const actions: Record<string, () => void> = {
      tab: () => this.#openTab(data["tab"] as Tab),
      "toggle-console": () => this.#open(!this.#isOpen()),
      "request-form": () => this.#chooseRequestForm(data["form"] as RequestForm),
      "copy-request": () => void copyText(this.#requestText(), button),
      "copy-answer": () => void copyText(this.#answerText(data["exchange"] ?? ""), button),
      "show-all": () => this.#showAll(data["exchange"] ?? ""),
      "use-example": () => this.#useExample(index),
      "add-to-batch": () => this.#addToBatch(),
      "remove-from-batch": () => this.#changeBatch(() => this.#session.batch.splice(index, 1)),
      "clear-batch": () => this.#changeBatch(() => this.#session.batch.splice(0)),
      "send-batch": () => void this.#send(this.#session.batch, "batch"),
      unsubscribe: () => this.#unsubscribe(data["subscription"] ?? ""),
      "clear-events": () => this.#session.subscriptions.clear(),
      "use-again": () => this.#useAgain(this.#session.history[index]!),
    };
    actions[action]?.();
  }

  async #run(): Promise<void> {
    const call = this.#readCall();
    if (call) await this.#send([call], "call");
  }

  async #send(calls: readonly TypedCall[], tab: "call" | "batch"): Promise<void> {
    const { exchange, done } = this.#session.send(calls, tab === "batch");
    this.#last[tab] = exchange;
    this.#openTab(tab);
    this.#showCounts();
    await done;
    if (this.#tab === "history") this.#showTab("history");
    // Meanwhile the user may have sent another call, or switched the method or tab.
    if (this.#tab !== tab || this.#last[tab] !== exchange) return;
    this.#showAnswer();
    this.#root.querySelector(".status")?.scrollIntoView({ block: "nearest" });
  }

  #readCall(): TypedCall | undefined {
    const form = this.#form();
    const call = form && this.#method && readCall(form, this.#method.name);
    // The invalid field is marked in the form, which the open sheet would cover.
    if (!call) this.#open(false);
    return call || undefined;
  }

  #addToBatch(): void {
    const call = this.#readCall();
    if (call) this.#changeBatch(() => this.#session.batch.push(call));
  }

  #changeBatch(change: () => void): void {
    change();
    this.#showCounts();
    this.#showTab("batch");
    // The pressed button may have been removed; keep the focus in the console.
    if (document.activeElement === document.body)
      this.#root.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
  }

  #unsubscribe(subscription: string): void {
    const params = new Map([["subscription", JSON.stringify(subscription)]]);
    void this.#session.send([{ method: "unsubscribe", params }], false).done;
    this.#showCounts();
  }

  #useExample(index: number): void {
    const example = this.#method?.examples[index];
    if (!example) return;
    this.#fill(new Map(example.params.map(({ name, value }) => [name, JSON.stringify(value)])));
    this.#form()?.scrollIntoView({ block: "nearest" });
  }

  #useAgain({ calls, batch }: Exchange): void {
    if (batch) {
      this.#changeBatch(() => this.#session.batch.splice(0, Number.POSITIVE_INFINITY, ...calls));
      return;
    }
    this.#visit(methodPath(calls[0]!.method));
    this.#showTab("call");
    this.#fill(calls[0]!.params);
  }

  #fill(params: ReadonlyMap<string, string>): void {
    const form = this.#form();
    if (!form) return;
    fillForm(form, params);
    this.#onEdit(form);
  }

  /** Puts the parameters into the address, so that it can be reloaded and shared. */
  #onEdit(form: HTMLFormElement): void {
    const query = queryOf(form);
    const search = query.length > maxQueryLength ? "" : query;
    history.replaceState(history.state, "", location.pathname + (search && `?${search}`) + location.hash);
    this.#showPreview();
  }

  #openTab(tab: Tab): void {
    this.#open(true);
    this.#showTab(tab);
  }

  #showTab(tab: Tab): void {
    this.#tab = tab;
    for (const button of this.#root.querySelectorAll<HTMLElement>("[data-tab]"))
      button.setAttribute("aria-selected", String(button.dataset["tab"] === tab));
    const panels: Record<Tab, () => Markup> = {
      call: () => callPanel(this.#method),
      batch: () => batchPanel(this.#session.batch),
      events: () => eventsPanel(this.#session.subscriptions),
      history: () => historyPanel(this.#session.history),
    };
    this.#put("panel", panels[tab]());
    this.#showPreview();
    this.#showAnswer();
  }

  #showCounts(): void {
    const { batch, history, subscriptions } = this.#session;
    const counts = { batch: batch.length, events: subscriptions.count, history: history.length };
    for (const [id, count] of Object.entries(counts))
      elementOf(this.#root, `#${id}-count`).textContent = count === 0 ? "" : String(count);
  }

  /** Prepends an event without re-rendering the others, whose details may be open. */
  #showEvent(event: StreamedEvent): void {
    this.#showCounts();
    const list = this.#root.querySelector('[data-place="events"]');
    if (!list) {
      this.#showSubscriptions();
      return;
    }
    list.insertAdjacentHTML("afterbegin", eventItem(event).text);
    if (list.childElementCount > maxEvents) list.lastElementChild!.remove();
  }

  #showSubscriptions(): void {
    this.#showCounts();
    if (this.#tab === "events") this.#showTab("events");
  }

  #showPreview(): void {
    this.#put("request", requestPreview(this.#requestText(), this.#shownForm(), this.#forms()));
  }

  #showAnswer(): void {
    const exchange = this.#last[this.#tab];
    if (exchange) this.#put("answer", exchangeView(exchange, this.#tab));
  }

  #showAll(tab: string): void {
    const all = answerView(this.#answerText(tab), tab, "all");
    elementOf(this.#root, `#${tab}`).outerHTML = all.text;
  }

  #answerText(tab: string): string {
    return indent(this.#last[tab as Tab]?.reply?.text ?? "");
  }

  #requestText(): string {
    const batch = this.#tab === "batch";
    const calls = batch ? this.#session.batch : this.#typedCalls();
    if (calls.length === 0) return "";
    const destination = { origin: location.origin, key: this.#session.key };
    const body = this.#session.bodyOf(calls, batch);
    return requestText(this.#shownForm(), { calls, body, rest: this.#rest() }, destination);
  }

  #typedCalls(): TypedCall[] {
    const form = this.#form();
    return form && this.#method ? [peekCall(form, this.#method.name)] : [];
  }

  #rest() {
    const call = this.#tab === "call" ? this.#typedCalls()[0] : undefined;
    return call && restCall(call, this.#method);
  }

  /** The available forms of the request; calls about a connection need a WebSocket. */
  #forms(): readonly RequestForm[] {
    const calls = this.#tab === "batch" ? this.#session.batch : this.#typedCalls();
    if (calls.some(needsSocket)) return ["json"];
    return ["json", "curl", ...(this.#rest() === undefined ? [] : (["rest"] as const)), "typescript"];
  }

  #shownForm(): RequestForm {
    const forms = this.#forms();
    return forms.includes(this.#requestForm) ? this.#requestForm : forms.includes("curl") ? "curl" : "json";
  }

  #chooseRequestForm(form: RequestForm): void {
    this.#requestForm = form;
    this.#showPreview();
    this.#root.querySelector<HTMLElement>(`[data-form="${form}"]`)?.focus();
  }

  #onInput(target: HTMLElement): void {
    if (target instanceof HTMLInputElement && target.name === "transport")
      this.#session.transport = target.value as Transport;
    if (target instanceof HTMLInputElement && target.id === "api-key")
      this.#session.key = target.value.trim();
    this.#showPreview();
  }

  #isOpen(): boolean {
    return this.#root.dataset["open"] !== undefined;
  }

  /** On narrow screens the console is a sheet at the bottom; on wide ones it is always open. */
  #open(open: boolean): void {
    if (open) this.#root.dataset["open"] = "";
    else delete this.#root.dataset["open"];
    this.#root.querySelector("[data-action=toggle-console]")?.setAttribute("aria-expanded", String(open));
  }

  #form(): HTMLFormElement | null {
    return document.querySelector<HTMLFormElement>("form#call");
  }

  #put(id: string, markup: Markup): void {
    const place = this.#root.querySelector(`[data-place="${id}"]`);
    if (place) place.innerHTML = markup.text;
  }
}
