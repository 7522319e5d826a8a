/** The present moment for everything that the service stores, compares and shows, shifted by `CLOCK_OFFSET`. */
export const serviceClock =
  (offsetMs: number): (() => Date) =>
  () =>
    new Date(Date.now() + offsetMs);
