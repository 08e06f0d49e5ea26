import type { OpenRpcDocument, SharedOpenRpcDocument } from "../../../shared/rpc/open-rpc.js";
import { Console } from "./console/console.js";
import { elementOf } from "./element.js";
import { decoded } from "./explorer-paths.js";
import { inlined } from "./inlined.js";
import { highlight } from "./json-text.js";
import { takeLinkedKey } from "./key.js";
import { html } from "./markup.js";
import { MethodList } from "./navigation.js";
import { entryText, openRpcPath } from "./openrpc-view.js";
import { article, type Topic, titleOf } from "./shells/reference-shell.js";

// Enhances the page sent by the service: links between methods replace the article in place, so that the console keeps
// its batch, history and connection.

/** Loads the OpenRPC document. By GET it is cached and costs no point, unlike `rpc.discover`. */
async function discover(): Promise<OpenRpcDocument> {
  const response = await fetch("/openrpc.json");
  return inlined((await response.json()) as SharedOpenRpcDocument);
}

function start(reference: OpenRpcDocument): void {
  const main = elementOf(document, "#main");
  const list = new MethodList(elementOf(document, "#methods"));
  const methods = new Map(reference.methods.map((method) => [method.name, method]));
  const panel = new Console(elementOf(document, "#console"), visit);

  /** The topic of a path; `undefined` for paths outside of the reference. */
  function topicAt(path: string): Topic | undefined {
    if (path === "/reference") return "overview";
    if (path === openRpcPath) return "openrpc";
    return methods.get(decoded(/^\/methods\/([^/]+)$/.exec(path)?.[1] ?? ""));
  }

  function visit(path: string): void {
    if (path !== location.pathname) history.pushState(null, "", path);
    show();
    list.open(false);
    window.scrollTo(0, 0);
    main.querySelector("h1")?.focus({ preventScroll: true });
  }

  let shownPath = location.pathname;
  function show(): void {
    // Navigation within the page must not clear its form.
    if (location.pathname === shownPath) return;
    shownPath = location.pathname;
    const topic = topicAt(location.pathname) ?? "overview";
    main.innerHTML = article(reference, topic).text;
    adopt(topic);
  }

  /** Sets up the shown article: title, origin, marked link and console. */
  function adopt(topic: Topic): void {
    const method = typeof topic === "object" ? topic : undefined;
    document.title = titleOf(topic);
    for (const place of main.querySelectorAll("[data-origin]")) place.textContent = location.origin;
    list.mark(method?.name);
    panel.showMethod(method);
  }

  document.addEventListener("click", (event) => {
    const target = event.target as Element;
    const button = target.closest<HTMLElement>("[data-action]");
    if (button?.dataset["action"] === "menu") list.toggle();
    else if (button) panel.act(button.dataset["action"]!, button);
    const link = target.closest<HTMLAnchorElement>("a[href]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    if (link.origin !== location.origin || link.hash !== "" || !topicAt(link.pathname)) return;
    event.preventDefault();
    visit(link.pathname);
  });
  // Entries of the OpenRPC view are filled when opened.
  main.addEventListener("toggle", ({ target }) => fillEntry(reference, target as HTMLDetailsElement), true);
  window.addEventListener("popstate", show);
  document.documentElement.classList.add("scripted");
  adopt(topicAt(location.pathname) ?? "overview");
}

function fillEntry(reference: OpenRpcDocument, entry: HTMLDetailsElement): void {
  const { section, name } = entry.dataset;
  if (section === undefined || name === undefined || entry.childElementCount > 1) return;
  const text = entryText(reference, section, name);
  entry.insertAdjacentHTML(
    "beforeend",
    html`<pre class="code" tabindex="0"><code>${highlight(text)}</code></pre>`.text,
  );
}

takeLinkedKey();
start(await discover());
