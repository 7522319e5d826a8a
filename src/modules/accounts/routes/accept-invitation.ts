import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { fileRoute } from '../../../platform/http/file-route.ts';
import { originOf } from '../../../platform/http/origin.ts';
import { PAGE_TYPE } from '../../../platform/http/pages/public-page.ts';
import { refuseOtherOrigins } from '../../../platform/http/same-origin.ts';
import { newPasswordField, secretField } from './account-fields.ts';
import { memberNameField } from './members.ts';
import {
  ACCEPT_PATH,
  ACCEPT_SCRIPT_PATH,
  type AcceptProblem,
  acceptedPage,
  acceptInvitationPage,
} from './pages/accept-invitation.ts';

/** The form has three short fields. */
const FORM_LIMIT = 4_096;
const tags = ['Members'];
const headers = { 'X-Robots-Tag': 'noindex' } as const;

const form = z.object({
  token: z.string().trim().pipe(secretField),
  name: memberNameField,
  password: newPasswordField,
});

const FIELD_PROBLEMS: Readonly<Record<string, AcceptProblem>> = { token: 'link', name: 'name', password: 'password' };

/** Returns what the person has to mend, or nothing when the invitation is accepted. */
async function accept(
  services: HttpDeps['services'],
  body: Buffer,
  origin: ReturnType<typeof originOf>,
): Promise<readonly AcceptProblem[]> {
  const sent = form.safeParse(Object.fromEntries(new URLSearchParams(body.toString())));
  if (!sent.success) {
    return [...new Set(sent.error.issues.map(({ path }) => FIELD_PROBLEMS[String(path[0])] ?? 'link'))];
  }
  try {
    await services.acceptInvitation({ ...sent.data, origin });
    return [];
  } catch (error) {
    const code = error instanceof AppError ? error.code : null;
    if (code === 'validation_failed') return ['link'];
    if (code === 'email_taken') return ['taken'];
    throw error;
  }
}

/** The page behind the link of an invitation. It works without a script. */
export function invitationPages({ services, config }: Pick<HttpDeps, 'services' | 'config'>): Route[] {
  const shown = { description: 'The page, in Portuguese', contentType: PAGE_TYPE } as const;
  const show = defineRoute({
    method: 'GET',
    path: ACCEPT_PATH,
    operationId: 'getAcceptInvitationPage',
    summary: 'Page to accept an invitation (the link of the mail)',
    tags,
    auth: 'none',
    rate: 'public',
    responses: { 200: shown },
    errors: [],
    handler: async () => ({ status: 200, body: acceptInvitationPage(), headers }),
  });

  const post = defineRoute({
    method: 'POST',
    path: ACCEPT_PATH,
    operationId: 'acceptInvitationOnPage',
    summary: 'Accept an invitation by the form of the page, without a script',
    description: 'The body is a form with `token`, `name` and `password`.',
    tags,
    auth: 'none',
    rate: 'public',
    bodyType: 'raw',
    bodyLimit: FORM_LIMIT,
    body: z.instanceof(Buffer),
    responses: { 200: shown },
    errors: ['origin_refused'],
    handler: async ({ body, request }) => {
      refuseOtherOrigins(request, config);
      return { status: 200, body: acceptedPage(await accept(services, body, originOf(request))), headers };
    },
  });

  const script = fileRoute({
    path: ACCEPT_SCRIPT_PATH,
    name: 'accept-invitation.js',
    operationId: 'getAcceptInvitationScript',
    summary: 'Script of the page',
    tags,
  });
  return [show, post, script];
}
