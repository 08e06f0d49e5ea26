import { html } from "../../pages/markup.js";
import { record } from "../parts/record.js";
import type { View } from "../view.js";

export const showDomain: View = async ({ root, call, title }) => {
  title("Domain");
  const info = await call("getMasterchainInfo");
  root.innerHTML = html`<h1 tabindex="-1">Domain</h1>${record(info)}`.text;
};
