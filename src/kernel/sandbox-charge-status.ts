/** The states of a charge of the simulated bank. */
export const SANDBOX_CHARGE_STATUSES = ['pending', 'approved', 'cancelled', 'refunded', 'charged_back'] as const;
export type SandboxChargeStatus = (typeof SANDBOX_CHARGE_STATUSES)[number];
