// Applies the chosen colours before the page is drawn, and lets its switch change them. A plain script in the head, so
// that no page is drawn in other colours first.
// Module state: this is a script of a page.

import { keepText, keptText } from "./parts/kept-text.js";

type Theme = "system" | "light" | "dark";

const stored = "tonwire-theme";
const following: Readonly<Record<Theme, Theme>> = { system: "light", light: "dark", dark: "system" };
const titles: Readonly<Record<Theme, string>> = {
  system: "Colours: as the system",
  light: "Colours: light",
  dark: "Colours: dark",
};

let theme = keptTheme();

function keptTheme(): Theme {
  const kept = keptText(stored);
  return kept === "light" || kept === "dark" ? kept : "system";
}

function apply(chosen: Theme): void {
  theme = chosen;
  document.documentElement.dataset["theme"] = chosen;
  for (const button of document.querySelectorAll("[data-theme-switch]")) {
    button.setAttribute("aria-label", titles[chosen]);
    button.setAttribute("title", titles[chosen]);
  }
}

apply(theme);
document.addEventListener("DOMContentLoaded", () => apply(theme));
document.addEventListener("click", ({ target }) => {
  if (!(target as Element).closest("[data-theme-switch]")) return;
  apply(following[theme]);
  keepText(stored, theme === "system" ? undefined : theme);
});
// Other tabs follow.
window.addEventListener("storage", ({ key }) => {
  if (key === stored || key === null) apply(keptTheme());
});
