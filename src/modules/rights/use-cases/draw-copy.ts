import { formatReais } from '../../../kernel/money.ts';
import { areaCodeOf, displayOffset } from '../../../kernel/phone.ts';
import { formatCalendarDate, localMoment } from '../../../kernel/texts/format.ts';
import { METHOD_PHRASES } from '../../../kernel/texts/payment-methods.ts';
import { STATUS_NAMES } from '../../debts/texts/names.ts';
import { preferenceInWords } from '../texts/preference.ts';
import { channelName, listingWords, RIGHTS_TEXTS } from '../texts/rights-page.ts';
import { whyAllowed } from '../texts/why-allowed.ts';
import type { RightsDeps } from './deps.ts';
import type { HeldData } from './read-rights.ts';

const { data, score, contacts, listings, money, requests, asks } = RIGHTS_TEXTS;

/** Draws everything that is held as a PDF, for a person to read. */
export const drawRightsCopy =
  ({ renderer }: Pick<RightsDeps, 'renderer'>) =>
  async (held: HeldData, at: Date): Promise<Buffer> => {
    const { bytes } = await renderer.render({
      kind: 'copy',
      protocol: '',
      templateVersion: 1,
      issuedAt: at,
      creditor: { name: held.creditor.name },
      title: RIGHTS_TEXTS.heading,
      subject: data.heading,
      sections: sectionsOf(held),
    });
    return Buffer.from(bytes);
  };

/** Drawing takes a while for each line, and is given up after some seconds. The copy for programs has all of them. */
const MOST_DRAWN = 500;

/** The lines of the first ones, and how many more the copy for programs has. */
const drawn = <One>(all: readonly One[], linesOf: (one: One) => string | readonly string[]): string[] => [
  ...all.slice(0, MOST_DRAWN).flatMap(linesOf),
  ...(all.length > MOST_DRAWN ? [data.moreInJson(all.length - MOST_DRAWN)] : []),
];

type Section = { readonly heading: string; readonly lines: readonly string[] };

function sectionsOf(held: HeldData): readonly Section[] {
  const [phone = ''] = held.phones;
  const offset = displayOffset(areaCodeOf(phone));
  const day = (moment: Date): string => localMoment(moment, offset).date;
  return [
    {
      heading: data.heading,
      lines: [
        `${data.name}: ${held.name}`,
        `${held.taxId.kind}: ${held.taxId.masked}`,
        `${data.phones}: ${held.phones.join(', ')}`,
        `${data.emails}: ${held.emails.length === 0 ? data.none : held.emails.join(', ')}`,
        data.from(held.creditor.name, day(held.debts[0]!.importedAt)),
        data.ground[held.creditor.lawfulGround ?? 'none'],
      ],
    },
    ...held.debts.slice(0, MOST_DRAWN).map(debtSection),
    ...(held.debts.length > MOST_DRAWN
      ? [{ heading: data.debts, lines: [data.moreInJson(held.debts.length - MOST_DRAWN)] }]
      : []),
    { heading: score.heading, lines: [score.decides, score.decidesNot, score.notUsed] },
    {
      heading: contacts.heading,
      lines: [
        ...held.contacts.flatMap((contact) => contactLines(contact, held, offset)),
        ...(held.hasMoreContacts ? [contacts.leftOut(held.contacts.length)] : []),
      ],
    },
    {
      heading: listings.heading,
      lines:
        held.listings.length === 0 ? [listings.none] : drawn(held.listings, (one) => listingWords(one, day).join(' ')),
    },
    {
      heading: money.heading,
      lines: [
        ...drawn(
          held.agreements,
          ({ protocol, status, totalCentavos, instalments, acceptedAt }) =>
            `${money.agreement(protocol)}: ${money.total(formatReais(totalCentavos), instalments.length)} (${money.states[status] ?? status}). ${money.accepted(day(acceptedAt))}`,
        ),
        ...drawn(held.payments, ({ paidCentavos, refundedCentavos, method, paidAt, protocol }) => {
          const amount = `${formatReais(paidCentavos)} ${METHOD_PHRASES[method ?? 'pix']}`;
          const refunded = refundedCentavos > 0 ? `. ${money.refunded(formatReais(refundedCentavos))}` : '';
          return `${money.paid(amount, paidAt === null ? '' : day(paidAt))}${protocol === null ? '' : ` (${protocol})`}${refunded}`;
        }),
        ...drawn(
          held.quittances,
          ({ year, revokedAt, protocol }) =>
            `${revokedAt === null ? money.quittance(year) : money.quittanceRevoked(year)} (${protocol})`,
        ),
      ],
    },
    {
      heading: requests.heading,
      lines: drawn(
        held.requests,
        ({ kind, createdAt, protocol, text, answer }) =>
          `${requests.kinds[kind]}. ${requests.asked(day(createdAt), protocol)} ${text} ${answer ?? ''}`,
      ),
    },
    ...(held.preference === null
      ? []
      : [{ heading: asks.preference.heading, lines: [preferenceInWords(held.preference)] }]),
  ];
}

function debtSection(debt: HeldData['debts'][number]): Section {
  const { invoiceId, description, amountCentavos, owedCentavos, dueDate, status, consentAt, consentSource } = debt;
  const scored = debt.score === null ? [] : [score.total(debt.score)];
  return {
    heading: data.debt(invoiceId),
    lines: [
      ...(description === null ? [] : [`${data.what}: ${description}`]),
      `${data.amount}: ${formatReais(amountCentavos)}. ${data.owed}: ${formatReais(owedCentavos)}.`,
      `${data.due}: ${formatCalendarDate(dueDate)}. ${data.state}: ${STATUS_NAMES[status]}.`,
      ...(consentAt === null ? [] : [data.consent(formatCalendarDate(consentAt.slice(0, 10)), consentSource)]),
      ...scored,
      ...(debt.scoreReasons ?? []).map(({ text, points }) => `${text}: ${score.points(points)}`),
    ],
  };
}

function contactLines(contact: HeldData['contacts'][number], held: HeldData, offset: number): string[] {
  const { date, time } = localMoment(contact.at, offset);
  const isOut = contact.direction === 'out';
  const channel = channelName(contact.channel);
  const why = isOut ? whyAllowed(contact, held.bases) : [];
  return [
    `${date}, ${time.slice(0, 5)}: ${isOut ? contacts.sent(channel) : contacts.received(channel)}`,
    contact.text === '' ? contacts.erased : contact.text,
    ...why.map(({ says, source }) => `- ${says}${source === null ? '' : ` ${contacts.law(source)}`}`),
  ];
}
