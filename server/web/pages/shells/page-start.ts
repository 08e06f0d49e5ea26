import { html, type Markup } from "../markup.js";

/** The beginning of every page: its head without styles. The script sets the chosen colours first. */
export function pageStart(title: string): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<script src="/explorer/theme.js"></script>
<link rel="icon" href="/pages/icon.svg" type="image/svg+xml">`;
}
