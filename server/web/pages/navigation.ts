import { elementOf } from "./element.js";
import { methodPath } from "./reference.js";

/** The method list beside the page, with its search and the mark of the current method. */
export class MethodList {
  readonly #root: HTMLElement;
  readonly #search: HTMLInputElement;

  constructor(root: HTMLElement) {
    this.#root = root;
    this.#search = elementOf<HTMLInputElement>(root, "#search");
    this.#search.addEventListener("input", () => this.#filter());
    root.addEventListener("keydown", (event) => this.#onKey(event));
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || isTyping(event.target)) return;
      event.preventDefault();
      this.open(true);
      this.#search.focus();
    });
  }

  /** On narrow screens the list covers the page. */
  open(open: boolean): void {
    document.body.classList.toggle("menu-open", open);
    document.querySelector("[data-action=menu]")?.setAttribute("aria-expanded", String(open));
  }

  toggle(): void {
    const open = !document.body.classList.contains("menu-open");
    this.open(open);
    if (open) this.#search.focus();
  }

  mark(name: string | undefined): void {
    for (const link of this.#root.querySelectorAll("a")) {
      const current = name !== undefined && link.getAttribute("href") === methodPath(name);
      if (current) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    this.#root.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  #filter(): void {
    const words = this.#search.value.toLowerCase().split(/\s+/);
    for (const item of this.#root.querySelectorAll<HTMLElement>("[data-search]"))
      item.hidden = !words.every((word) => item.dataset["search"]!.includes(word));
    for (const heading of this.#root.querySelectorAll<HTMLElement>(".group, .family"))
      heading.hidden = heading.querySelector("[data-search]:not([hidden])") === null;
    elementOf(this.#root, "#nothing-found").hidden = this.#shown().length > 0;
  }

  #onKey(event: KeyboardEvent): void {
    const links = this.#shown();
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    if (event.key === "ArrowDown") links[Math.min(at + 1, links.length - 1)]?.focus();
    else if (event.key === "ArrowUp") (at <= 0 ? this.#search : links[at - 1]!).focus();
    else if (event.key === "Enter" && event.target === this.#search) links[0]?.click();
    else if (event.key === "Escape") this.open(false);
    else return;
    event.preventDefault();
  }

  #shown(): HTMLAnchorElement[] {
    return [...this.#root.querySelectorAll<HTMLAnchorElement>("[data-search]:not([hidden]) a")];
  }
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}
