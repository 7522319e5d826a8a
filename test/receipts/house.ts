/** Links name the public address; the tests ask the port that listens. */
export const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};
