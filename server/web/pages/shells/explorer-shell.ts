import { html, type Markup } from "../markup.js";
import { pageStart } from "./page-start.js";

/** Properties of the service that the explorer needs. */
export type ExplorerFacts = {
  readonly network: string;
  /** Whether the service has an index: without one there is neither v3 nor an event stream. */
  readonly isIndexed: boolean;
  /** Origin of the proxy that pictures of tokens come from. */
  readonly imageOrigin?: string | undefined;
  /** The fork that a devnet is. */
  readonly fork?: ForkFacts | undefined;
};

/** The block of another network at which a devnet began. */
export type ForkFacts = {
  readonly source: string;
  readonly seqno: number;
  readonly isProven: boolean;
  /** Names the network on which messages signed here are valid too. */
  readonly warning: string;
};

/** The page of every view of the explorer; its script fills it. */
export function explorerPage({ network, isIndexed, imageOrigin, fork }: ExplorerFacts): string {
  return html`${pageStart("tonwire")}
<meta name="description" content="Blocks, transactions and accounts of the ${network}">
${styles}
<script type="module" src="/explorer/main.js"></script>
</head>
<body data-network="${network}"${isIndexed && html` data-indexed`}${imageOrigin !== undefined && html` data-images="${imageOrigin}"`}>
${top(network, verifySwitch)}
${fork && forkSign(fork)}
<main id="main">
<div id="view" aria-busy="true"><noscript><p class="notice">The explorer needs scripts. The <a href="/reference">reference</a> is readable without them.</p></noscript></div>
<section id="calls" aria-label="Calls of this view" hidden></section>
</main>
</body>
</html>
`.text;
}

/** The page for an unknown path. */
export function missingPage(network: string, path: string): string {
  return html`${pageStart("Not found · tonwire")}
${styles}
</head>
<body>
${top(network)}
<main id="main">
<h1>Nothing is here</h1>
<p>The service has no page at <code>${path}</code>.</p>
<p>Search for an address, a hash, a block or a domain above, or go to the <a href="/">newest blocks</a>, the
<a href="/reference">reference</a> of all methods, or the <a href="/docs">documents</a>.</p>
</main>
</body>
</html>
`.text;
}

const styles = html`<link rel="stylesheet" href="/pages/theme.css">
<link rel="stylesheet" href="/pages/controls.css">
<link rel="stylesheet" href="/explorer/explorer.css">`;

const verifySwitch = html`<button type="button" class="quiet verify-switch" id="verify" role="switch" aria-checked="false" aria-label="Verify in this browser" title="Verify in this browser"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M8 1.5 13.5 3.5v4c0 3.4-2.3 5.8-5.5 7-3.2-1.2-5.5-3.6-5.5-7v-4z"/><path d="m5.5 8 1.8 1.8 3.3-3.6"/></svg></button>`;

function forkSign({ source, seqno, isProven, warning }: ForkFacts): Markup {
  const sentence = warning.charAt(0).toUpperCase() + warning.slice(1);
  return html`<aside class="fork-sign" aria-label="Fork"><strong>Fork of ${source} at block ${seqno}</strong>${!isProven && " (believed, not proven)"}.
${sentence}: <a href="/devnet">impersonate</a> accounts instead.</aside>`;
}

/** Without scripts, a search submits to the home page, whose script reads it. */
function top(network: string, ownSwitch?: Markup): Markup {
  return html`<a class="skip" href="#main">Skip to the content</a>
<header class="top">
  <a class="brand" href="/">tonwire</a>
  <span class="network">${network}</span>
  <form class="search" id="search" role="search" action="/">
    <input type="search" name="q" aria-label="Search the chain" placeholder="Address, name, hash or block" aria-keyshortcuts="/" maxlength="200" autocomplete="off" autocapitalize="off" spellcheck="false">
  </form>
  <nav class="links" aria-label="Pages">
    <a href="/blocks">Blocks</a>
    <a href="/transactions">Transactions</a>
    ${network === "devnet" && html`<a href="/devnet">Devnet</a>`}
    <a class="wide" href="/reference">Reference</a>
    <a class="wide" href="/docs">Docs</a>
    <button type="button" popovertarget="more-pages">More</button>
    <div id="more-pages" popover>
      <a href="/validators">Validators</a>
      <a href="/pools">Nominator pools</a>
      <a href="/config">Configuration</a>
      <a href="/supply">Supply and top accounts</a>
      <a class="narrow" href="/reference">Reference</a>
      <a class="narrow" href="/docs">Docs</a>
    </div>
  </nav>
  ${ownSwitch}
  <button type="button" class="quiet theme-switch" data-theme-switch aria-label="Colours"></button>
</header>`;
}
