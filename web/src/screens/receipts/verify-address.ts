/** The page on which everybody can verify a receipt has the same signature as its download. */
export function verifyAddress(url: string): string | null {
  const parsed = URL.parse(url);
  const found = parsed === null ? null : /^\/api\/receipts\/download\/([\w-]{1,40})$/.exec(parsed.pathname);
  return parsed === null || found === null ? null : `${parsed.origin}/verify/${found[1]}${parsed.search}`;
}
