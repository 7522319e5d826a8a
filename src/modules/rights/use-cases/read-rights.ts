import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isOwed } from '../../../kernel/debt-status.ts';
import { maskedDebtor, taxIdOf } from '../../../kernel/tax-id.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { asPersonSees } from '../../debts/use-cases/debt-context.ts';
import { owedNow } from '../../debts/use-cases/owed.ts';
import { hasAddressOn } from '../../messaging/use-cases/deps.ts';
import { type ShownCreditor, shownCreditor } from '../../messaging/use-cases/shown-creditor.ts';
import type { DebtorPreference } from '../../policy/rules/campaign-settings.ts';
import type { Channel } from '../../policy/rules/policy-pack.ts';
import {
  agreementsHeld,
  contactsOf,
  debtsHeld,
  type HeldDebt,
  listingsHeld,
  paymentsHeld,
  quittancesHeld,
} from '../queries/held-data.ts';
import { requestsOfPerson } from '../queries/rights-requests.ts';
import type { RightsDeps } from './deps.ts';
import { onOpenPage, type PageOfPerson } from './person-of-page.ts';

/** The page shows the latest; the copy has more. */
const CONTACTS_ON_PAGE = 60;
const CONTACTS_IN_COPY = 2_000;
/** Between slices of so many milliseconds other requests get their turn. */
const SLICE_MS = 10;

/** Everything that a client holds of a person, the debts that are still owed first. */
export interface HeldData {
  readonly token: string;
  readonly sandbox: boolean;
  readonly creditor: ShownCreditor;
  readonly name: string;
  readonly taxId: { readonly kind: 'CPF' | 'CNPJ'; readonly masked: string };
  readonly phones: readonly string[];
  readonly emails: readonly string[];
  readonly debts: readonly (HeldDebt & { readonly owedCentavos: number })[];
  readonly contacts: Awaited<ReturnType<typeof contactsOf>>;
  /** There are earlier contacts, which the copy has. */
  readonly hasMoreContacts: boolean;
  readonly agreements: readonly (Awaited<ReturnType<typeof agreementsHeld>>[number] & { readonly url: string })[];
  readonly payments: readonly (Awaited<ReturnType<typeof paymentsHeld>>[number] & {
    readonly receiptUrl: string | null;
  })[];
  readonly quittances: readonly (Awaited<ReturnType<typeof quittancesHeld>>[number] & { readonly url: string })[];
  readonly listings: Awaited<ReturnType<typeof listingsHeld>>;
  readonly requests: Awaited<ReturnType<typeof requestsOfPerson>>;
  readonly preference: DebtorPreference | null;
  /** The ways by which the client writes to the person; a choice is offered where there are several. */
  readonly channels: readonly Channel[];
  /** Where each rule of the pack comes from, by its id. */
  readonly bases: ReadonlyMap<string, string>;
  readonly silenced: boolean;
}

const unique = (values: readonly (string | null)[]): string[] => [
  ...new Set(values.filter((value): value is string => value !== null && value !== '')),
];

/** The ways by which the client writes to the person. */
export async function channelsOf(tx: Tx, deps: Pick<RightsDeps, 'sendersOf'>, debt: HeldDebt): Promise<Channel[]> {
  const senders = await deps.sendersOf(tx, debt);
  const reaching = senders.filter(({ channel }) => hasAddressOn(channel, debt));
  return [...new Set(reaching.map(({ channel }) => channel.capabilities.policyChannel))];
}

/** Some terms take a while to compute, and a person may have thousands of debts. */
async function withOwed(deps: RightsDeps, debts: readonly HeldDebt[]): Promise<HeldData['debts']> {
  const owed: (HeldDebt & { readonly owedCentavos: number })[] = [];
  let began = performance.now();
  for (const debt of debts) {
    owed.push({ ...debt, owedCentavos: isOwed(debt) ? owedNow(deps, debt).total : 0 });
    if (performance.now() - began < SLICE_MS) continue;
    await yieldToEventLoop();
    began = performance.now();
  }
  return owed;
}

async function read(
  tx: Tx,
  deps: RightsDeps,
  token: string,
  { person, debt }: PageOfPerson,
  most: number,
): Promise<HeldData> {
  const debts = (await debtsHeld(tx, person)).map(asPersonSees);
  const contacts = await contactsOf(tx, person, most + 1);
  const agreements = await agreementsHeld(tx, person, deps.personKeys.person(person.debtorTaxId));
  const payments = await paymentsHeld(tx, person);
  const quittances = await quittancesHeld(tx, person);
  const { receiptLinks } = deps;
  return {
    token,
    sandbox: person.sandbox || deps.sandboxOnly,
    creditor: shownCreditor(debt),
    name: debt.debtorName,
    taxId: taxIdOf(maskedDebtor(debt.debtorName, debt.debtorTaxId)),
    phones: unique(debts.flatMap(({ phones, debtorPhone }) => [debtorPhone, ...phones])),
    emails: unique(debts.flatMap(({ debtorEmail, debtorEmails }) => [debtorEmail, ...(debtorEmails ?? [])])),
    debts: await withOwed(deps, debts),
    contacts: contacts.slice(0, most),
    hasMoreContacts: contacts.length > most,
    agreements: agreements.map((each) => ({ ...each, url: receiptLinks.downloadUrl(each.protocol) })),
    payments: payments.map((each) => ({
      ...each,
      receiptUrl: each.protocol === null ? null : receiptLinks.downloadUrl(each.protocol),
    })),
    quittances: quittances.map((each) => ({ ...each, url: receiptLinks.downloadUrl(each.protocol) })),
    listings: await listingsHeld(tx, person),
    requests: await requestsOfPerson(tx, person),
    preference: debt.preference,
    channels: await channelsOf(tx, deps, debt),
    bases: new Map(deps.policy.pack.rules.map(({ id, source }) => [id, source])),
    silenced: debts.some(({ status }) => status === 'OPTED_OUT'),
  };
}

export interface OpenPage {
  readonly token: string;
  readonly proof: string;
}

/** Returns what the page shows after the digits. */
export const readRights =
  (deps: RightsDeps) =>
  (page: OpenPage): Promise<HeldData | 'closed'> =>
    onOpenPage(deps, page, (tx, found) => read(tx, deps, page.token, found, CONTACTS_ON_PAGE));

/** Returns all of it for a copy, which is limited like a request. */
export const readRightsCopy =
  (deps: RightsDeps) =>
  async (page: OpenPage): Promise<HeldData | 'closed'> => {
    const key = await onOpenPage(deps, page, async (_, found) => found.key);
    if (key === 'closed') return key;
    await deps.takeFromAskRate(key);
    return onOpenPage(deps, page, (tx, found) => read(tx, deps, page.token, found, CONTACTS_IN_COPY));
  };
