import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { GetDebtResult } from '../../api/client.ts';
import { formatCnpj, formatPhone, formatPlainDate } from '../../format.ts';
import { COMMON } from '../../texts/common.ts';
import { DEBT } from '../../texts/debt.ts';
import { inWrittenOrder } from '../../timeline/plain-text.ts';
import type { PlaceOfDebtor } from '../../timeline/zone.ts';
import { ButtonAnchor } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { HiddenCpf } from '../../ui/hidden-cpf.tsx';
import { Facts, Panel } from '../../ui/page.tsx';
import { isErased } from './changes.ts';
import styles from './debt.module.css';
import { daysOverdue } from './next-step.ts';

/** Phones or addresses in their order; where there are several, the one in use is named. */
function Several({ all, used }: { readonly all: readonly string[]; readonly used: string | null }) {
  if (all.length === 0) return COMMON.none;
  return (
    <ul className={styles['several']}>
      {all.map((one) => (
        <li key={one}>
          <bdi>{inWrittenOrder(one)}</bdi>
          {all.length > 1 && one === used && ` ${DEBT.inUse}`}
        </li>
      ))}
    </ul>
  );
}

/** The page that the staff name to a person who asks about their data; it opens with digits of the CPF. */
function RightsLinks({ url }: { readonly url: string }) {
  return (
    <div className={styles['buttons']}>
      <ButtonAnchor href={url} icon="external" small>
        {DEBT.openRights}
      </ButtonAnchor>
      <CopyButton text={url} label={DEBT.copyPage} />
    </div>
  );
}

/** Who owes what, and since when. */
export function PersonPanel({
  debt,
  place,
  campaignName,
  isTest,
}: {
  readonly debt: GetDebtResult;
  readonly place: PlaceOfDebtor;
  readonly campaignName: string | undefined;
  readonly isTest: boolean;
}) {
  const { debtorCpf, debtorCnpj, debtorPhones, debtorEmails, dueDate, invoiceId, consentAt, consentSource } = debt;
  const [today] = useState(() => new Intl.DateTimeFormat('sv-SE', { timeZone: place.zone }).format(new Date()));
  const days = daysOverdue(dueDate, today);
  // The clock of the simulator is ahead of the wall's, so a number of days would be wrong on one of the two.
  const since = isTest ? '' : ` (${days > 0 ? DEBT.overdue(days) : DEBT.notDue})`;
  const source = consentSource === null ? '' : `, ${inWrittenOrder(consentSource)}`;
  const facts: (readonly [name: string, value: ReactNode])[] = [[DEBT.due, `${formatPlainDate(dueDate)}${since}`]];
  if (isErased(debt)) facts.push([DEBT.person, DEBT.erased]);
  else {
    const phone = debt.debtorPhone === '' ? null : formatPhone(debt.debtorPhone);
    facts.push(
      debtorCpf === null
        ? [DEBT.cnpj, debtorCnpj === null ? COMMON.none : formatCnpj(debtorCnpj)]
        : [DEBT.cpf, <HiddenCpf key="cpf" cpf={debtorCpf} />],
      [DEBT.phones, <Several key="phones" all={debtorPhones.map(formatPhone)} used={phone} />],
      [DEBT.emails, <Several key="emails" all={debtorEmails} used={debt.debtorEmail} />],
    );
  }
  if (invoiceId !== null) facts.push([DEBT.invoice, <bdi key="invoice">{inWrittenOrder(invoiceId)}</bdi>]);
  facts.push([
    DEBT.campaign,
    <Link key="campaign" to={`/campanhas/${debt.campaignId}`}>
      {campaignName === undefined ? DEBT.openCampaign : inWrittenOrder(campaignName)}
    </Link>,
  ]);
  if (consentAt !== null) facts.push([DEBT.consent, `${formatPlainDate(consentAt)}${source}`]);
  if (debt.rightsUrl !== null) facts.push([DEBT.rights, <RightsLinks key="rights" url={debt.rightsUrl} />]);
  return (
    <Panel>
      <Facts items={facts} />
    </Panel>
  );
}
