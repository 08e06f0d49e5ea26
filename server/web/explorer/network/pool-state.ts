import { html, type Markup } from "../../pages/markup.js";

/** The state of a nominator pool. */
export function poolState(state: number): Markup {
  if (state === 2) return html`<span class="pill good">staked</span>`;
  return html`<span class="pill">${state === 1 ? "stake sent" : state === 0 ? "idle" : `state ${state}`}</span>`;
}
