import { randomUUID } from 'node:crypto';
import { type Mailer, MailerError } from '../../../kernel/ports/mailer.ts';
import { formsOfMail } from '../../../platform/mail/email.ts';
import { pageOfPerson, rightsUrl } from '../../debts/use-cases/rights-link.ts';
import type { SharedDeps } from '../../deps.ts';
import { keepSentTexts } from '../../genuine/use-cases/keep-sent-texts.ts';
import {
  bookRightsMail,
  CLIENTS_TO_REMIND,
  DUE_RIGHTS_MAILS,
  emailOfOtherDebt,
  freeRightsMail,
  type MailKind,
  remindOfRights,
} from '../queries/rights-mails.ts';
import { rightsEmail } from '../texts/rights-email.ts';

/** The mails of one run; the next run goes on. */
const MAX_MAILS = 200;

export interface RightsMailDeps extends Pick<SharedDeps, 'db' | 'now' | 'publicUrl' | 'textHashes'> {
  /** Null where e-mail is off. */
  readonly mailerOf: (debts: { readonly sandbox: boolean }) => Mailer | null;
}

/** Mails to persons that a request has come or was answered, and has the staff told again of what is due soon. */
export const mailRights =
  (deps: RightsMailDeps) =>
  async (onProgress: () => void): Promise<void> => {
    for (const { clientId } of await deps.db.readPrepared({}, CLIENTS_TO_REMIND, {})) {
      await deps.db.tenant(clientId).transactional((tx) => remindOfRights(tx, clientId));
    }
    for (const due of await deps.db.readPrepared({}, DUE_RIGHTS_MAILS, { limit: MAX_MAILS })) {
      onProgress();
      await mail(deps, due);
    }
  };

interface DueMail {
  readonly id: string;
  readonly clientId: string;
  readonly mail: MailKind;
}

/** A mail is booked before it is sent. One that cannot be sent, because no address is known, counts as booked too. */
async function mail(deps: RightsMailDeps, { id, clientId, mail: kind }: DueMail): Promise<void> {
  const db = deps.db.tenant(clientId);
  const booked = await db.transactional(async (tx) => {
    const found = await bookRightsMail(tx, id, kind);
    if (found === undefined || found.erasedAt !== null || found.wrongPersonAt !== null) return null;
    const mailer = deps.mailerOf(found);
    const to = found.debtorEmail ?? (await emailOfOtherDebt(tx, found));
    if (mailer === null || to === null) return null;
    const { publicUrl } = deps;
    const { creditorName, protocol, dueAt, debtorTaxId, sandbox, debtId } = found;
    const pageId = await pageOfPerson(tx, { clientId, debtorTaxId, sandbox, erased: false });
    const url = rightsUrl(publicUrl, pageId ?? '');
    const email = rightsEmail({ kind, creditorName, protocol, dueAt, url, publicUrl, sandbox });
    await keepSentTexts(tx, deps, { clientId, sandbox, texts: formsOfMail(email) });
    return { mailer, email, to, debtId };
  });
  if (booked === null) return;
  const { mailer, email, to, debtId } = booked;
  const context = { clientId, debtId, purpose: 'rights', at: deps.now() };
  try {
    await mailer.send({ id: randomUUID(), to, ...email, context });
  } catch (error) {
    if (!(error instanceof MailerError)) throw error;
    if (error.kind === 'unknown_outcome' || error.kind === 'rejected') return;
    await db.transactional((tx) => freeRightsMail(tx, id, kind));
  }
}
