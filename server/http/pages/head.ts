import { html, type Markup } from "./markup.js";

/** Where each page of the service begins: everything of its head but styles and scripts. */
export function pageStart(title: string): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/pages/icon.svg" type="image/svg+xml">`;
}
