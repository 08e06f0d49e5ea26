type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** State of a view kept in the history entry. */
type Remembered = { fields?: Record<string, string>; scroll?: number };

const remembered = () => (history.state ?? {}) as Remembered;

/** Limit on the characters saved per field; browsers limit the size of history state. */
const maxLength = 100_000;

/** Saves views' fields and scroll position in the browser's history, and restores them after a reload or Back. */
export class Fields {
  readonly #root: HTMLElement;

  constructor(root: HTMLElement) {
    this.#root = root;
    root.addEventListener("input", (event) => this.#keep(event.target as Field));
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) restore(node);
    }).observe(root, { childList: true, subtree: true });
  }

  /** Saves the scroll position before another path is shown. */
  leave(): void {
    history.replaceState({ ...remembered(), scroll: window.scrollY }, "");
  }

  /** Restores the scroll position; at the first visit it is that of the element that the address names. */
  return(): void {
    const { scroll } = remembered();
    const named = scroll === undefined && document.getElementById(location.hash.slice(1));
    if (named) named.scrollIntoView();
    else window.scrollTo(0, scroll ?? 0);
  }

  #keep(field: Field): void {
    if (!this.#root.contains(field) || field.name === "" || field.type === "password") return;
    const value = textIn(field);
    if (value.length > maxLength) return;
    const fields = { ...remembered().fields, [keyOf(field)]: value };
    history.replaceState({ ...remembered(), fields }, "");
  }
}

function restore(node: Node): void {
  const { fields } = remembered();
  if (!fields || !(node instanceof Element)) return;
  for (const field of [node, ...node.querySelectorAll("[name]")]) {
    if (!isField(field)) continue;
    const value = fields[keyOf(field)];
    if (value === undefined || textIn(field) === value) continue;
    if (field.type === "radio") (field as HTMLInputElement).checked = field.value === value;
    else if (field.type === "checkbox") (field as HTMLInputElement).checked = value === "on";
    else field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

function isField(node: Element): node is Field {
  return node.matches("input[name], select[name], textarea[name]");
}

function textIn(field: Field): string {
  const { checked, value } = field as HTMLInputElement;
  if (field.type === "radio") return checked ? value : "";
  return field.type === "checkbox" ? (checked ? "on" : "off") : value;
}

/** Fields of equal names differ by form. */
function keyOf(field: Field): string {
  return `${field.form?.id ?? ""}/${field.name}`;
}
