import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { idParams } from '../../../platform/http/fields.ts';

/** The types that programs open without running anything in them, with the ending of the name. */
const ENDINGS: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'pdf'],
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
  ['image/webp', 'webp'],
  ['audio/aac', 'aac'],
  ['audio/amr', 'amr'],
  ['audio/mp4', 'm4a'],
  ['audio/mpeg', 'mp3'],
  ['audio/ogg', 'ogg'],
  ['video/3gpp', '3gp'],
  ['video/mp4', 'mp4'],
]);

const UNKNOWN = 'application/octet-stream';

/** The debtor's own name of the file stands on the timeline; here it could contain anything. */
function headersOf(attachmentId: string, contentType: string | null): Readonly<Record<string, string>> {
  const ending = ENDINGS.get(contentType ?? '');
  return {
    'Content-Type': ending === undefined ? UNKNOWN : contentType!,
    'Content-Disposition': `attachment; filename="anexo-${attachmentId.slice(0, 8)}.${ending ?? 'bin'}"`,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  };
}

export const attachmentRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/debts/:id/attachments/:attachmentId',
    operationId: 'downloadAttachment',
    right: 'read',
    summary: 'A file that the debtor sent',
    description:
      'The ids stand on the timeline, at `message_received`. Nobody has checked the content: open it like any file from a stranger. A file is there once its state is `stored`, for 180 days. The debt’s item `attachment` leaves the inbox with the first download.',
    tags: ['Debts'],
    auth: 'bearer',
    params: idParams.extend({ attachmentId: z.uuid() }),
    responses: { 200: { description: 'The content', contentType: UNKNOWN } },
    errors: [],
    handler: async ({ caller: { clientId }, params: { id: debtId, attachmentId } }) => {
      const { content, contentType } = await services.readAttachment({ clientId, debtId, attachmentId });
      return { status: 200, body: content, headers: headersOf(attachmentId, contentType) };
    },
  }),
];
