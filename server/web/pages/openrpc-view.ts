import type { OpenRpcDocument } from "../../../shared/rpc/open-rpc.js";
import { indent } from "./json-text.js";
import { html, type Markup } from "./markup.js";
import { breakable } from "./reference.js";

export const openRpcPath = "/reference/openrpc";

/** Sections of the document with named entries. */
const sections = {
  methods: {
    title: "Methods",
    entries: ({ methods }: OpenRpcDocument) => methods.map((each) => [each.name, each]),
  },
  schemas: {
    title: "Schemas",
    entries: ({ components }: OpenRpcDocument) => Object.entries(components.schemas),
  },
  errors: {
    title: "Errors",
    entries: ({ components }: OpenRpcDocument) => Object.entries(components.errors),
  },
  notifications: {
    title: "Notifications",
    entries: (document: OpenRpcDocument) => document["x-notifications"].map((each) => [each.name, each]),
  },
} as const;

type Section = keyof typeof sections;

/** The machine-readable description, entry by entry. An entry's JSON is rendered when it is opened. */
export function openRpcArticle(document: OpenRpcDocument): Markup {
  const { title, version, description } = document.info;
  return html`<article class="openrpc">
    <h1 tabindex="-1">OpenRPC</h1>
    <p class="lead">${title} ${version}, OpenRPC ${document.openrpc}. ${description}</p>
    <p>All of it is at <a href="/openrpc.json">/openrpc.json</a>, and is the answer of <a href="/methods/rpc.discover">rpc.discover</a>.</p>
    ${Object.entries(sections).map(
      ([
        section,
        { title, entries },
      ]) => html`<section aria-labelledby="openrpc-${section}"><h2 id="openrpc-${section}">${title}</h2>
        ${entries(document).map(
          ([name]) =>
            html`<details class="entry" data-section="${section}" data-name="${String(name)}"><summary>${breakable(String(name))}</summary></details>`,
        )}</section>`,
    )}
  </article>`;
}

/** The JSON of an entry. */
export function entryText(document: OpenRpcDocument, section: string, name: string): string {
  const entries = sections[section as Section]?.entries(document) ?? [];
  const [, entry] = entries.find(([each]) => each === name) ?? [];
  return entry === undefined ? "" : indent(JSON.stringify(entry));
}
