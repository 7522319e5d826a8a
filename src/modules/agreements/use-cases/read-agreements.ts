import type { LocalDate } from '../../../kernel/calendar.ts';
import { AppError } from '../../../kernel/errors.ts';
import { toReais } from '../../../kernel/money.ts';
import { type Page, pageOf } from '../../../platform/shared/cursor.ts';
import { isUuid } from '../../../platform/shared/is-uuid.ts';
import { type Author, byMember } from '../../accounts/rules/author.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import { debtorDay } from '../../debts/use-cases/owed.ts';
import type { SharedDeps } from '../../deps.ts';
import { type AgreementPayment, listAgreements, readAgreement, type StoredAgreement } from '../queries/agreements.ts';
import {
  type AgreementStatus,
  type InstalmentState,
  type InstalmentStatus,
  instalmentStates,
} from '../rules/agreement-state.ts';

type ReadDeps = Pick<SharedDeps, 'db' | 'now' | 'receiptLinks' | 'cursors'>;

/** An agreement as its client sees it, in reais. */
export interface AgreementView {
  readonly id: string;
  readonly protocol: string;
  readonly status: AgreementStatus;
  readonly debtIds: readonly string[];
  readonly debtorName: string;
  readonly total: number;
  readonly discount: number;
  readonly paid: number;
  readonly instalments: readonly {
    readonly number: number;
    readonly dueDate: LocalDate;
    readonly amount: number;
    readonly status: InstalmentStatus;
    readonly paidAt: string | null;
  }[];
  readonly acceptedAt: string;
  readonly acceptedBy: StoredAgreement['acceptedBy'];
  /** The member who recorded the acceptance. */
  readonly by?: Author;
  /** The member who cancelled it. */
  readonly cancelledBy?: Author;
  /** Why it sends nothing and is not broken until staff have decided. */
  readonly stoppedBecause: StoredAgreement['stoppedBecause'];
  readonly sandbox: boolean;
  /** Where the Termo de Acordo is. */
  readonly url: string;
}

/** The moment of an agreement by the clock of its debts. */
export const momentOfAgreement = ({ clockOffsetMs }: Pick<StoredAgreement, 'clockOffsetMs'>, realNow: number): number =>
  debtNow(clockOffsetMs, realNow);

/** The debtor's day of an agreement, by the same clock. */
export const dayOfAgreement = (
  agreement: Pick<StoredAgreement, 'debtorPhone' | 'clockOffsetMs'>,
  realNow: number,
): LocalDate => debtorDay(agreement, momentOfAgreement(agreement, realNow));

/** What the creditor still has of the money of an agreement. */
export const paidCentavos = ({ payments }: Pick<StoredAgreement, 'payments'>): number =>
  payments.reduce((sum, { amountCentavos }) => sum + amountCentavos, 0);

export const statesOf = (agreement: StoredAgreement, today: LocalDate): InstalmentState<AgreementPayment>[] =>
  instalmentStates(agreement, today);

export function agreementView(
  { now, receiptLinks }: Pick<ReadDeps, 'now' | 'receiptLinks'>,
  agreement: StoredAgreement,
): AgreementView {
  const today = dayOfAgreement(agreement, now().getTime());
  const { by: cancelledBy } = byMember(agreement.cancelledBy, agreement.cancelledByName);
  return {
    id: agreement.id,
    protocol: agreement.protocol,
    status: agreement.status,
    debtIds: agreement.debts.map(({ debtId }) => debtId),
    debtorName: agreement.debtorName,
    total: toReais(agreement.totalCentavos),
    discount: toReais(agreement.discountCentavos),
    paid: toReais(paidCentavos(agreement)),
    instalments: statesOf(agreement, today).map(({ number, dueDate, amountCentavos, status, paidBy }) => ({
      number,
      dueDate,
      amount: toReais(amountCentavos),
      status,
      paidAt: paidBy?.paidAt.toISOString() ?? null,
    })),
    acceptedAt: agreement.acceptedAt.toISOString(),
    acceptedBy: agreement.acceptedBy,
    ...(agreement.acceptedBy === 'staff' ? byMember(agreement.memberId, agreement.memberName) : {}),
    ...(cancelledBy && { cancelledBy }),
    // A completed agreement keeps it in case that its last payment was a mistake.
    stoppedBecause: agreement.status === 'ACTIVE' ? agreement.stoppedBecause : null,
    sandbox: agreement.sandbox,
    url: receiptLinks.downloadUrl(agreement.protocol),
  };
}

export const readAgreementOfClient =
  (deps: ReadDeps) =>
  async ({ clientId, agreementId }: { readonly clientId: string; readonly agreementId: string }) => {
    const agreement = await deps.db.tenant(clientId).transactional((tx) => readAgreement(tx, agreementId));
    if (agreement === undefined) throw new AppError('not_found');
    return agreementView(deps, agreement);
  };

export interface ListAgreements {
  readonly clientId: string;
  readonly status?: AgreementStatus | undefined;
  readonly campaignId?: string | undefined;
  readonly debtId?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

const position = ([at, id]: readonly unknown[]): { readonly at: string; readonly id: string } | null =>
  typeof at === 'string' && !Number.isNaN(Date.parse(at)) && isUuid(id) ? { at, id } : null;

/** Returns the agreements of a client, the newest first. */
export const listAgreementsOfClient =
  (deps: ReadDeps) =>
  async ({ clientId, status, campaignId, debtId, limit, cursor }: ListAgreements): Promise<Page<AgreementView>> => {
    const after = deps.cursors.read('agreements', clientId, cursor, position) ?? undefined;
    const rows = await deps.db
      .tenant(clientId)
      .transactional((tx) => listAgreements(tx, { clientId, status, campaignId, debtId, after, limit: limit + 1 }));
    return pageOf(
      rows,
      limit,
      (row) => agreementView(deps, row),
      ({ createdAt, id }) => deps.cursors.write('agreements', clientId, createdAt.toISOString(), id),
    );
  };
