export const top: string;
export function readmePaths(): string[];
