import type { OpenRpcDocument, OpenRpcMethod } from "../../../shared/rpc/open-rpc.js";
import { html, type Markup, prose } from "./markup.js";
import { openRpcPath } from "./openrpc-view.js";
import { breakable, methodPath } from "./reference.js";

/** Methods of one API listed under one heading. */
type MethodGroup = { family: string; group: string; methods: OpenRpcMethod[] };

const families: readonly [prefix: string, family: string][] = [
  ["v3.", "API v3"],
  ["v4.", "API v4"],
  ["devnet.", "Devnet"],
  ["rpc.", "RPC"],
  ["subscri", "WebSocket"],
  ["unsubscribe", "WebSocket"],
  ["", "API v2"],
];

/** Groups all methods by API and group. Deprecated aliases are omitted; they appear on the method's page. */
export function groupMethods({ methods }: OpenRpcDocument): MethodGroup[] {
  const groups = new Map<string, MethodGroup>();
  for (const method of methods) {
    if (method.deprecated) continue;
    const family = families.find(([prefix]) => method.name.startsWith(prefix))![1];
    const group = method.tags[0]?.name ?? "";
    const key = `${family}/${group}`;
    const listed = groups.get(key) ?? { family, group, methods: [] };
    listed.methods.push(method);
    groups.set(key, listed);
  }
  return [...groups.values()];
}

/** The list of methods beside every page. */
export function methodList(groups: readonly MethodGroup[], current: string | undefined): Markup {
  const byFamily = [...new Set(groups.map(({ family }) => family))];
  return html`${byFamily.map(
    (family) =>
      html`<section class="family"><h2>${family}</h2>${groups
        .filter((each) => each.family === family)
        .map(
          ({ group, methods }) => html`<div class="group">${group !== family && html`<h3>${group}</h3>`}<ul>
          ${methods.map(({ name, summary }) => listed(name, summary, name === current))}
        </ul></div>`,
        )}</section>`,
  )}`;
}

function listed(name: string, summary: string, current: boolean): Markup {
  const shown = name.replace(/^v[34]\./, "");
  return html`<li data-search="${`${name} ${summary}`.toLowerCase()}"><a href="${methodPath(name)}" title="${name}"${current && html` aria-current="page"`}>${breakable(shown)}</a></li>`;
}

/** The overview page: introduction, first steps, and all methods with their summaries. */
export function overviewArticle(document: OpenRpcDocument): Markup {
  const { "x-network": network } = document.info;
  return html`<article class="overview">
    <h1 tabindex="-1">TON over HTTP and WebSocket</h1>
    <p class="lead">This service serves the <strong>${network}</strong>. Every method below can be called by its
      REST path, as JSON-RPC 2.0, in a batch, or over a WebSocket: parameters, answers and limits are the same.</p>
    <div class="cards">
      ${card("/api/v2/", "REST, API v2", "The current chain: accounts, blocks, transactions, get-methods, sending messages.")}
      ${card("/api/v3/", "REST, API v3", "The indexed history: transactions, messages and traces across accounts, page by page.")}
      ${card("/api/v4/", "REST, API v4", "For TonClient4: accounts, blocks and get-methods at named blocks, which proxies may keep.")}
      ${card(openRpcPath, "OpenRPC", "The same reference in machine-readable form, entry by entry; also returned by rpc.discover.")}
    </div>
    <section aria-labelledby="start"><h2 id="start">Start here</h2>
      <p>Send JSON-RPC by POST to <code>/jsonRPC</code>, a single call or an array of calls:</p>
      <pre class="code" tabindex="0"><code>curl <span data-origin>http://127.0.0.1:8081</span>/jsonRPC \\
  -H 'Content-Type: application/json' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"rpc.ping"}'</code></pre>
      <p>Send an API key in the header <code>X-API-Key</code> or the query parameter <code>api_key</code>. Without a
      key, calls are limited per client address, except those to a devnet on the same machine; a refused call has the time to wait in <code>Retry-After</code>.
      For clients of TON Center use <code>/api/v2/jsonRPC</code>, which answers in their dialect.</p>
    </section>
    ${groupMethods(document).map(
      ({
        family,
        group,
        methods,
      }) => html`<section class="index"><h2>${group} ${group !== family && html`<span class="type">${family}</span>`}</h2><dl>
        ${methods.map(({ name, summary }) => html`<div><dt><a href="${methodPath(name)}">${breakable(name)}</a></dt><dd>${prose(summary)}</dd></div>`)}
      </dl></section>`,
    )}
  </article>`;
}

function card(href: string, title: string, text: string): Markup {
  return html`<a class="card" href="${href}"><strong>${title}</strong><span>${text}</span></a>`;
}
