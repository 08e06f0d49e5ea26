import { html } from "../markup.js";
import { pageStart } from "./page-start.js";

const apis = ["v2", "v3", "v4"] as const;

/** The Swagger UI page of one REST API. */
export function swaggerPage(api: (typeof apis)[number], network: string): string {
  return html`${pageStart(`REST ${api} · tonwire`)}
<link rel="stylesheet" href="/swagger-ui/swagger-ui.css">
<link rel="stylesheet" href="/pages/theme.css">
<link rel="stylesheet" href="/pages/swagger.css">
<script defer src="/swagger-ui/swagger-ui-bundle.js"></script>
<script type="module" src="/pages/swagger.js"></script>
</head>
<body>
<header class="top">
  <a class="brand" href="/">tonwire</a>
  <span class="network">${network}</span>
  <nav class="links" aria-label="Interfaces">
    ${apis.map((each) => html`<a href="/api/${each}/"${each === api && html` aria-current="page"`}>REST ${each}</a>`)}<a href="/">JSON-RPC</a>
  </nav>
</header>
<main id="swagger-ui" data-document="/api/${api}/openapi.json"></main>
</body>
</html>
`.text;
}
