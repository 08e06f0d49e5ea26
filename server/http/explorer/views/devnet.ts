import { html } from "../../pages/markup.js";
import { record } from "../parts/record.js";
import type { View } from "../view.js";

/** The controls of a devnet. */
export const showDevnet: View = async ({ root, call, title }) => {
  title("Devnet");
  const info = await call("devnet.info");
  root.innerHTML = html`<h1 tabindex="-1">Devnet</h1>${record(info)}`.text;
};
