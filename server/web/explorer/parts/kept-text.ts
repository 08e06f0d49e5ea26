/** A text that the browser keeps for this service; `null` without one, or where the browser keeps nothing. */
export function keptText(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Settings of the browser forbid it.
    return null;
  }
}

/** Keeps a text, or forgets it. Returns false where the browser keeps nothing: the choice of the user lasts as long as the page. */
export function keepText(key: string, text: string | undefined): boolean {
  try {
    if (text === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
    return true;
  } catch {
    // Settings of the browser forbid it, or there is no room.
    return false;
  }
}
