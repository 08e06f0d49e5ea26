/** A text that the browser keeps for this service; `null` without one, or where the browser keeps nothing. */
export function keptText(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Settings of the browser forbid it.
    return null;
  }
}

/** Keeps a text, or forgets it. Where the browser keeps nothing, the choice of the user lasts as long as the page. */
export function keepText(key: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Settings of the browser forbid it, or there is no room.
  }
}
