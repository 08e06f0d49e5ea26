import { html } from "../../pages/markup.js";
import { record } from "../parts/record.js";
import type { View } from "../view.js";

export const showHome: View = async ({ root, call, title }) => {
  title("Home");
  const info = await call("getMasterchainInfo");
  root.innerHTML = html`<h1 tabindex="-1">Home</h1>${record(info)}`.text;
};
