// Runs before the page is drawn. The choice is stored by `theme.ts`; without one the system's theme is used.
try {
  const theme = localStorage.getItem('quita-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // A browser that forbids storage uses the system's theme.
}
