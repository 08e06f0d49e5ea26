import { elementOf } from "../../pages/element.js";
import { html, type Markup } from "../../pages/markup.js";
import { type Control, controlMarkup, startControl } from "../devnet/control-form.js";
import { accountListMarkup, chainControls, faucets, messageControls } from "../devnet/controls.js";
import { Panel, partsOf, readState } from "../devnet/panel.js";
import type { Names } from "../parts/names.js";
import type { View } from "../view.js";

/** The controls of a devnet. */
export const showDevnet: View = async (context) => {
  const { root, call, title, names } = context;
  title("Devnet");
  const info = await call("devnet.info");
  const state = await readState(context, { info });
  const controls = {
    faucets,
    messages: messageControls(info.wallets, call),
    chain: chainControls(info),
  };
  // Rendered as a whole, so that the layout does not shift.
  root.innerHTML = page(controls, { parts: partsOf(state, context, false), names }).text;
  const panel = new Panel(context);
  for (const control of Object.values(controls).flat())
    startControl(elementOf(root, `#${control.id}`), control, panel);
  void panel.follow();
};

type Controls = Readonly<Record<"faucets" | "messages" | "chain", readonly Control[]>>;
type Content = { readonly parts: ReturnType<typeof partsOf>; readonly names: Names };

function page({ faucets, messages, chain }: Controls, { parts, names }: Content): Markup {
  const forms = (controls: readonly Control[]) =>
    html`<div class="controls">${controls.map(controlMarkup)}</div>`;
  return html`<h1 tabindex="-1">Devnet</h1>
<div class="dense" data-part="info">${parts.info}</div>
<h2>Wallets</h2><p class="hint">Their keys are public: never use them on other networks.</p>
<div data-part="wallets">${parts.wallets}</div>
<h2>Faucets</h2>${forms(faucets)}
<h2>Messages</h2>${forms(messages)}
<h2>Blocks and time</h2>${forms(chain)}
<section><h2>Snapshots</h2><p class="hint">Reverting discards later snapshots, and messages that wait for a block.</p>
<div data-part="snapshots">${parts.snapshots}</div><div class="control-answer" role="status"></div></section>
<section><h2>State</h2><p class="hint">The whole chain with its named snapshots is one file, for this devnet or another one with the same seed.</p>
<div class="actions"><button type="button" data-export>Export the chain</button>
<label class="button">Import a chain<input type="file" class="off-screen" data-import></label></div>
<div class="control-answer" role="status"></div></section>
<section><h2>Calls</h2><div class="actions"><button type="button" data-refresh>Refresh</button>
<label class="check"><input type="checkbox" name="own-calls">With those that this page repeats</label></div>
<div data-part="calls">${parts.calls}</div></section>
${accountListMarkup(names)}`;
}
