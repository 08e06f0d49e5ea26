import { html, type Markup } from "../../pages/markup.js";
import { failure } from "./failure.js";

/** Fills a place when the user opens its fold, again after a failure. `waiting`: a sentence for the time until then. */
export function fillOnOpen(
  fold: HTMLDetailsElement,
  place: HTMLElement,
  waiting: string,
  load: () => Promise<Markup>,
): void {
  const fill = async () => {
    if (!fold.open) return;
    fold.removeEventListener("toggle", fill);
    place.innerHTML = html`<p class="empty">${waiting}</p>`.text;
    try {
      place.innerHTML = (await load()).text;
    } catch (error) {
      place.innerHTML = failure(error).text;
      fold.addEventListener("toggle", fill);
    }
  };
  fold.addEventListener("toggle", fill);
}
