import type { ImportFileResult } from '../../api/client.ts';
import { failedOf, failedOfResponse } from '../../api/problem.ts';
import { replaceToken, sessionToken } from '../../session/session.ts';
import { Refused } from '../../ui/form.tsx';
import type { Mapping } from './fields.ts';

export interface SentFile {
  readonly campaignId: string;
  readonly file: Blob;
  readonly name: string;
  readonly sheet: string | null;
  readonly mapping: Mapping | null;
  /** The corrected cells and the rows that are left out, as the server takes them. */
  readonly changes: string | null;
  readonly checkOnly: boolean;
  /** A repetition with the same key imports once. */
  readonly key?: string;
}

/** Called with the sent share of the file, from 0 to 1. */
export type OnSent = (share: number) => void;

/** 50,000 rows are read and stored well within this time, also by a busy server. */
const TIMEOUT_MS = 300_000;

function formOf({ file, name, sheet, mapping, changes }: SentFile): FormData {
  const form = new FormData();
  if (mapping !== null) form.append('columns', JSON.stringify(Object.fromEntries(mapping)));
  if (sheet !== null) form.append('sheet', sheet);
  if (changes !== null) form.append('changes', changes);
  form.append('file', file, name);
  return form;
}

interface Request {
  readonly sent: SentFile;
  readonly accept: string;
  readonly token: string;
  readonly onSent: OnSent | undefined;
  readonly signal: AbortSignal;
}

/** `fetch` cannot tell how much of a file has been sent, which matters for 32 MiB on a slow line. */
const post = ({ sent, accept, token, onSent, signal }: Request): Promise<Response> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/api/import/file/${encodeURIComponent(sent.campaignId)}?checkOnly=${sent.checkOnly}`);
    request.setRequestHeader('accept', accept);
    request.setRequestHeader('authorization', `Bearer ${token}`);
    if (sent.key !== undefined) request.setRequestHeader('idempotency-key', sent.key);
    request.responseType = 'blob';
    request.timeout = TIMEOUT_MS;
    request.upload.onprogress = ({ loaded, total }) => onSent?.(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const headers = { 'content-type': request.getResponseHeader('content-type') ?? '' };
      resolve(new Response(request.response as Blob, { status: request.status, headers }));
    };
    const fail = () => reject(new TypeError('The file got no answer'));
    request.onerror = fail;
    request.ontimeout = fail;
    request.onabort = () => reject(new DOMException('The screen was left', 'AbortError'));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(formOf(sent));
  });

async function send(sent: SentFile, accept: string, signal: AbortSignal, onSent?: OnSent): Promise<Response> {
  const token = await sessionToken();
  const first = await post({ sent, accept, token, onSent, signal });
  if (first.status !== 401) return first;
  return post({ sent, accept, token: await replaceToken(token), onSent, signal });
}

async function refused(response: Response): Promise<Refused> {
  return new Refused(await failedOfResponse(response));
}

/** Sends the file and returns how it was understood, and what was or would be imported. */
export async function sendFile(sent: SentFile, signal: AbortSignal, onSent?: OnSent): Promise<ImportFileResult> {
  const response = await send(sent, 'application/json', signal, onSent);
  if (!response.ok) throw await refused(response);
  return (await response.json()) as ImportFileResult;
}

/** The rows that are not imported, as a CSV with the reason of each. */
export async function rejectedRows(sent: SentFile, signal: AbortSignal): Promise<Blob> {
  const response = await send({ ...sent, checkOnly: true }, 'text/csv', signal);
  if (!response.ok) throw await refused(response);
  return response.blob();
}

export const failureOf = (error: unknown) => (error instanceof Refused ? error.failed : failedOf(error));
