import type { MethodExample, OpenRpcDocument, OpenRpcMethod } from "../../../shared/rpc/open-rpc.js";
import { field } from "./fields.js";
import { highlight, indent } from "./json-text.js";
import { html, type Markup, prose } from "./markup.js";
import { type Resolve, resolverOf, schemaView, typeLabel } from "./schema-view.js";

/** The page of a method. */
export const methodPath = (name: string) => `/methods/${name}`;

/** The page of one method: parameters as a form, result, examples and errors. */
export function methodArticle(document: OpenRpcDocument, method: OpenRpcMethod): Markup {
  const resolve = resolverOf(document.components.schemas);
  return html`<article class="method">
    <p class="crumb">${method.tags.map(({ name }) => name)}</p>
    <h1 tabindex="-1">${breakable(method.name)}</h1>
    <p class="lead">${prose(method.summary)}</p>
    ${method.description !== undefined && html`<p>${prose(method.description)}</p>`}
    ${facts(method)}
    ${parameters(method, resolve)}
    ${result(method, resolve)}
    ${examples(method.examples)}
    ${errors(document, method)}
  </article>`;
}

/** Lets long names wrap after dots and before capitals. */
export function breakable(name: string): Markup {
  const parts = name.split(/(?<=\.)|(?<=[a-z\d])(?=[A-Z])/);
  return html`${parts.map((part, index) => (index === 0 ? part : html`<wbr>${part}`))}`;
}

const freshness: Record<string, string> = {
  head: "Cached until the next masterchain block; permanently if the call names a block.",
  index: "Cached until the index stores the next block.",
  both: "Cached until the next block of the chain or of the index.",
  immutable: "Cached permanently.",
  none: "Not cached.",
  effect: "Changes the chain; not cached.",
  content: "Cached as the content of the call allows.",
};

function facts(method: OpenRpcMethod): Markup {
  const rest = method["x-rest"];
  const routes = rest?.paths.map(
    (path, index) => html`<li>${rest.verbs.map((verb) => html`<span class="verb">${verb}</span>`)}
      <code>${path}</code>${index > 0 && !path.includes("/:") && html` <span class="type">alias</span>`}</li>`,
  );
  return html`<ul class="facts">
    ${routes ?? html`<li><span class="verb">RPC</span> JSON-RPC only.</li>`}
    <li class="freshness">${freshness[method["x-freshness"]]}</li>
  </ul>`;
}

function parameters(method: OpenRpcMethod, resolve: Resolve): Markup {
  const fields = method.params.map((param) => field(param, resolve));
  return html`<section aria-labelledby="parameters">
    <h2 id="parameters">Parameters</h2>
    <form id="call" novalidate>
      ${fields.length > 0 ? fields : html`<p class="hint">None.</p>`}
      <div class="actions live">
        <button class="primary" type="submit">Run</button>
        <button type="button" data-action="add-to-batch">Add to batch</button>
        ${
          fields.length > 0 &&
          html`<button type="button" class="quiet" data-action="use-example" data-index="0">Fill in an example</button>
        <button type="reset" class="quiet">Clear</button>`
        }
      </div>
    </form>
  </section>`;
}

function examples(all: readonly MethodExample[]): Markup {
  const shown = all.map(
    ({ params, result }, index) => html`<details class="example"${index === 0 && html` open`}>
      <summary>Example${all.length > 1 && ` ${index + 1}`}</summary>
      <div class="pair">
        <h3>Parameters</h3>${code(Object.fromEntries(params.map(({ name, value }) => [name, value])))}
        <h3>Result</h3>${code(result.value)}
      </div>
      <button type="button" class="live" data-action="use-example" data-index="${index}">Fill in</button>
    </details>`,
  );
  return html`<section aria-labelledby="examples"><h2 id="examples">Examples</h2>${shown}</section>`;
}

function code(value: unknown): Markup {
  return html`<pre class="code" tabindex="0"><code>${highlight(indent(JSON.stringify(value)))}</code></pre>`;
}

function result({ result: { schema, description } }: OpenRpcMethod, resolve: Resolve): Markup {
  return html`<section aria-labelledby="result">
    <h2 id="result">Result <span class="type">${typeLabel(schema)}</span></h2>
    ${description !== undefined && html`<p>${prose(description)}</p>`}
    ${schemaView(schema, resolve)}
  </section>`;
}

function errors(
  { components, "x-common-errors": common }: OpenRpcDocument,
  { errors }: OpenRpcMethod,
): Markup {
  const rows = [...common, ...errors].map(({ $ref }) => {
    const kind = $ref.slice($ref.lastIndexOf("/") + 1);
    const { code, message, data } = components.errors[kind]!;
    return html`<tr><td><code>${kind}</code></td><td>${code}</td><td>${data.code}</td><td>${message}</td></tr>`;
  });
  return html`<section aria-labelledby="errors">
    <h2 id="errors">Errors</h2>
    <div class="scroll" tabindex="0"><table>
      <thead><tr><th>Kind</th><th>Code</th><th>HTTP</th><th>Message</th></tr></thead>
      <tbody>${rows}</tbody>
    </table></div>
  </section>`;
}
