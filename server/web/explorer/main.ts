// Shows the view of the current address, and follows links between views without loading the page again.
// Module state: this is the entry of a page, which shows one view at a time.

import { type Client, createClient } from "../../../client/client.js";
import { isRpcError } from "../../../client/errors.js";
import { http } from "../../../client/transports/http.js";
import { webSocket } from "../../../client/transports/web-socket.js";
import { type Watch, watchService } from "../../../client/watch/watch.js";
import { memberOf } from "../../../shared/values/lookups.js";
import { copyText } from "../pages/copy-text.js";
import { elementOf } from "../pages/element.js";
import { matchPath, pathsOf } from "../pages/explorer-paths.js";
import { storedKey, storeKey, takeLinkedKey } from "../pages/key.js";
import { html } from "../pages/markup.js";
import { OwnNames } from "./address-book/own-names.js";
import { CallLog } from "./call-log.js";
import { Fields } from "./fields.js";
import { KnownNames } from "./known-names.js";
import { shareLink } from "./parts/copy.js";
import { failure } from "./parts/failure.js";
import { refreshTimes } from "./parts/time.js";
import { viewOf } from "./routes.js";
import { isTyping, startSearch } from "./search/search.js";
import { VerifySwitch } from "./verify-switch.js";
import type { Call, ViewContext } from "./view.js";

takeLinkedKey();
document.documentElement.classList.add("scripted");

const { network = "", indexed } = document.body.dataset;
const isIndexed = indexed !== undefined;
const devnet = network === "devnet";
const paths = pathsOf(network);
const place = elementOf(document, "#view");
const endpoint = `${location.origin}/jsonRPC`;
let client = connect();
let live: Watch | undefined;

const log = new CallLog(
  elementOf(document, "#calls"),
  () => ({ origin: location.origin, key: storedKey() }),
  (key) => {
    storeKey(key);
    client.close();
    client = connect();
    live = undefined;
    void show();
  },
);
const fields = new Fields(place);
const own = new OwnNames(network);
const names = new KnownNames((options) => client.call("devnet.info", {}, options), own);
window.addEventListener("storage", () => own.forget());

function connect(): Client {
  return createClient({ transport: http(endpoint), apiKey: storedKey() });
}

function watched(): Watch {
  live ??= watchService(
    createClient({ transport: webSocket(endpoint.replace(/^http/, "ws")), apiKey: storedKey() }),
  );
  return live;
}

const here = () => location.pathname + location.search;
let shownAddress = "";
let leaving = new AbortController();

async function show(): Promise<void> {
  shownAddress = here();
  leaving.abort();
  const left = new AbortController();
  leaving = left;
  const { signal } = left;
  const matched = matchPath(location.pathname.replace("/index.html", "/"), paths);
  if (!matched) return location.reload();
  log.clear();
  const root = document.createElement("div");
  root.className = "view";
  place.setAttribute("aria-busy", "true");
  mark(location.pathname);
  const calling = (isShown: boolean) =>
    (async (method: never, params: object = {}, options: object = {}) => {
      const end = isShown ? log.begin(method, params) : undefined;
      try {
        const result = await client.call(method, params as never, { signal, ...options } as never);
        end?.();
        names.learn(Object(result));
        return result;
      } catch (error) {
        if (!signal.aborted) end?.(error);
        throw error;
      }
    }) as Call;
  const context: ViewContext = {
    root,
    params: matched.params,
    query: new URLSearchParams(location.search),
    title: (text) => {
      if (!signal.aborted) document.title = `${text} · tonwire`;
    },
    call: calling(true),
    callQuietly: calling(false),
    network,
    provenDebugger: () => verification.debugger(),
    devnet,
    indexed: isIndexed,
    signal,
    go,
    get live() {
      return watched();
    },
    names,
    own,
  };
  // Keep the previous view until this one has rendered something.
  const begun = new MutationObserver(() => enter(root));
  begun.observe(root, { childList: true });
  try {
    const [view] = await Promise.all([viewOf(matched.pattern), devnet && names.load()]);
    if (!signal.aborted) await view(context);
  } catch (error) {
    if (signal.aborted || isRpcError(error, "aborted")) return;
    root.innerHTML = html`<h1 tabindex="-1">This cannot be shown</h1>${failure(error)}`.text;
  }
  if (signal.aborted) return;
  begun.disconnect();
  enter(root);
  place.setAttribute("aria-busy", "false");
  fields.return();
}

function enter(root: HTMLElement): void {
  if (place.firstElementChild === root) return;
  place.replaceChildren(root);
  // Who types in the search by now goes on typing.
  if (hasNavigated && !isTyping(document.activeElement))
    root.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
}

/** Marks the link of the current page. */
function mark(path: string): void {
  for (const link of document.querySelectorAll(".top .links a")) {
    if (link.getAttribute("href") === path) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** After a navigation the new view's heading gets the focus for screen readers; the first view is read from the top. */
let hasNavigated = false;

function go(path: string): void {
  hasNavigated = true;
  fields.leave();
  document.querySelector<HTMLElement>(":popover-open")?.hidePopover();
  // The same address is read again, and keeps its fields.
  if (path !== here()) history.pushState(null, "", path);
  void show();
}

document.addEventListener("click", (event) => {
  const target = event.target as Element;
  const copier = target.closest<HTMLElement>("[data-copy]");
  if (copier) return void copyText(memberOf(copier.dataset, "copy"), copier);
  const sharer = target.closest<HTMLElement>("[data-share]");
  if (sharer) return void shareLink(memberOf(sharer.dataset, "share"), sharer);
  const link = target.closest<HTMLAnchorElement>("a[href]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  if (link.origin !== location.origin || !matchPath(link.pathname, paths)) return;
  const path = link.pathname + link.search;
  // Browsers follow links within the page.
  if (link.hash !== "" && path === here()) return;
  event.preventDefault();
  go(path + link.hash);
});
window.addEventListener("popstate", () => {
  // A link within the page changes only the hash.
  if (here() === shownAddress) return;
  hasNavigated = true;
  void show();
});
history.scrollRestoration = "manual";
for (const event of ["scrollend", "pagehide"]) window.addEventListener(event, () => fields.leave());
setInterval(() => refreshTimes(place), 1000);
const verification = new VerifySwitch(elementOf(document, "#verify"), {
  ...{ network, place, client: () => client },
  onTurn: () => {
    // Its steps are the page's own while verification is on, else the service's.
    if (matchPath(location.pathname, paths)?.pattern.includes("/debug")) void show();
  },
});
startSearch(elementOf<HTMLFormElement>(document, "#search"), {
  client: () => client,
  isIndexed,
  names,
  go,
});
void show();
