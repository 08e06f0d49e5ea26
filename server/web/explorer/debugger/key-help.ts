import { elementOf } from "../../pages/element.js";
import { html } from "../../pages/markup.js";
import { keyHelp } from "./keys.js";

/** Opens, or closes, the list of keys. */
export function showKeys(place: HTMLElement): void {
  const dialog = place.querySelector("dialog") ?? grown(place);
  if (dialog.open) dialog.close();
  else dialog.showModal();
}

function grown(place: HTMLElement): HTMLDialogElement {
  place.insertAdjacentHTML(
    "beforeend",
    html`<dialog class="debug-keys" aria-labelledby="debug-keys-title"><h2 id="debug-keys-title">Keys</h2>
<dl>${keyHelp.map(([keys, meaning]) => html`<div><dt>${keys.split(" ").map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${meaning}</dd></div>`)}</dl>
<form method="dialog"><button type="submit">Close</button></form></dialog>`.text,
  );
  const dialog = elementOf<HTMLDialogElement>(place, "dialog");
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "?") dialog.close();
  });
  return dialog;
}
