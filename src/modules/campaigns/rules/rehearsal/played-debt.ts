import { type DebtStatus, isLive } from '../../../../kernel/debt-status.ts';
import type { LedgerSubject } from '../../../policy/rules/contact-ledger.ts';
import type { ContactQuestion, VerdictRule } from '../../../policy/rules/contact-question.ts';
import type { Channel } from '../../../policy/rules/policy-pack.ts';
import type { RehearsedDebt, RehearsedPhone } from './rehearsed-debt.ts';

/** What changes of a debt in the course of a rehearsal. */
export class PlayedDebt {
  readonly given: RehearsedDebt;
  readonly #clientId: string;
  /** The place among debts that wake up at the same moment. */
  order = Number.MAX_SAFE_INTEGER;
  status: DebtStatus;
  promisedDate: string | null;
  step: number;
  nextContactAt: number | null;
  lastEventAt: Date | null;
  remindedAt: number | null;
  /** A cap moved the contact that is planned. */
  isMovedByCap = false;
  contacts = 0;
  /** The rule that ended the debt, or for which it waits for a decision of the client. */
  endedBy: VerdictRule | null = null;
  #phone = 0;

  constructor(given: RehearsedDebt, clientId: string) {
    const { debt } = given.phones[0].question;
    this.given = given;
    this.#clientId = clientId;
    this.status = debt.status;
    this.promisedDate = debt.promisedDate;
    this.step = given.step;
    this.nextContactAt = given.nextContactAt;
    this.lastEventAt = given.lastEventAt;
    this.remindedAt = debt.reminders?.sentAt ?? null;
  }

  get isLive(): boolean {
    return isLive(this.status);
  }

  get phone(): RehearsedPhone {
    return this.given.phones[this.#phone] ?? this.given.phones[0];
  }

  get key(): LedgerSubject {
    const { personKey, debtId } = this.given;
    return { personKey, phoneKey: this.phone.phoneKey, clientId: this.#clientId, debtId };
  }

  question(now: number, channel: Channel = this.phone.question.channel): ContactQuestion {
    const { question } = this.phone;
    const { status, promisedDate, remindedAt: sentAt } = this;
    const { reminders: given = null } = question.debt;
    const reminders = given === null ? null : { ...given, sentAt };
    return { ...question, now, channel, debt: { ...question.debt, status, promisedDate, reminders } };
  }

  /** Lets the next phone take over that this client does not know to be wrong or silenced; false when none is left. */
  useNextPhone(): boolean {
    const behind = this.given.phones.findIndex(({ question: { suppressions } }, place) => {
      return place > this.#phone && !suppressions.wrongPerson && !suppressions.optedOut && !suppressions.phoneSilenced;
    });
    if (behind < 0) return false;
    this.#phone = behind;
    return true;
  }
}
