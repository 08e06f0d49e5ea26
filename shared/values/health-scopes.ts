/** What a health check asks for: that a part is answered, that at least one is, or that everything works. */
export const healthScopes = ["any", "all", "v2", "v3", "writes"] as const;
export type HealthScope = (typeof healthScopes)[number];
