import type { OpenRpcDocument, OpenRpcMethod } from "../../../../shared/rpc/open-rpc.js";
import { html, type Markup } from "../markup.js";
import { openRpcArticle, openRpcPath } from "../openrpc-view.js";
import { groupMethods, methodList, overviewArticle } from "../overview.js";
import { methodArticle } from "../reference.js";
import { pageStart } from "./page-start.js";

/** The topic of a page in the reference. */
export type Topic = OpenRpcMethod | "overview" | "openrpc";

/** A complete page. Readable without scripts; main.ts enhances it. */
export function page(document: OpenRpcDocument, topic: Topic): string {
  const network = document.info["x-network"];
  const method = typeof topic === "object" ? topic : undefined;
  const summary = method?.summary ?? document.info.description;
  return html`${pageStart(titleOf(topic))}
<meta name="description" content="${summary}">
<link rel="stylesheet" href="/pages/theme.css">
<link rel="stylesheet" href="/pages/controls.css">
<link rel="stylesheet" href="/pages/style.css">
<script type="module" src="/pages/main.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
  <button type="button" class="quiet live menu" data-action="menu" aria-controls="methods" aria-expanded="false">Methods</button>
  <a class="brand" href="/">tonwire</a>
  <span class="network">${network}</span>
  <nav class="links wide" aria-label="Interfaces">${interfaces}</nav>
</header>
<div class="columns">
<nav class="methods" id="methods" aria-label="Methods">
  <input type="search" class="live" id="search" placeholder="Search methods" aria-label="Search methods" aria-keyshortcuts="/" autocomplete="off" spellcheck="false">
  <p class="narrow-links">${interfaces}</p>
  <p class="hint" id="nothing-found" hidden>No method matches.</p>
  ${methodList(groupMethods(document), method?.name)}
</nav>
<main id="main">${article(document, topic)}</main>
<aside class="console live" id="console" aria-label="Console"></aside>
</div>
</body>
</html>
`.text;
}

const interfaces = html`<a href="/">Explorer</a><a href="/reference">All methods</a><a href="/api/v2/">REST v2</a><a href="/api/v3/">REST v3</a><a href="/api/v4/">REST v4</a><a href="${openRpcPath}">OpenRPC</a><a href="/docs">Documents</a>`;

export function titleOf(topic: Topic): string {
  if (typeof topic === "object") return `${topic.name} · tonwire`;
  return topic === "openrpc" ? "OpenRPC · tonwire" : "Reference · tonwire";
}

/** The article of a page. */
export function article(document: OpenRpcDocument, topic: Topic): Markup {
  if (typeof topic === "object") return methodArticle(document, topic);
  return topic === "openrpc" ? openRpcArticle(document) : overviewArticle(document);
}
