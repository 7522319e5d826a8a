// Runs in each page of the tests before the page's own scripts. The debugger adds it, so the page's policy does not
// apply to it.
addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) => {
  globalThis.reportViolation(`${effectiveDirective} ${blockedURI} ${sourceFile}:${lineNumber}`);
});

const seen = { lcp: 0, cls: 0, interactions: new Map() };
globalThis.seenByTest = seen;

const observe = (type, options, see) => {
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) see(entry);
  });
  observer.observe({ type, buffered: true, ...options });
};
observe('largest-contentful-paint', {}, ({ startTime }) => {
  seen.lcp = startTime;
});
// The sum of all shifts is an upper bound of CLS, which takes the worst five seconds.
observe('layout-shift', {}, ({ hadRecentInput, value }) => {
  if (!hadRecentInput) seen.cls += value;
});
observe('event', { durationThreshold: 16 }, ({ interactionId, duration }) => {
  if (interactionId > 0)
    seen.interactions.set(interactionId, Math.max(duration, seen.interactions.get(interactionId) ?? 0));
});
