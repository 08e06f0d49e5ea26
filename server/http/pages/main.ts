import type { OpenRpcDocument, OpenRpcMethod } from "../../../shared/rpc/open-rpc.js";
import { Console } from "./console.js";
import { takeLinkedKey } from "./key.js";
import { MethodList } from "./navigation.js";
import { article, titleOf } from "./shell.js";

// Enhances the page sent by the service: links between methods replace the article in place, so that the console keeps
// its batch, history and connection.

/** Loads the OpenRPC document. By GET it is cached and costs no point, unlike `rpc.discover`. */
async function discover(): Promise<OpenRpcDocument> {
  const response = await fetch("/openrpc.json");
  return (await response.json()) as OpenRpcDocument;
}

function start(reference: OpenRpcDocument): void {
  const main = document.querySelector<HTMLElement>("#main")!;
  const list = new MethodList(document.querySelector<HTMLElement>("#methods")!);
  const methods = new Map(reference.methods.map((method) => [method.name, method]));
  const panel = new Console(document.querySelector<HTMLElement>("#console")!, visit);

  /** The method of a path; `undefined` for the overview, `null` for any other path. */
  function methodAt(path: string): OpenRpcMethod | undefined | null {
    if (path === "/reference") return undefined;
    const name = /^\/methods\/([^/]+)$/.exec(path)?.[1];
    return (name !== undefined && methods.get(decodeURIComponent(name))) || null;
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
    const method = methodAt(location.pathname) ?? undefined;
    main.innerHTML = article(reference, method).text;
    adopt(method);
  }

  /** Sets up the shown article: title, origin, marked link and console. */
  function adopt(method: OpenRpcMethod | undefined): void {
    document.title = titleOf(method);
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
    if (link.origin !== location.origin || link.hash !== "" || methodAt(link.pathname) === null) return;
    event.preventDefault();
    visit(link.pathname);
  });
  window.addEventListener("popstate", show);
  document.documentElement.classList.add("scripted");
  adopt(methodAt(location.pathname) ?? undefined);
}

takeLinkedKey();
start(await discover());
