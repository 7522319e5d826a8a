export const ROLES = ['api', 'worker', 'relay'] as const;
export type Role = (typeof ROLES)[number];
