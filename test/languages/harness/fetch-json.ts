/** A service's answer to a GET, as JSON. */
export async function fetchJson<T>(
  url: string,
  path: string,
  query: Record<string, string> = {},
): Promise<T> {
  const text = new URLSearchParams(query).toString();
  const response = await fetch(text === "" ? `${url}${path}` : `${url}${path}?${text}`);
  if (!response.ok) throw new Error(`${path} is answered with ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}
