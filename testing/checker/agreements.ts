/** The rules about agreements, computed from what debtors paid at the provider and from what reached their phones. */
import { type Contact, collectionsOf, digits, isNotice, ON_ITS_WAY_MS, shown } from './contacts.ts';
import { type AgreementFact, type Facts, groupBy, type Rule } from './facts.ts';
import { ofKind } from './log.ts';
import { businessDayAfter, dateOf, isBusinessDay } from './place.ts';

const BUSINESS_DAYS_AFTER_WARNING = 3;
const DAY = 24 * 3_600_000;

interface Banked {
  readonly chargeId: string;
  readonly centavos: number;
  /** When the service had accepted the notification, in real time and by its own clock; null while it has not. */
  readonly notified: { readonly at: number; readonly clock: number } | null;
}

/** Returns the money that the bank has moved by codes of an agreement. */
export function bankedOf(facts: Facts, { id }: Pick<AgreementFact, 'id'>): readonly Banked[] {
  const made = groupBy(ofKind(facts.log, 'payment_made'), ({ providerPaymentId }) => providerPaymentId);
  const notified = groupBy(ofKind(facts.log, 'notification_accepted'), ({ providerPaymentId }) => providerPaymentId);
  return facts.charges
    .filter(({ agreementId }) => agreementId === id)
    .flatMap(({ id: chargeId, providerPaymentId }) =>
      (made.get(providerPaymentId ?? '') ?? []).map(({ centavos }) => ({
        chargeId,
        centavos,
        notified: notified.get(providerPaymentId ?? '')?.[0] ?? null,
      })),
    );
}

const sumOf = (all: readonly { readonly centavos: number }[]): number =>
  all.reduce((sum, one) => sum + one.centavos, 0);

/** Returns the moment from which so much had been notified, in real time, or null when it never was. */
function notifiedFrom(banked: readonly Banked[], centavos: number): number | null {
  let sum = 0;
  const inOrder = banked.flatMap((one) => (one.notified === null ? [] : [{ ...one, at: one.notified.at }]));
  for (const one of inOrder.toSorted((a, b) => a.at - b.at)) {
    sum += one.centavos;
    if (sum >= centavos) return one.at;
  }
  return null;
}

/** What is due up to an instalment, this one included. */
const dueUpTo = ({ instalments }: AgreementFact, number: number): number =>
  instalments.filter((one) => one.number <= number).reduce((sum, { amountCentavos }) => sum + amountCentavos, 0);

interface PersonOf {
  readonly cpf: string;
  readonly phone: string;
}

/** The person of each debt. */
function personsOf(facts: Facts): ReadonlyMap<string, PersonOf> {
  const imported = groupBy(ofKind(facts.log, 'debt_imported'), ({ clientId, invoiceId }) => `${clientId} ${invoiceId}`);
  return new Map(
    facts.debts.flatMap(({ id, clientId, invoiceId }) => {
      const person = imported.get(`${clientId} ${invoiceId}`)?.[0];
      return person === undefined ? [] : [[id, person] as const];
    }),
  );
}

const personOf = (persons: ReadonlyMap<string, PersonOf>, { debts }: AgreementFact): PersonOf | undefined =>
  debts.flatMap(({ debtId }) => persons.get(debtId) ?? [])[0];

/** Each notice with the agreement that it is about: the last one that its person had made with the client. */
function noticesOf(facts: Facts): readonly (readonly [Contact, AgreementFact])[] {
  const persons = personsOf(facts);
  return collectionsOf(facts)
    .filter(isNotice)
    .flatMap((contact) => {
      const about = facts.agreements
        .filter((one) => one.clientId === contact.clientId && personOf(persons, one)?.cpf === contact.cpf)
        .filter(({ acceptedAt }) => acceptedAt <= contact.clock)
        .toSorted((a, b) => a.acceptedAt - b.acceptedAt)
        .at(-1);
      return about === undefined ? [] : [[contact, about] as const];
    });
}

const instalmentOf = ({ told }: Contact): number =>
  told !== undefined && told.kind !== 'agreed' ? told.instalment : 0;

/** What the bank moved for an agreement is what it still holds, or to the centavo what its debts have got. */
export const agreementMoneyIsCredited: Rule = (facts) => {
  const parts = groupBy(facts.charges, ({ partOf }) => partOf ?? '');
  return facts.agreements.flatMap((agreement) => {
    const { id, status, endedAt, totalCentavos, debts } = agreement;
    const banked = bankedOf(facts, agreement);
    const got = banked.map(({ chargeId, centavos }) => ({ centavos, parts: parts.get(chargeId) ?? [] }));
    const isActive = endedAt === null;
    const all = got.flatMap((one) => one.parts);
    const gotBy = (debtId: string): number =>
      all.filter((part) => part.debtId === debtId).reduce((sum, { paidCentavos }) => sum + paidCentavos, 0);
    return [
      ...(isActive && all.length > 0 ? [`agreement ${id} goes on, and its debts have got money`] : []),
      ...(isActive && sumOf(banked) >= totalCentavos ? [`agreement ${id} is paid, and goes on`] : []),
      ...(status === 'COMPLETED' && sumOf(banked) < totalCentavos
        ? [`agreement ${id} is COMPLETED with ${sumOf(banked)} centavos of ${totalCentavos}`]
        : []),
      ...(isActive ? [] : got)
        .map((one) => [one.centavos, one.parts.reduce((sum, { paidCentavos }) => sum + paidCentavos, 0)] as const)
        .filter(([paid, credited]) => paid !== credited)
        .map(([paid, credited]) => `of ${paid} centavos for agreement ${id} its debts have got ${credited}`),
      ...all
        .filter((part) => !debts.some(({ debtId }) => debtId === part.debtId))
        .map((part) => `debt ${part.debtId} has got money of agreement ${id}, to which it does not belong`),
      ...(status === 'COMPLETED' ? debts : [])
        .filter(({ debtId, centavos }) => gotBy(debtId) < centavos)
        .map(({ debtId, centavos }) => `debt ${debtId} has got ${gotBy(debtId)} of its ${centavos} centavos`),
    ];
  });
};

export const noNoticeOfPaidInstalment: Rule = (facts) =>
  noticesOf(facts).flatMap(([contact, agreement]) => {
    const paidAt = notifiedFrom(bankedOf(facts, agreement), dueUpTo(agreement, instalmentOf(contact)));
    return paidAt !== null && contact.at > paidAt + ON_ITS_WAY_MS
      ? [`${shown(contact)}: the payment of instalment ${instalmentOf(contact)} had been notified`]
      : [];
  });

export const noNoticeTwice: Rule = (facts) => {
  const same = groupBy(noticesOf(facts), ([contact, { id }]) => `${id} ${contact.told?.kind} ${instalmentOf(contact)}`);
  return [...same.values()]
    .filter((group) => group.length > 1)
    .map((group) => `${shown(group[1]![0])}: this notice was sent ${group.length} times`);
};

/**
 * A breach follows three business days after a warning that the channel took, on a business day, and only where something
 * is open.
 */
export const noBreachWithoutWarning: Rule = (facts) => {
  const persons = personsOf(facts);
  const notices = noticesOf(facts);
  return facts.agreements.flatMap((agreement) => {
    const { id, status, endedAt, instalments, breachAfterDays } = agreement;
    const person = personOf(persons, agreement);
    if (status !== 'BROKEN' || endedAt === null || person === undefined) return [];
    const { phone } = person;
    const brokenOn = dateOf(phone, endedAt);
    const inTime = bankedOf(facts, agreement).filter(
      ({ notified }) => notified !== null && notified.clock + ON_ITS_WAY_MS < endedAt,
    );
    const late = instalments.filter(
      ({ number, dueDate }) =>
        new Date(Date.parse(dueDate) + breachAfterDays * DAY).toISOString().slice(0, 10) < brokenOn &&
        dueUpTo(agreement, number) > sumOf(inTime),
    );
    const isWarned = notices.some(([contact, about]) => {
      if (about.id !== id || contact.told?.kind !== 'warning') return false;
      let last = dateOf(phone, contact.clock);
      for (let day = 0; day < BUSINESS_DAYS_AFTER_WARNING; day += 1) last = businessDayAfter(phone, last);
      return last < brokenOn && late.some(({ number }) => number === instalmentOf(contact));
    });
    return [
      ...(isWarned ? [] : [`agreement ${id} was broken on ${brokenOn} without a warning in time of what is open`]),
      ...(isBusinessDay(phone, brokenOn)
        ? []
        : [`agreement ${id} was broken on ${brokenOn}, which is no business day`]),
    ];
  });
};

/** A kept agreement pays its debts: each has its Termo, and nobody is asked for anything of them any more. */
export const keptAgreementIsOver: Rule = (facts) =>
  facts.agreements.flatMap((agreement) => {
    const { id, debts, totalCentavos } = agreement;
    const keptAt = notifiedFrom(bankedOf(facts, agreement), totalCentavos);
    // After a breach the rest is a payment of the debts.
    if (keptAt === null || agreement.status === 'BROKEN') return [];
    const about = new Set(debts.map(({ debtId }) => debtId));
    const termos = groupBy(
      facts.receipts.filter(({ kind, drawn, revoked }) => kind === 'settlement' && drawn && !revoked),
      ({ debtId }) => debtId,
    );
    const late = collectionsOf(facts).filter(
      ({ at, row }) =>
        at > keptAt + ON_ITS_WAY_MS &&
        row !== undefined &&
        [row.debtId, ...row.alsoAbout].some((debtId) => about.has(debtId)),
    );
    return [
      ...debts
        .filter(({ debtId }) => termos.get(debtId)?.length !== 1)
        .map(({ debtId }) => `debt ${debtId} of agreement ${id} has ${termos.get(debtId)?.length ?? 0} Termos`),
      ...late.map((contact) => `${shown(contact)}: agreement ${id} had been kept`),
    ];
  });

/** No agreement rests unwatched: its workflow has ended with it, or waits for its next date. */
export const everyAgreementIsFollowed: Rule = (facts) => {
  const runs = groupBy(facts.workflows, ({ workflowId }) => workflowId);
  return facts.agreements.flatMap(({ id, endedAt }) => {
    const own = runs.get(`agreement-${id}`) ?? [];
    const running = own.filter(({ status }) => status === 'RUNNING');
    if (own.length === 0) return [`agreement ${id} has no workflow`];
    if (endedAt !== null) return running.length === 0 ? [] : [`the workflow of agreement ${id} goes on after its end`];
    return running.some(({ timers }) => timers > 0) ? [] : [`agreement ${id} goes on without a timer`];
  });
};

/** Who agrees has said so, and is told once. An answer whose sending is uncertain is not repeated, so that none is possible. */
export const everyAcceptanceAnsweredOnce: Rule = (facts) => {
  const persons = personsOf(facts);
  const rows = new Map(facts.messages.map((row) => [row.id, row]));
  const accepted = new Set(
    ofKind(facts.log, 'debtor_wrote').flatMap(({ said, channelMessageId }) =>
      said === 'accept' ? channelMessageId : [],
    ),
  );
  return facts.agreements.flatMap((agreement) => {
    const { id, clientId, protocol, acceptedIn, debts } = agreement;
    const person = personOf(persons, agreement);
    const answers = ofKind(facts.log, 'message_taken').filter(
      ({ told }) => told?.kind === 'agreed' && told.protocol === protocol,
    );
    const isUncertain = facts.messages.some(
      ({ debtId, purpose, delivery }) =>
        purpose === 'reply' && delivery === 'unknown' && debts.some((debt) => debt.debtId === debtId),
    );
    const isAnswered = answers.length === 1 || (answers.length === 0 && isUncertain);
    const isTheirs = answers.every(
      (one) => one.clientId === clientId && digits(one.to) === digits(person?.phone ?? ''),
    );
    return [
      ...(accepted.has(rows.get(acceptedIn ?? '')?.channelMessageId ?? '')
        ? []
        : [`agreement ${id} was made, and nobody has accepted it`]),
      ...(isAnswered && isTheirs ? [] : [`the acceptance of agreement ${id} was answered ${answers.length} times`]),
    ];
  });
};
