const keyName = "tonwire-api-key";

/** Stores the API key of a link `#key=<key>`, as printed at the start, and removes it from the address bar. */
export function takeLinkedKey(): void {
  const key = new URLSearchParams(location.hash.slice(1)).get("key");
  if (key === null) return;
  storeKey(key);
  history.replaceState(history.state, "", location.pathname + location.search);
}

/** The API key, stored for this browser tab until it closes. Empty if there is none. */
export function storedKey(): string {
  return sessionStorage.getItem(keyName) ?? "";
}

export function storeKey(key: string): void {
  if (key === "") sessionStorage.removeItem(keyName);
  else sessionStorage.setItem(keyName, key);
}
