import { elementOf } from "../../pages/element.js";
import type { ViewContext } from "../view.js";
import { chartHours, hourlyCharts } from "./hourly-charts.js";

/** Hours change slowly, and a large network sums up many blocks. */
const refreshMs = 60_000;

/** The charts of the last day on the first page. They come after the rest of the page, and are left out where they fail. */
export class HourlyPart {
  readonly #context: ViewContext;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(context: ViewContext) {
    this.#context = context;
  }

  async refresh(): Promise<void> {
    const { root, indexed, signal, callQuietly } = this.#context;
    if (!indexed || performance.now() - this.#readAt < refreshMs) return;
    this.#readAt = performance.now();
    const place = elementOf(root, "[data-part=hours]");
    try {
      const { hours } = await callQuietly("v3.hourlyTotals", { hours: chartHours });
      // An open table stays as it is.
      if (signal.aborted || place.querySelector("details[open]")) return;
      place.hidden = false;
      place.innerHTML = hourlyCharts(hours).text;
    } catch {
      // The rest of the page shows whether the service answers.
      if (place.childElementCount === 0) place.hidden = true;
    }
  }
}
