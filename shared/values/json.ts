/** The value of a JSON text; undefined if the text is not JSON. */
export function ifJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
