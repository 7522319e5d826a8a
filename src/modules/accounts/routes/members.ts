import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { MEMBER_ROLES, requireRight } from '../../../kernel/member-rights.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { idParams, page, pageQuery } from '../../../platform/http/fields.ts';
import { memberOf, originOf, sourceOf } from '../../../platform/http/origin.ts';
import { INVITATION_DAYS } from '../rules/token-lifetimes.ts';
import { corporateEmailField, line, newPasswordField, secretField } from './account-fields.ts';

const PATH = '/api/members';
const tags = ['Members'];

const roleField = z
  .enum(MEMBER_ROLES)
  .describe(
    '`owner` may do everything; `manager` runs campaigns; `agent` works on debts; `viewer` reads; `auditor` reads with persons masked',
  );

export const memberNameField = line(200);

const member = z
  .object({
    id: z.uuid(),
    name: z.string(),
    email: z.string(),
    role: roleField,
    state: z.enum(['invited', 'active']),
    createdAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime().nullable().describe('When a session of the member last gave an access token'),
    expiresAt: z.iso.datetime().nullable().describe('When an invitation ends; null for a member'),
    secondFactor: z.boolean().describe('Whether a member has a second factor; in the list only').optional(),
  })
  .meta({ id: 'Member' });

const common = { tags, auth: 'jwt', namesNobody: true } as const;

function invitationRoutes({ services }: Pick<HttpDeps, 'services'>): Route[] {
  const invite = defineRoute({
    ...common,
    method: 'POST',
    path: PATH,
    operationId: 'inviteMember',
    right: 'administer',
    stepUp: 'always',
    summary: 'Invite a person to work for the company',
    description: `Mails a link that works once, for ${INVITATION_DAYS} days. 409 \`email_taken\` when a member of any company has the address, or an open invitation of yours. At most 10 mails an hour go to an address.`,
    idempotent: true,
    body: z.object({ email: corporateEmailField(services), name: memberNameField, role: roleField }),
    responses: { 201: { description: 'The invitation', schema: member } },
    errors: ['email_taken', 'rate_limited'],
    handler: async ({ caller, body: { email, name, role }, request }) => ({
      status: 201,
      body: await services.inviteMember({
        ...memberOf(caller),
        id: request.workId ?? randomUUID(),
        email,
        name,
        role,
        source: sourceOf(caller, request),
      }),
    }),
  });

  const again = defineRoute({
    ...common,
    method: 'POST',
    path: `${PATH}/:id/invitation`,
    operationId: 'sendInvitationAgain',
    right: 'administer',
    stepUp: 'always',
    summary: 'Send an invitation again',
    description: `Another link is mailed, which works for ${INVITATION_DAYS} days; the one before works no more.`,
    idempotent: true,
    params: idParams,
    responses: { 202: { description: 'The mail will be sent' } },
    errors: ['rate_limited'],
    handler: async ({ caller, params: { id }, request }) => {
      await services.sendInvitationAgain({ ...memberOf(caller), id, source: sourceOf(caller, request) });
      return { status: 202 };
    },
  });

  const accept = defineRoute({
    method: 'POST',
    path: `${PATH}/accept`,
    operationId: 'acceptInvitation',
    summary: 'Become a member with the token of the mail',
    description: 'The address of the invitation becomes the e-mail of the login. The token works once.',
    tags,
    auth: 'none',
    rate: 'public',
    body: z.object({ token: secretField, name: memberNameField, password: newPasswordField }),
    responses: { 204: { description: 'The person is a member and can log in' } },
    errors: ['email_taken'],
    handler: async ({ body: { token, name, password }, request }) => {
      await services.acceptInvitation({ token, name, password, origin: originOf(request) });
      return { status: 204 };
    },
  });
  return [invite, again, accept];
}

export function memberRoutes({ services }: Pick<HttpDeps, 'services'>): Route[] {
  const list = defineRoute({
    ...common,
    method: 'GET',
    path: PATH,
    operationId: 'listMembers',
    right: 'administer',
    summary: 'The members of the company and those who are invited, the first owner first',
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: page(member) } },
    errors: [],
    handler: async ({ caller: { clientId }, query }) => ({
      status: 200,
      body: await services.listMembers({ clientId, ...query }),
    }),
  });

  const change = defineRoute({
    ...common,
    method: 'PATCH',
    path: `${PATH}/:id`,
    operationId: 'changeMember',
    right: 'administer',
    stepUp: 'always',
    summary: 'Give a member, or an invited person, another role',
    description: 'The role binds with the member’s next call. The last owner keeps the role: 409 `last_owner`.',
    params: idParams,
    body: z.object({ role: roleField }),
    responses: { 200: { description: 'The member', schema: member } },
    errors: ['last_owner'],
    handler: async ({ caller, params: { id }, body: { role }, request }) => ({
      status: 200,
      body: await services.changeRole({ ...memberOf(caller), id, role, source: sourceOf(caller, request) }),
    }),
  });

  const remove = defineRoute({
    ...common,
    method: 'DELETE',
    path: `${PATH}/:id`,
    operationId: 'removeMember',
    right: 'own',
    stepUp: 'always',
    summary: 'Remove a member, take an invitation back, or leave',
    description:
      'Ends every session of the member at once. Whoever calls it with the own id leaves; anybody else’s id needs an owner. The last owner cannot leave: 409 `last_owner`. What the member did keeps its name, and the address is free again.',
    params: idParams,
    responses: { 204: { description: 'The person is no member' } },
    errors: ['last_owner', 'role_insufficient'],
    handler: async ({ caller, params: { id }, request }) => {
      const own = { ...memberOf(caller), source: sourceOf(caller, request) };
      if (id.toLowerCase() === own.memberId) await services.leaveCompany(own);
      else {
        requireRight(caller.role, 'administer');
        await services.removeMember({ ...own, id });
      }
      return { status: 204 };
    },
  });
  return [...invitationRoutes({ services }), list, change, remove];
}
