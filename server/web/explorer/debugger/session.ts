import type { DebugRun, DebugStep } from "../../../../client/api.js";
import { failedStep } from "../../../../shared/text/failed-step.js";
import { elementOf } from "../../pages/element.js";
import { html, type Markup } from "../../pages/markup.js";
import { count } from "../parts/amount.js";
import { failure } from "../parts/failure.js";
import { claimed } from "../parts/text.js";
import type { ViewContext } from "../view.js";
import { AskBar } from "./ask-bar.js";
import { CodePane } from "./code-pane.js";
import { CodeReader } from "./code-reader.js";
import { frameAt } from "./flame.js";
import { FlameView } from "./flame-view.js";
import { showKeys } from "./key-help.js";
import { type Command, commandOf } from "./keys.js";
import {
  type Area,
  areas,
  type Breakpoint,
  readBreakpoints,
  readLine,
  readPlace,
  tabs,
  writeBreakpoints,
  writePlace,
} from "./place.js";
import { placeOf, type Unit } from "./rows.js";
import type { RunReader } from "./run-reader.js";
import { nextVisit, StepFinder } from "./step-finder.js";
import { StepList } from "./step-list.js";
import { tabMarkup } from "./tab-markup.js";

/** A user's walk through a run: the step, what is open, and the breakpoints, all of which the address has. */
export class Session {
  readonly #context: ViewContext;
  readonly #run: DebugRun;
  readonly #reader: RunReader;
  readonly #code: CodeReader;
  readonly #finder: StepFinder;
  readonly #root: HTMLElement;
  readonly #list: StepList;
  readonly #pane: CodePane;
  readonly #flame: FlameView;
  readonly #ask = new AskBar();
  readonly #failed: number | undefined;
  #step = 0;
  #area: Area = "stack";
  #breakpoints = new Set<Breakpoint>();
  #latest = 0;

  constructor(context: ViewContext, run: DebugRun, reader: RunReader) {
    this.#context = context;
    this.#run = run;
    this.#reader = reader;
    this.#failed = failedStep(run);
    this.#code = new CodeReader(reader.call, run, reader);
    this.#finder = new StepFinder(reader.call, reader);
    this.#root = elementOf(context.root, ".debug");
    this.#list = new StepList({
      steps: reader.steps,
      textOf: (unit) => this.#textOf(unit),
      pick: (step) => void this.#go(step),
      fail: (error) => this.#fail(error),
    });
    this.#pane = new CodePane({
      pick: (place) => void this.#seek(place).catch((error) => this.#fail(error)),
      toggle: (place) => this.#toggle(place),
    });
    this.#flame = new FlameView((step) => void this.#go(step));
    elementOf(this.#root, ".debug-steps").append(this.#list.element);
    elementOf(this.#root, ".debug-code").append(this.#pane.element);
    elementOf(this.#root, "[data-part=flame]").replaceWith(this.#flame.element);
    elementOf(this.#root, ".debug-bar").after(this.#ask.element);
  }

  async start(): Promise<void> {
    const { signal, query } = this.#context;
    await this.#code.open();
    this.#breakpoints = new Set(readBreakpoints(query.get("b") ?? "", this.#code.mainFile));
    this.#root.addEventListener("click", ({ target }) => {
      const button = (target as Element).closest<HTMLElement>("[data-command], [data-tab]");
      const { command, tab } = button?.dataset ?? {};
      if (command) this.#do(command as Command);
      const area = areas.find((each) => each === tab);
      if (area) this.#open(area);
    });
    // Before the search of the page, which has a key of this page, too.
    document.addEventListener("keydown", (event) => this.#pressed(event), { signal, capture: true });
    window.addEventListener("hashchange", () => void this.#readAddress(), { signal });
    this.#flame.show(this.#code.flame);
    await this.#readAddress();
  }

  #readAddress(): Promise<void> {
    const { step, area = "stack", file } = readPlace(location.hash);
    this.#area = area;
    return this.#go(step ?? this.#failed ?? this.#reader.steps.first, file);
  }

  #writeAddress(): void {
    const url = new URL(location.href);
    const breakpoints = writeBreakpoints(this.#breakpoints, this.#code.mainFile);
    url.searchParams.delete("b");
    const query = url.searchParams.toString();
    const all = [query, breakpoints && `b=${breakpoints}`].filter(Boolean).join("&");
    const hash = writePlace({ step: this.#step, area: this.#area, file: this.#code.chosen });
    history.replaceState(history.state, "", `${url.pathname}${all && `?${all}`}${hash}`);
  }

  #go(step: number, file = this.#code.chosen): Promise<void> {
    if (step !== this.#step && file === this.#code.chosen) file = undefined;
    this.#code.chosen = file;
    this.#step = this.#reader.steps.within(step);
    return this.#show().catch((error) => this.#fail(error));
  }

  /** Shows the current step everywhere. Of several that wait for data the last one is shown. */
  async #show(): Promise<void> {
    const mine = ++this.#latest;
    const n = this.#step;
    this.#writeAddress();
    this.#markAreas();
    this.#flame.mark(n, this.#failed);
    const [step] = await Promise.all([this.#reader.steps.at(n), this.#list.show(n)]);
    if (mine !== this.#latest || !step) return;
    elementOf(this.#root, ".debug-now").innerHTML = this.#nowMarkup(step).text;
    const code = await this.#code.around(step);
    if (mine !== this.#latest) return;
    this.#pane.show(code, this.#breakpoints);
    const shown = await tabMarkup(this.#tab, {
      run: this.#run,
      reader: this.#reader,
      step,
      names: this.#context.names,
    });
    if (mine === this.#latest) elementOf(this.#root, "[data-part=tab]").innerHTML = shown.text;
  }

  /** The tab below the code; areas of narrow screens are no tabs. */
  get #tab() {
    return tabs.find((tab) => tab === this.#area) ?? "stack";
  }

  #open(area: Area): void {
    this.#area = area;
    this.#show().catch((error) => this.#fail(error));
  }

  #markAreas(): void {
    this.#root.dataset["area"] = this.#area;
    for (const button of this.#root.querySelectorAll<HTMLElement>("[data-tab]"))
      button.ariaPressed = String(button.dataset["tab"] === this.#area);
  }

  #pressed(event: KeyboardEvent): void {
    const target = event.target as Element;
    // A dialog that was closed may keep the focus until the page is drawn again.
    if (target.closest("input, textarea, select, dialog[open]")) return;
    const command = commandOf(event);
    if (command === undefined) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#do(command);
  }

  #do(command: Command): void {
    const act = this.#actions[command];
    if (act) Promise.resolve(act()).catch((error) => this.#fail(error));
    else this.#open(command as Area);
  }

  readonly #actions: Partial<Record<Command, () => unknown>> = {
    forth: () => this.#go(this.#step + 1),
    back: () => this.#go(this.#step - 1),
    down: async () => this.#go(await this.#list.line(1)),
    up: async () => this.#go(await this.#list.line(-1)),
    out: () => this.#leave(1),
    outBack: () => this.#leave(-1),
    first: () => this.#go(this.#reader.steps.first),
    last: () => this.#go(this.#reader.steps.end - 1),
    failure: () => this.#failed !== undefined && this.#go(this.#failed),
    breakpoint: async () => {
      const step = await this.#reader.steps.at(this.#step);
      if (step) this.#toggle(placeOf(step));
    },
    on: () => this.#toBreakpoint(1),
    onBack: () => this.#toBreakpoint(-1),
    goTo: () => this.#askStep(),
    find: () => this.#askText(),
    help: () => showKeys(this.#root),
  };

  /** Out of the function, or the cell, that the step is in. */
  #leave(direction: 1 | -1): void {
    const frame = frameAt(this.#code.frames, this.#step);
    if (frame) this.#go(direction > 0 ? frame.to : frame.from - 1);
  }

  #toggle(place: Breakpoint): void {
    if (readLine(place) === undefined) return;
    if (!this.#breakpoints.delete(place)) this.#breakpoints.add(place);
    this.#show().catch((error) => this.#fail(error));
  }

  /** To the next visit of a breakpoint; to the end of the run if there is none. */
  async #toBreakpoint(direction: 1 | -1): Promise<void> {
    const { steps } = this.#reader;
    const found = await Promise.all([...this.#breakpoints].map((place) => this.#finder.at(place)));
    const visits = found.flatMap((hits) => nextVisit(hits.steps, this.#step, direction) ?? []);
    const last = Math.max(...found.filter(({ isCut }) => isCut).flatMap((hits) => hits.steps.at(-1) ?? []));
    // Of a place with more visits than are found at once, the rest is looked for step by step.
    const isBeyond = direction > 0 && last >= 0 && !visits.some((visit) => visit <= last);
    const rest = isBeyond && (await this.#scan(Math.max(last, this.#step) + 1));
    const nearest = direction > 0 ? Math.min(...visits, ...(rest ? [rest.n] : [])) : Math.max(...visits);
    this.#go(Number.isFinite(nearest) ? nearest : direction > 0 ? steps.end - 1 : steps.first);
  }

  #scan(from: number): Promise<DebugStep | undefined> {
    return this.#reader.steps.find(from, (step) => this.#breakpoints.has(placeOf(step)));
  }

  /** To the next visit of a place, else to its first one; a line that was not visited is only looked at. */
  async #seek(place: Breakpoint): Promise<void> {
    const { steps } = await this.#finder.at(place);
    const found = nextVisit(steps, this.#step, 1) ?? steps[0];
    if (found !== undefined) this.#go(found);
    else this.#go(this.#step, readLine(place));
  }

  #askStep(): void {
    const { first, end } = this.#reader.steps;
    this.#ask.open({
      label: "Go to step",
      placeholder: `${first} to ${end - 1}`,
      answer: async (text) => {
        if (!/^\d{1,9}$/.test(text)) return "Needed: a number.";
        this.#go(Number(text));
        return undefined;
      },
    });
  }

  #askText(): void {
    this.#ask.open({
      label: "Find",
      placeholder: "THROWIF, a function, a.tolk:31 or =5",
      answer: async (text, direction) => {
        const steps = await this.#finder.matching(text);
        const found = nextVisit(steps, this.#step, direction) ?? (direction > 0 ? steps[0] : steps.at(-1));
        if (found === undefined) return "No step has this.";
        this.#go(found);
        return `Step ${count(found)}. Enter: the next one. Shift Enter: the one before.`;
      },
    });
  }

  #textOf({ steps }: Unit): Markup {
    const [first] = steps;
    if (!first) return html``;
    const line = this.#code.lineOf(first);
    return line ?? html`<code>${claimed(first.text ?? "", 120)}</code>`;
  }

  #nowMarkup(step: DebugStep): Markup {
    const { n, text, gas, left, error, print } = step;
    return html`<strong>Step ${count(n)}</strong> of ${count(this.#run.steps)} <code>${claimed(text ?? "", 120)}</code>
      ${gas !== undefined && html`<span class="aside">${count(gas)} gas${left !== undefined && `, ${count(left)} left`}</span>`}
      ${print !== undefined && html`<q>${claimed(print, 300)}</q>`}
      ${error && html`<span class="pill bad">${error.code}</span> ${claimed(error.text ?? (error.caught ? "caught" : ""), 120)}`}`;
  }

  #fail(error: unknown): void {
    if (this.#context.signal.aborted) return;
    elementOf(this.#root, "[data-part=tab]").innerHTML = failure(error).text;
  }
}
