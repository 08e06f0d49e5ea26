import { isRpcError } from "../../../../client/errors.js";
import { itemAt } from "../../../../shared/values/lookups.js";
import { systemTimers } from "../../../../shared/values/timers.js";
import { elementOf } from "../../pages/element.js";
import { html, type Markup } from "../../pages/markup.js";
import { sentenceOf } from "../parts/failure.js";
import { identify, type Known } from "./identify.js";
import { Suggester } from "./suggester.js";
import { groups, type Suggestion, suggest } from "./suggestions.js";

type SearchDeps = Known & { go(path: string): void };

/** The search of the page header: suggests while the user types, identifies the text and opens its page. */
export function startSearch(form: HTMLFormElement, deps: SearchDeps): void {
  const field = elementOf<HTMLInputElement>(form, "input");
  const answer = answerIn(form);
  const list = new SuggestionList(field, form);
  const suggester = new Suggester<Suggestion[]>({
    ask: (text) => suggest(text, deps),
    show: (found) => list.show(found ?? []),
    isRefusal: (error) => isRpcError(error) && error.status === 429,
    timers: systemTimers,
  });
  let latest = 0;
  const open = (path: string) => {
    latest++;
    suggester.end();
    answer.say("");
    field.value = "";
    field.blur();
    deps.go(path);
  };
  const search = async (text: string) => {
    const mine = ++latest;
    const chosen = list.chosen;
    if (chosen) return open(chosen.path);
    suggester.end();
    if (text === "") return answer.say("");
    answer.say("Searching…");
    const found = await pathOrChoice(text, deps).catch((error: unknown) => new Error(sentenceOf(error, 300)));
    if (mine !== latest) return;
    if (typeof found === "string") return open(found);
    answer.say(found instanceof Error ? found.message : "");
    if (!(found instanceof Error)) list.show(found);
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void search(field.value.trim());
  });
  field.addEventListener("input", () => {
    // Discard results of earlier input.
    latest++;
    answer.say("");
    suggester.type(field.value.trim());
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && list.isShown) {
      event.preventDefault();
      suggester.end();
    } else if (event.key === "Escape") field.blur();
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (list.move(event.key === "ArrowDown" ? 1 : -1)) event.preventDefault();
    }
  });
  form.addEventListener("focusout", ({ relatedTarget }) => {
    if (!form.contains(relatedTarget as Node | null)) suggester.end();
  });
  // A press would take the focus out of the field, and the list with it, before the click.
  list.element.addEventListener("pointerdown", (event) => event.preventDefault());
  list.element.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const suggestion = list.at(event.target as Element);
    if (!suggestion) return;
    event.preventDefault();
    event.stopPropagation();
    open(suggestion.path);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
    event.preventDefault();
    field.focus();
  });
  // The search was submitted from a page without the explorer's script.
  const asked = new URLSearchParams(location.search).get("q");
  if (asked === null) return;
  history.replaceState(history.state, "", location.pathname);
  field.value = asked;
  void search(asked.trim());
}

/** The path of what a text identifies, or the only thing that it may mean; several such things, or an error. */
async function pathOrChoice(text: string, deps: Known): Promise<string | Suggestion[] | Error> {
  const path = await identify(text, deps);
  if (typeof path === "string") return path;
  const found = await suggest(text, deps);
  if (found.length === 0) return path;
  return found.length === 1 ? itemAt(found, 0).path : found;
}

function answerIn(form: HTMLFormElement) {
  const answer = document.createElement("p");
  answer.className = "search-answer";
  answer.setAttribute("role", "status");
  answer.hidden = true;
  form.append(answer);
  return {
    say(text: string) {
      answer.textContent = text;
      answer.hidden = text === "";
    },
  };
}

/** The suggestions below the field, one of which may be chosen by keyboard. */
class SuggestionList {
  readonly element = document.createElement("div");
  readonly #field: HTMLInputElement;
  #shown: readonly Suggestion[] = [];
  #at = -1;

  constructor(field: HTMLInputElement, form: HTMLFormElement) {
    this.#field = field;
    this.element.id = "search-suggestions";
    this.element.className = "suggestions";
    this.element.setAttribute("role", "listbox");
    this.element.setAttribute("aria-label", "Suggestions");
    for (const [name, value] of [
      ["role", "combobox"],
      ["aria-autocomplete", "list"],
      ["aria-controls", this.element.id],
    ] as const)
      field.setAttribute(name, value);
    form.append(this.element);
    this.show([]);
  }

  get isShown(): boolean {
    return this.#shown.length > 0;
  }

  /** What Enter opens: the suggestion that was moved to, or the only one. */
  get chosen(): Suggestion | undefined {
    return this.#shown[this.#at] ?? (this.#shown.length === 1 ? this.#shown[0] : undefined);
  }

  show(suggestions: readonly Suggestion[]): void {
    this.#shown = suggestions;
    this.element.hidden = suggestions.length === 0;
    this.element.innerHTML = html`${groups.map((group) => groupOf(group, suggestions))}`.text;
    this.#choose(-1);
  }

  /** Chooses the next or previous one; returns whether there is any. */
  move(by: 1 | -1): boolean {
    const count = this.#shown.length;
    if (count === 0) return false;
    // Before the first and behind the last one nothing is chosen.
    this.#choose(((this.#at + 1 + by + count + 1) % (count + 1)) - 1);
    return true;
  }

  at(target: Element): Suggestion | undefined {
    const option = target.closest("[role=option]");
    return option ? this.#shown[[...this.#options()].indexOf(option)] : undefined;
  }

  #options(): NodeListOf<Element> {
    return this.element.querySelectorAll("[role=option]");
  }

  #choose(at: number): void {
    this.#at = at;
    this.#field.setAttribute("aria-expanded", String(this.isShown));
    this.#field.removeAttribute("aria-activedescendant");
    for (const [index, option] of this.#options().entries()) {
      option.setAttribute("aria-selected", String(index === at));
      if (index !== at) continue;
      this.#field.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    }
  }
}

function groupOf(group: Suggestion["group"], suggestions: readonly Suggestion[]): Markup | false {
  const own = [...suggestions.entries()].filter(([, each]) => each.group === group);
  if (own.length === 0) return false;
  return html`<div role="group" aria-label="${group}"><p aria-hidden="true">${group}</p>${own.map(optionOf)}</div>`;
}

function optionOf([at, { path, title, note, isScam }]: [number, Suggestion]): Markup {
  return html`<a class="suggestion" role="option" aria-selected="false" tabindex="-1" id="suggestion-${at}" href="${path}">${title} <span class="aside">${note}</span>${isScam && html` <span class="pill bad">scam</span>`}</a>`;
}

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}
