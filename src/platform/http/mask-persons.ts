import { Readable } from 'node:stream';
import { AppError } from '../../kernel/errors.ts';
import { hasRight, type MemberRole } from '../../kernel/member-rights.ts';
import { maskName } from '../../kernel/texts/mask-name.ts';
import { maskPhone } from '../../kernel/texts/mask-phone.ts';
import type { Caller } from '../shared/caller.ts';
import type { Route } from './define-route.ts';

type Facts = Pick<Route, 'namesNobody' | 'namesPersons' | 'responses' | 'right'>;

const isShownWhole = ({ namesNobody, namesPersons }: Facts): boolean => namesNobody === true || namesPersons === true;

/** An answer that is a file is drawn or stored as it is, so that nobody can be masked in it. */
const answersFile = ({ responses }: Facts): boolean =>
  Object.values(responses).some(({ contentType, schema }) => contentType !== undefined && schema === undefined);

/** Whether a member of this role may call the route. A route without a right has no caller. */
export function mayCall(route: Facts, role: MemberRole): boolean {
  if (route.right === undefined) return true;
  if (!hasRight(role, route.right)) return false;
  return role !== 'auditor' || isShownWhole(route) || !answersFile(route);
}

/** What takes the place of a text that may name a person, and of an address that leads to one. */
const HIDDEN = '[oculto]';

const lastFour = (text: string): string => `***${text.slice(-4)}`;

/** Members that stay recognisable when they are masked. A phone and a CPF keep what somebody reads out to be found. */
export const MASKED: ReadonlyMap<string, (text: string) => string> = new Map([
  ['debtorName', maskName],
  ['debtorPhone', maskPhone],
  ['debtorPhones', maskPhone],
  ['debtorCpf', lastFour],
  ['debtorCnpj', lastFour],
]);

/** Members that nobody but the service or the company's settings write, and that name no debtor. */
export const SHOWN: ReadonlySet<string> = new Set([
  'account',
  'acceptedBy',
  'action',
  'actor',
  'afterBreach',
  'agreementId',
  'amount',
  'author',
  'binds',
  'bureau',
  'by',
  'caller',
  'campaignName',
  'change',
  'channel',
  'channels',
  'clause',
  'component',
  'consentAt',
  'contentType',
  'correction',
  'countsFrom',
  'currency',
  'date',
  'delivery',
  'discountOn',
  'doubt',
  'dueDate',
  'effectiveFrom',
  'endToEndId',
  'endedAs',
  'failure',
  'field',
  'formula',
  'holdReason',
  'id',
  'intent',
  'invoiceId',
  'kind',
  'lawfulGround',
  'listingId',
  'madeBy',
  'messageId',
  'method',
  'missing',
  'name',
  'nextCursor',
  'noteId',
  'offerId',
  'on',
  'onPartial',
  'paidOn',
  'paymentId',
  'personKey',
  'placeholders',
  'previousStatus',
  'problem',
  'promisedFor',
  'protocol',
  'provider',
  'providerPaymentId',
  'purpose',
  'receipt',
  'receiptProtocol',
  'refundId',
  'returnKind',
  'ruleIds',
  'rules',
  'sender',
  'source',
  'state',
  'statement',
  'status',
  'stoppedBecause',
  'then',
  'timelineCursor',
  'tone',
  'type',
  'types',
  'validUntil',
  'version',
  'weekdays',
]);

const STATE_HOUR_OR_DATE = /^(?:[A-Z_]{4,20}|\d{2}:\d{2}|\d{4}-\d{2}-\d{2})$/;

/** Members that hold states, hours and dates at some places and what a person is called at others. */
export const SHOWN_AS_CODE: ReadonlyMap<string, RegExp> = new Map([
  ['from', STATE_HOUR_OR_DATE],
  ['reason', /^[a-z]+(?:_[a-z]+){0,5}$/],
  ['to', STATE_HOUR_OR_DATE],
]);

/** An id, or a moment. */
const TELLS_NOTHING = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d{2}-\d{2}(?:T[\d:.]{5,12}Z)?)$/;

function maskText(name: string, text: string, kind: unknown): string {
  if (SHOWN.has(name) || text === '' || TELLS_NOTHING.test(text)) return text;
  const mask = MASKED.get(name);
  if (mask !== undefined) return mask(text);
  // The reason of a change of status is in the words of the staff.
  const isCode = SHOWN_AS_CODE.get(name)?.test(text) === true && !(name === 'reason' && kind === 'status_changed');
  return isCode ? text : HIDDEN;
}

function maskValue(name: string, value: unknown, kind: unknown): unknown {
  if (typeof value === 'string') return maskText(name, value, kind);
  if (Array.isArray(value)) return value.map((item) => maskValue(name, item, kind));
  if (typeof value !== 'object' || value === null) return value;
  const own: unknown = 'kind' in value ? value.kind : undefined;
  return Object.fromEntries(Object.entries(value).map(([member, part]) => [member, maskValue(member, part, own)]));
}

/**
 * Masks persons in what an auditor reads. A text is hidden unless its member is listed above, so that a member which is
 * added to an answer is hidden until somebody says that it names nobody.
 */
export function maskPersons(route: Facts, caller: Caller | undefined, body: unknown): unknown {
  if (caller?.role !== 'auditor' || isShownWhole(route) || body === undefined) return body;
  // A route that answers JSON or a file has the file for those who may export.
  if (Buffer.isBuffer(body) || body instanceof Readable || typeof body === 'string') {
    throw new AppError('role_insufficient');
  }
  return maskValue('', body, undefined);
}

/** The same for an answer that is kept as text for its `Idempotency-Key`. */
export const maskKept = (route: Facts, caller: Caller | undefined, body: string | null): string | null =>
  body === null || caller?.role !== 'auditor' ? body : JSON.stringify(maskPersons(route, caller, JSON.parse(body)));
