import { highlight, indent } from "./json-text.js";
import { html, type Markup } from "./markup.js";
import { methodPath } from "./reference.js";
import type { StreamedEvent, Subscriptions } from "./subscriptions.js";

/** Open subscriptions and the newest events. */
export function eventsPanel({ open, events }: Pick<Subscriptions, "open" | "events">): Markup {
  if (open.size + events.length === 0)
    return html`<p class="empty">Events of subscriptions are listed here. Subscribe with
      <a href="${methodPath("subscribe")}">subscribe</a>; the subscription lasts as long as this page.</p>`;
  const rows = Array.from(
    open,
    ([
      id,
      kind,
    ]) => html`<li><div><code class="name">${kind}</code> <span class="type">subscription ${id}</span></div>
      <button type="button" class="quiet" data-action="unsubscribe" data-subscription="${id}" aria-label="End subscription ${id}">×</button></li>`,
  );
  return html`<ul class="calls subscriptions">${rows}</ul>
    <div class="actions"><button type="button" class="quiet" data-action="clear-events">Clear</button></div>
    <ol class="past" data-place="events" role="log">${events.map(eventItem)}</ol>`;
}

export function eventItem({ at, subscription, type, finality, text }: StreamedEvent): Markup {
  const facts = [finality, `subscription ${subscription}`, at.toLocaleTimeString()];
  return html`<li><details class="fold">
    <summary><code class="name">${type}</code>
      <span class="type">${facts.filter((fact) => fact !== undefined).join(" · ")}</span></summary>
    <pre class="code" tabindex="0"><code>${highlight(indent(text))}</code></pre>
  </details></li>`;
}
