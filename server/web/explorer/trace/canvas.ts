import { itemAt } from "../../../../shared/values/lookups.js";
import { elementOf } from "../../pages/element.js";
import { html, type Markup } from "../../pages/markup.js";
import type { AnswerNames } from "../actions/answer-names.js";
import { drawStep } from "./drawing.js";
import { startGestures } from "./gestures.js";
import type { Layout } from "./layout.js";
import { lookOf } from "./step-texts.js";
import type { Step } from "./steps.js";
import { type Area, linesIn, stepsIn } from "./visible.js";

/** Content of the picture. */
type Content = {
  readonly steps: readonly Step[];
  readonly layout: Layout;
  readonly names: AnswerNames;
  /** By step: whether it failed or a failure follows from it. */
  readonly leads: readonly boolean[];
};

type Point = { readonly x: number; readonly y: number };

/** Traces of at most so many steps are drawn whole. */
const drawnWhole = 100;
const scales = { least: 0.15, most: 2.5, readable: 0.45 };
/** Part of the visible height and width that is drawn beyond its edges, so that little is missing while it moves. */
const overscan = 0.5;
/** The style sheet's limit on the height of the picture, as a part of the window's. */
const tallest = 0.7;

/** A scrolled picture of any size: only the part that is visible is drawn. */
export class TraceCanvas {
  readonly element = document.createElement("div");
  readonly #svg: SVGElement;
  readonly #tree: SVGElement;
  readonly #lines: Readonly<Record<"usual" | "pending" | "failed", SVGElement>>;
  readonly #drawn = new Map<number, SVGElement>();
  readonly #onScale: (scale: number) => void;
  #content: Content | undefined;
  #scale = 1;
  #wantedZoom: { factor: number; point: Point } | undefined;
  #frame: number | undefined;
  #chosen: number | undefined;
  #tabStop = 0;

  constructor(onScale: (scale: number) => void) {
    this.#onScale = onScale;
    this.element.className = "trace-picture";
    this.element.tabIndex = 0;
    this.element.setAttribute("role", "region");
    this.element.setAttribute("aria-label", "Picture of the trace");
    this.element.innerHTML =
      html`<svg class="trace" focusable="false"><path class="edge"/><path class="edge pending"/><path class="edge bad"/><g role="tree" aria-label="Messages of the trace"></g></svg>`.text;
    this.#svg = elementOf<SVGElement>(this.element, "svg");
    this.#tree = elementOf<SVGElement>(this.#svg, "g");
    this.#lines = {
      usual: elementOf<SVGElement>(this.#svg, ".edge"),
      pending: elementOf<SVGElement>(this.#svg, ".pending"),
      failed: elementOf<SVGElement>(this.#svg, ".bad"),
    };
    this.element.addEventListener("scroll", () => this.#drawSoon());
    startGestures(this.element, {
      zoomBy: (factor, point) => {
        this.#wantedZoom = { factor: factor * (this.#wantedZoom?.factor ?? 1), point };
        this.#drawSoon();
      },
    });
  }

  show(content: Content, chosen: number | undefined): void {
    this.#content = content;
    this.#drawn.clear();
    this.#tree.replaceChildren();
    this.#chosen = chosen;
    this.#tabStop = chosen ?? 0;
    this.#size();
    this.#draw();
  }

  /** Marks the chosen step, if there is one, and the one that the Tab key reaches. */
  mark(chosen: number | undefined, tabStop: number): void {
    this.#chosen = chosen;
    this.#tabStop = tabStop;
    this.#draw();
  }

  /** Brings a step into view and gives it the keyboard focus. */
  focus(index: number): void {
    this.mark(this.#chosen, index);
    this.#drawn.get(index)?.focus({ preventScroll: true });
    this.#reveal(index);
  }

  zoomBy(factor: number): void {
    this.#zoomTo(this.#scale * factor);
  }

  zoomToWhole(): void {
    this.#zoomTo(1);
  }

  /** Shows as much of the picture as the least scale lets in. */
  fit(): void {
    const { width = 1, height = 1 } = this.#content?.layout ?? {};
    const { clientWidth } = this.element;
    this.#zoomTo(Math.min(1, clientWidth / width, (tallest * window.innerHeight) / height));
    this.element.scrollTo({ left: 0, top: 0, behavior: "instant" });
  }

  scrollBy(across: number, down: number): void {
    this.element.scrollBy({ left: across, top: down, behavior: "instant" });
  }

  #zoomTo(wanted: number, point?: Point): void {
    const scale = Math.min(scales.most, Math.max(scales.least, wanted));
    const { left, top, width, height } = this.element.getBoundingClientRect();
    const inside = point ? { x: point.x - left, y: point.y - top } : { x: width / 2, y: height / 2 };
    const { scrollLeft, scrollTop } = this.element;
    const grown = scale / this.#scale;
    const isReadable = scale >= scales.readable;
    if (isReadable !== this.#scale >= scales.readable) this.#forget();
    this.#scale = scale;
    this.#size();
    this.element.scrollTo({
      left: (scrollLeft + inside.x) * grown - inside.x,
      top: (scrollTop + inside.y) * grown - inside.y,
      behavior: "instant",
    });
    this.#draw();
    this.#onScale(scale);
  }

  /** Draws all steps again, except the one that has the focus. */
  #forget(): void {
    for (const [index, element] of this.#drawn) {
      if (element === document.activeElement) continue;
      element.remove();
      this.#drawn.delete(index);
    }
  }

  #size(): void {
    const { width, height } = this.#content?.layout ?? { width: 0, height: 0 };
    this.#svg.setAttribute("width", String(Math.round(width * this.#scale)));
    this.#svg.setAttribute("height", String(Math.round(height * this.#scale)));
    this.#svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  }

  #reveal(index: number): void {
    const place = this.#content?.layout.places[index];
    if (!place) return;
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.element;
    const nearest = (start: number, length: number, shown: { from: number; size: number }) =>
      Math.min(Math.max(shown.from, start + length - shown.size), start);
    const scaled = (value: number) => value * this.#scale;
    this.element.scrollTo({
      left: nearest(scaled(place.x), scaled(place.width), { from: scrollLeft, size: clientWidth }),
      top: nearest(scaled(place.y), scaled(place.height), { from: scrollTop, size: clientHeight }),
      behavior: "instant",
    });
    // The picture itself may be outside of the window.
    this.#drawn.get(index)?.querySelector("rect")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  #drawSoon(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      const zoom = this.#wantedZoom;
      this.#wantedZoom = undefined;
      if (zoom) this.#zoomTo(this.#scale * zoom.factor, zoom.point);
      else this.#draw();
    });
  }

  /** The visible area with its margin, in units of the picture. */
  #area(): Area {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.element;
    // Before it is attached it has no size yet.
    const width = (clientWidth || window.innerWidth) / this.#scale;
    const height = Math.max(clientHeight, tallest * window.innerHeight) / this.#scale;
    const [left, top] = [scrollLeft / this.#scale, scrollTop / this.#scale];
    return {
      left: left - overscan * width,
      right: left + (1 + overscan) * width,
      top: top - overscan * height,
      bottom: top + (1 + overscan) * height,
    };
  }

  #draw(): void {
    if (!this.#content) return;
    const { steps, layout, leads, names } = this.#content;
    const area = this.#area();
    this.#drawSteps(steps.length > drawnWhole ? stepsIn(layout.places, area) : [...steps.keys()]);
    const lines = { usual: "", pending: "", failed: "" };
    for (const index of linesIn(steps, layout.places, { area, leads })) {
      const isPending = / pending|^pending/.test(lookOf(itemAt(steps, index), names).kind);
      const kind = leads[index] ? "failed" : isPending ? "pending" : "usual";
      lines[kind] += itemAt(layout.places, index).line;
    }
    for (const kind of ["usual", "pending", "failed"] as const)
      this.#lines[kind].setAttribute("d", lines[kind]);
  }

  #drawSteps(visible: readonly number[]): void {
    const { steps } = this.#content!;
    // The step that the Tab key reaches is always there.
    const wanted = new Set(steps.length > 0 ? [...visible, this.#tabStop] : []);
    for (const [index, element] of this.#drawn)
      if (!wanted.has(index)) {
        element.remove();
        this.#drawn.delete(index);
      }
    const order = [...wanted].sort((a, b) => a - b);
    const fresh = order.filter((index) => !this.#drawn.has(index));
    const nursery = document.createElement("div");
    nursery.innerHTML = html`<svg>${fresh.map((index) => this.#stepMarkup(index))}</svg>`.text;
    for (const [at, element] of [...nursery.firstElementChild!.children].entries())
      this.#drawn.set(itemAt(fresh, at), element as SVGElement);
    // In the order of the steps, as screen readers read them.
    let next = this.#tree.firstElementChild;
    for (const index of order) {
      const element = this.#drawn.get(index)!;
      element.setAttribute("tabindex", index === this.#tabStop ? "0" : "-1");
      element.setAttribute("aria-selected", String(index === this.#chosen));
      if (element === next) next = next.nextElementSibling;
      else this.#tree.insertBefore(element, next);
    }
  }

  #stepMarkup(index: number): Markup {
    const { steps, layout, names } = this.#content!;
    const step = itemAt(steps, index);
    const siblings = step.parent === undefined ? [index] : itemAt(steps, step.parent).children;
    return drawStep(step, {
      index,
      place: itemAt(layout.places, index),
      position: { at: siblings.indexOf(index) + 1, of: siblings.length },
      names,
      withTexts: this.#scale >= scales.readable,
    });
  }
}
