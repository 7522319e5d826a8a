import type { CustomFetch } from 'openid-client';

/** Discovery documents and answers with tokens have a few kilobytes. */
const MOST_BYTES = 256 * 1024;

/** Reads at most so much of an answer, within the time of the request. The caller follows no redirects. */
export const boundedFetch: CustomFetch = async (url, { body, signal, ...options }) => {
  const init = { ...options, body: body ?? null, ...(signal === undefined ? {} : { signal }) };
  const { status, headers, body: stream } = await fetch(url, init as RequestInit);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new Error('the answer of the identity provider is too large');
    chunks.push(chunk);
  }
  const empty = size === 0 || status === 204 || status === 304;
  return new Response(empty ? null : Buffer.concat(chunks), { status, headers });
};
