import { html, type Markup } from "../../pages/markup.js";
import { count } from "../parts/amount.js";
import { claimedText } from "../parts/text.js";
import { type Box, type Frame, flameOf, frameAt, stepIn } from "./flame.js";

/** Pixels: height of a frame, and the width of a character. */
const rowHeight = 20;
const characterWidth = 6.4;
const tints = 6;

type Flame = { readonly frames: readonly Frame[]; readonly total: number; readonly title: string };

/** Gas by function over the steps of a run: a click is a step. */
export class FlameView {
  readonly element = document.createElement("figure");
  readonly #pick: (step: number) => void;
  #flame: Flame = { frames: [], total: 0, title: "" };
  #boxes: readonly Box[] = [];
  #marks: { current: number; failure: number | undefined } = { current: 0, failure: undefined };
  #width = 0;

  constructor(pick: (step: number) => void) {
    this.#pick = pick;
    this.element.className = "debug-flame";
    new ResizeObserver(() => {
      if (Math.abs(this.element.clientWidth - this.#width) > 1) this.#draw();
    }).observe(this.element);
    this.element.addEventListener("click", (event) => this.#clicked(event));
  }

  show(flame: Flame): void {
    this.#flame = flame;
    this.#boxes = flameOf(flame.frames, flame.total);
    this.#draw();
  }

  mark(current: number, failure: number | undefined): void {
    this.#marks = { current, failure };
    this.#draw();
  }

  #draw(): void {
    const { title } = this.#flame;
    this.#width = this.element.clientWidth;
    this.element.hidden = this.#boxes.length === 0;
    if (this.#width === 0 || this.element.hidden) return;
    const height = rowHeight * (1 + Math.max(...this.#boxes.map(({ frame }) => frame.depth)));
    this.element.innerHTML =
      html`<svg class="flame" role="img" aria-label="${title}" width="${this.#width}" height="${height}" viewBox="0 0 ${this.#width} ${height}">${this.#boxes.map((box) => this.#boxMarkup(box))}${this.#markMarkup("failed", this.#marks.failure, height)}${this.#markMarkup("current", this.#marks.current, height)}</svg><figcaption class="aside">${title}</figcaption>`.text;
  }

  #boxMarkup({ frame, x, width }: Box): Markup {
    const name = claimedText(frame.name, 80);
    const [left, wide] = [x * this.#width, Math.max(0.5, width * this.#width - 0.5)];
    const letters = Math.floor((wide - 8) / characterWidth);
    const shown = letters < 2 ? "" : name.length > letters ? `${name.slice(0, letters - 1)}…` : name;
    const y = frame.depth * rowHeight;
    return html`<g><title>${name}: ${count(frame.gas)} gas, steps ${count(frame.from)} to ${count(frame.to - 1)}</title><rect class="tint-${tintOf(frame.name)}" x="${left.toFixed(2)}" y="${y}" width="${wide.toFixed(2)}" height="${rowHeight - 1}"/>${shown !== "" && html`<text x="${(left + 4).toFixed(2)}" y="${y + 14}">${shown}</text>`}</g>`;
  }

  #markMarkup(kind: string, step: number | undefined, height: number): Markup | undefined {
    const frame = step === undefined ? undefined : frameAt(this.#flame.frames, step);
    if (step === undefined || !frame) return undefined;
    const within = (step - frame.from) / Math.max(1, frame.to - frame.from);
    const x = ((frame.before + within * frame.gas) / this.#flame.total) * this.#width;
    return html`<line class="${kind}" x1="${x.toFixed(2)}" x2="${x.toFixed(2)}" y1="0" y2="${height}"/>`;
  }

  #clicked({ clientX, clientY }: MouseEvent): void {
    const { left, top } = this.element.getBoundingClientRect();
    const depth = Math.floor((clientY - top) / rowHeight);
    const part = (clientX - left) / this.#width;
    const hit = this.#boxes.findLast(
      ({ frame, x, width }) => frame.depth <= depth && x <= part && part < x + width,
    );
    if (hit) this.#pick(stepIn(hit.frame, part * this.#flame.total));
  }
}

function tintOf(name: string): number {
  let sum = 0;
  for (let index = 0; index < name.length; index++) sum = (sum * 31 + name.charCodeAt(index)) % 9973;
  return sum % tints;
}
