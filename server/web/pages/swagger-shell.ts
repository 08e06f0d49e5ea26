import { pageStart } from "./head.js";
import { html } from "./markup.js";

/** The Swagger UI page of one REST API. */
export function swaggerPage(api: "v2" | "v3", network: string): string {
  const other = api === "v2" ? "v3" : "v2";
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
    <a href="/api/${api}/" aria-current="page">REST ${api}</a><a href="/api/${other}/">REST ${other}</a><a href="/">JSON-RPC</a>
  </nav>
</header>
<main id="swagger-ui" data-document="/api/${api}/openapi.json"></main>
</body>
</html>
`.text;
}
