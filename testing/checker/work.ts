/** The rules about what the product had to do: with its debts, its workflows, and what came in and goes out. */
import { bankedOf } from './agreements.ts';
import { acceptedWishes, collectionsOf, isNotice, isReminder } from './contacts.ts';
import { type AgreementFact, type Facts, groupBy, type Rule, type WorkflowFact } from './facts.ts';
import { ofKind } from './log.ts';

const LIVE = ['IMPORTED', 'QUEUED', 'IN_COLLECTION', 'PROMISED'];
const STEPS = 6;
const OPEN = 'RUNNING';

/** Every debt that was imported is there once, and has ended as its debtor has decided, or is being worked. */
export const noDebtLost: Rule = (facts) => {
  const rows = groupBy(facts.debts, ({ clientId, invoiceId }) => `${clientId} ${invoiceId}`);
  const running = new Set(facts.workflows.filter(({ status }) => status === OPEN).map(({ workflowId }) => workflowId));
  const isOver = ofKind(facts.log, 'campaign_over').length > 0;
  return ofKind(facts.log, 'debt_imported').flatMap(({ clientId, invoiceId }) => {
    const found = rows.get(`${clientId} ${invoiceId}`) ?? [];
    const [debt] = found;
    if (debt === undefined || found.length > 1) return [`debt ${invoiceId} is stored ${found.length} times`];
    if (!LIVE.includes(debt.status) && debt.status !== 'AGREEMENT') return [];
    if (isOver) return [`debt ${debt.id} (${invoiceId}) is ${debt.status} after the last day`];
    const isWorked = running.has(`collection-${debt.id}`) || debt.status === 'IMPORTED';
    return isWorked ? [] : [`debt ${debt.id} (${invoiceId}) is ${debt.status} without a workflow`];
  });
};

interface Story {
  readonly paid: boolean;
  /** An agreement about it goes on. */
  readonly agreed: boolean;
  readonly said: ReadonlySet<string>;
  readonly contacts: number;
}

/**
 * Returns the debts that the money of an agreement has paid: all of them once all of it has come, and after a breach those
 * that are covered in order: their shares where what was agreed is kept, and otherwise their whole amounts, because the
 * clients of a run charge nothing for late payment.
 */
function paidBy(facts: Facts, agreement: AgreementFact): readonly string[] {
  const { debts, totalCentavos, status, afterBreach } = agreement;
  let left = bankedOf(facts, agreement).reduce((sum, { centavos }) => sum + centavos, 0);
  const isBroken = status === 'BROKEN';
  if (!isBroken && left < totalCentavos) return [];
  return debts.flatMap(({ debtId, centavos }) => {
    const asBefore = facts.debts.find(({ id }) => id === debtId)?.amountCentavos ?? centavos;
    left -= isBroken && afterBreach === 'restore' ? asBefore : centavos;
    return left >= 0 ? [debtId] : [];
  });
}

function storiesOf(facts: Facts): ReadonlyMap<string, Story> {
  const imported = ofKind(facts.log, 'debt_imported');
  const person = new Map(imported.map(({ clientId, phone, cpf }) => [`${clientId} ${phone}`, `${clientId} ${cpf}`]));
  const said = groupBy(acceptedWishes(facts), ({ clientId, from }) => person.get(`${clientId} ${from}`) ?? '');
  const steps = collectionsOf(facts).filter((contact) => !isNotice(contact) && !isReminder(contact));
  const contacts = groupBy(steps, ({ clientId, cpf }) => `${clientId} ${cpf}`);
  const paidCharges = new Set(ofKind(facts.log, 'payment_made').map(({ providerPaymentId }) => providerPaymentId));
  const paid = new Set(
    facts.charges
      .filter((charge) => charge.agreementId === null && paidCharges.has(charge.providerPaymentId ?? ''))
      .map(({ debtId }) => debtId),
  );
  for (const debtId of facts.agreements.flatMap((agreement) => paidBy(facts, agreement))) paid.add(debtId);
  const agreed = new Set(
    facts.agreements.filter(({ endedAt }) => endedAt === null).flatMap(({ debts }) => debts.map((one) => one.debtId)),
  );
  // A contact whose sending is uncertain counts as made.
  const uncertain = groupBy(
    facts.messages
      .filter(({ purpose, delivery }) => purpose === 'collection' && delivery === 'unknown')
      .flatMap(({ debtId, alsoAbout }) => [debtId, ...alsoAbout]),
    (debtId) => debtId,
  );
  const ids = new Map(facts.debts.map((debt) => [`${debt.clientId} ${debt.invoiceId}`, debt]));
  return new Map(
    imported.flatMap(({ clientId, invoiceId, cpf }) => {
      const debt = ids.get(`${clientId} ${invoiceId}`);
      if (debt === undefined) return [];
      const key = `${clientId} ${cpf}`;
      const made = (contacts.get(key)?.length ?? 0) + (uncertain.get(debt.id)?.length ?? 0);
      const words = new Set((said.get(key) ?? []).map((wish) => wish.said));
      return [[debt.id, { paid: paid.has(debt.id), agreed: agreed.has(debt.id), said: words, contacts: made }]];
    }),
  );
}

/** A debt ends as its debtor has decided, and is given up only after all contacts of its sequence. */
export const everyDebtEndsForAReason: Rule = (facts) => {
  const stories = storiesOf(facts);
  return facts.debts.flatMap(({ id, status }): string[] => {
    const story = stories.get(id);
    if (story === undefined) return [];
    const { paid, agreed, said, contacts } = story;
    const expected = paid
      ? 'PAID'
      : agreed
        ? 'AGREEMENT'
        : said.has('opt_out')
          ? 'OPTED_OUT'
          : said.has('dispute')
            ? 'DISPUTED'
            : null;
    if (expected !== null) return status === expected ? [] : [`debt ${id} is ${status} and should be ${expected}`];
    if (LIVE.includes(status)) return [];
    if (status !== 'EXHAUSTED') return [`debt ${id} is ${status}, and its debtor has given no reason for it`];
    return contacts >= STEPS ? [] : [`debt ${id} was given up after ${contacts} contacts of ${STEPS}`];
  });
};

const ENDED_BADLY = ['FAILED', 'TIMED_OUT', 'TERMINATED', 'CANCELLED'];

/** A schedule names its runs by its own name and the moment. */
const SCHEDULED = /^(.+)-(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/;

/**
 * Whether a schedule has started the work of a run again, and it ended well. Such runs have few attempts, so that two
 * faults in a row end one of them.
 */
function isMadeGood({ workflowId, status }: WorkflowFact, workflows: Facts['workflows']): boolean {
  const [, schedule, moment] = SCHEDULED.exec(workflowId) ?? [];
  if (status !== 'FAILED' || schedule === undefined || moment === undefined) return false;
  return workflows.some((other) => {
    const [, name, later] = SCHEDULED.exec(other.workflowId) ?? [];
    return name === schedule && later !== undefined && later > moment && other.status === 'COMPLETED';
  });
}

/** No workflow ends badly, except a run of a schedule that was made good by a later one. */
export const noWorkflowFailed: Rule = ({ workflows }) => [
  ...workflows
    .filter((one) => ENDED_BADLY.includes(one.status) && !isMadeGood(one, workflows))
    .map(({ workflowId, status }) => `workflow ${workflowId} is ${status}`),
  ...workflows
    .filter(({ codeFailures }) => codeFailures > 0)
    .map(({ workflowId, codeFailures }) => `the code of workflow ${workflowId} failed ${codeFailures} times`),
];

export const nothingIncomingUnhandled: Rule = (facts) => {
  const inbound = facts.messages.filter(({ direction }) => direction === 'in');
  const stored = groupBy(inbound, ({ channelMessageId }) => channelMessageId ?? '');
  const references = new Map(
    ofKind(facts.log, 'charge_made').map(({ providerPaymentId, reference }) => [providerPaymentId, reference]),
  );
  const noticed = new Set(facts.notifications.map(({ chargeId }) => chargeId));
  return [
    ...ofKind(facts.log, 'message_accepted')
      .filter(({ channelMessageId }) => stored.get(channelMessageId)?.length !== 1)
      .map(
        ({ channelMessageId: id }) => `message ${id} was accepted and is stored ${stored.get(id)?.length ?? 0} times`,
      ),
    ...inbound.filter(({ handled }) => !handled).map(({ id }) => `message ${id} of a debtor was never handled`),
    ...ofKind(facts.log, 'notification_accepted')
      .filter(({ providerPaymentId }) => !noticed.has(references.get(providerPaymentId) ?? ''))
      .map(({ providerPaymentId: id }) => `a notification of payment ${id} was accepted and is not stored`),
    ...facts.notifications
      .filter(({ handled }) => !handled)
      .map(({ chargeId }) => `a notification of charge ${chargeId} was never handled`),
    ...facts.outbox
      .filter(({ delivered }) => !delivered)
      .map(({ workflowId, error }) => `work for ${workflowId} was never delivered (${error ?? 'no error'})`),
  ];
};

export const noEventUndelivered: Rule = (facts) => {
  const taken = new Set(ofKind(facts.log, 'event_taken').map(({ clientId, eventId }) => `${clientId} ${eventId}`));
  const asked = new Set(facts.deliveries.map(({ eventId }) => eventId));
  return [
    ...facts.deliveries
      .filter(({ state }) => state !== 'delivered')
      .map(({ eventId, state }) => `the delivery of event ${eventId} is ${state}`),
    ...facts.events
      .filter(({ clientId, id }) => asked.has(id) && !taken.has(`${clientId} ${id}`))
      .map(({ id }) => `the receiver never got event ${id}`),
  ];
};
