// Applies the chosen colours before the page is drawn, and lets its switch change them. A plain script in the head, so
// that no page is drawn in other colours first.
// Module state: this is a script of a page.

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
  try {
    const kept = localStorage.getItem(stored);
    return kept === "light" || kept === "dark" ? kept : "system";
  } catch {
    // The browser keeps nothing for this page.
    return "system";
  }
}

function keep(chosen: Theme): void {
  try {
    if (chosen === "system") localStorage.removeItem(stored);
    else localStorage.setItem(stored, chosen);
  } catch {
    // The choice then lasts as long as the page.
  }
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
  keep(theme);
});
// Other tabs follow.
window.addEventListener("storage", ({ key }) => {
  if (key === stored || key === null) apply(keptTheme());
});
