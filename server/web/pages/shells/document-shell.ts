import { html, type Markup } from "../markup.js";
import { pageStart } from "./page-start.js";

/** A document shown by the service, with its path. */
export type ShownDocument = { path: string; title: string };

/** The page of a document, with links to the others. Needs no scripts. */
export function documentPage(
  shown: ShownDocument,
  { all, content, network }: { all: readonly ShownDocument[]; content: Markup; network: string },
): string {
  return html`${pageStart(`${shown.title} · tonwire`)}
<link rel="stylesheet" href="/pages/theme.css">
<link rel="stylesheet" href="/pages/controls.css">
<link rel="stylesheet" href="/pages/style.css">
<link rel="stylesheet" href="/pages/document.css">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
  <a class="brand" href="/">tonwire</a>
  <span class="network">${network}</span>
</header>
<nav class="documents" aria-label="Documents">${all.map(
    ({ path, title }) =>
      html`<a href="${path}"${path === shown.path && html` aria-current="page"`}>${title}</a> `,
  )}</nav>
<main id="main"><article class="document">${content}</article></main>
</body>
</html>
`.text;
}
