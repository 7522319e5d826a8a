import { hash } from 'node:crypto';
import type { RouteRequest } from './define-route.ts';

type ReadyHeaders = Readonly<Record<'ETag', string>>;

type ReadyAnswer =
  | { readonly status: 200; readonly body: Buffer; readonly headers: ReadyHeaders }
  | { readonly status: 304; readonly headers: ReadyHeaders };

/** An answer that is the same for everybody, as the bytes that are sent. */
export type AnswerReady = (request: Pick<RouteRequest, 'headers'>) => ReadyAnswer;

export const NOT_MODIFIED = { 304: { description: 'The caller has this version already' } } as const;

/** Makes the bytes once. A caller that has them already, by their `ETag`, does not get them again. */
export function readyAnswer(text: string): AnswerReady {
  const body = Buffer.from(text);
  const headers = { ETag: `"${hash('sha256', body, 'base64url')}"` };
  return ({ headers: { 'if-none-match': known = '' } }) => {
    const tags = known.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    return tags.includes(headers.ETag) || tags.includes('*')
      ? { status: 304, headers }
      : { status: 200, body, headers };
  };
}
