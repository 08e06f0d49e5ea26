import { elementOf } from "./element.js";

/** The global of swagger-ui-bundle.js. */
declare const SwaggerUIBundle: (options: Record<string, unknown>) => unknown;

const place = elementOf(document, "#swagger-ui");
SwaggerUIBundle({
  url: place.dataset["document"],
  domNode: place,
  deepLinking: true,
  docExpansion: "list",
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  filter: true,
  tryItOutEnabled: true,
  // The validator badge would send the document's URL to a third-party server.
  validatorUrl: null,
});

const dark = matchMedia("(prefers-color-scheme: dark)");
const { documentElement: page } = document;
const followScheme = () => {
  const { theme = "system" } = page.dataset;
  page.classList.toggle("dark-mode", theme === "system" ? dark.matches : theme === "dark");
};
// Another tab may change the chosen colours.
new MutationObserver(followScheme).observe(page, { attributeFilter: ["data-theme"] });
dark.addEventListener("change", followScheme);
followScheme();
