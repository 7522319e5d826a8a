import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import type { GetDebtResult } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatCnpj, formatMoment, formatMoney, formatPhone, formatPlainDate } from '../../format.ts';
import { PACE, useLive } from '../../live/use-live.ts';
import { COMMON } from '../../texts/common.ts';
import { DEBT } from '../../texts/debt.ts';
import { TIMELINE } from '../../texts/timeline.ts';
import { inWrittenOrder } from '../../timeline/plain-text.ts';
import { placeOfPhone } from '../../timeline/zone.ts';
import { announce } from '../../ui/announce.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ProblemSummary, useSubmit } from '../../ui/form.tsx';
import { HiddenCpf } from '../../ui/hidden-cpf.tsx';
import { Facts, Loaded, Note, PageHeader, Panel } from '../../ui/page.tsx';
import { DebtStatusBadge, TestBadge } from '../../ui/status.tsx';
import { type Asked, DecisionDialog } from '../inbox/dialogs.tsx';
import { CorrectDialog } from './correct-dialog.tsx';
import styles from './debt.module.css';
import { History } from './history.tsx';
import { daysOverdue, nextStep } from './next-step.ts';
import { PaymentPanel } from './payment-panel.tsx';

const WAITS: ReadonlySet<GetDebtResult['status']> = new Set(['ON_HOLD', 'DISPUTED']);
const OVER: ReadonlySet<GetDebtResult['status']> = new Set(['PAID', 'STOPPED']);

export default function DebtScreen() {
  const { id = '' } = useParams();
  useLive(PACE.running);
  const query = useQuery({ queryKey: ['debt', id], queryFn: () => quita.getDebt({ path: { id } }) });
  return <Loaded query={query}>{(debt) => <Shown key={debt.id} debt={debt} />}</Loaded>;
}

function Shown({ debt }: { readonly debt: GetDebtResult }) {
  const campaign = useQuery({
    queryKey: ['campaign', debt.campaignId],
    queryFn: () => quita.getCampaign({ path: { id: debt.campaignId } }),
  }).data;
  const isTest = campaign?.sandbox === true;
  const place = placeOfPhone(debt.debtorPhone);
  const shownPlace = isTest ? { ...place, place: `${place.place} · ${TIMELINE.simulatedClock}` } : place;
  return (
    <>
      <PageHeader
        title={inWrittenOrder(debt.debtorName)}
        badges={
          <>
            <DebtStatusBadge status={debt.status} />
            {isTest && <TestBadge />}
          </>
        }
      >
        <p className={styles['amount']}>{formatMoney(debt.originalAmount)}</p>
      </PageHeader>
      <div className={styles['columns']}>
        <div>
          <History debt={debt} place={shownPlace} />
        </div>
        <div>
          <Next debt={debt} zone={place.zone} isTest={isTest} />
          <PaymentPanel debt={debt} zone={place.zone} />
          <Panel>
            <Person debt={debt} campaignName={campaign?.name} />
          </Panel>
          <Score debt={debt} />
        </div>
      </div>
    </>
  );
}

function Next({
  debt,
  zone,
  isTest,
}: {
  readonly debt: GetDebtResult;
  readonly zone: string;
  readonly isTest: boolean;
}) {
  const queries = useQueryClient();
  const [asked, ask] = useState<Asked | 'correct' | null>(null);
  const eligibility = useQuery({
    queryKey: ['debt', debt.id, 'eligibility', debt.status],
    queryFn: () => quita.getContactEligibility({ path: { id: debt.id } }),
    enabled: !OVER.has(debt.status) && debt.status !== 'IMPORTED',
  }).data;
  const refresh = () => queries.invalidateQueries({ queryKey: ['debt', debt.id] });
  const resume = useSubmit(async () => {
    await quita.resumeDebt({ path: { id: debt.id } });
    announce(DEBT.resumed);
    await refresh();
  });
  return (
    <Panel title={DEBT.next}>
      {debt.staffAnswersUntil !== null && <Note>{DEBT.staffUntil(formatMoment(debt.staffAnswersUntil, zone))}</Note>}
      <p>{nextStep(debt.status, eligibility, zone)}</p>
      <p>
        <Link to="/regras">{DEBT.rules}</Link>
      </p>
      <ProblemSummary failed={resume.failed} />
      <div className={styles['buttons']}>
        {WAITS.has(debt.status) && (
          <Button kind="primary" icon="play" busy={resume.busy} onClick={() => void resume.run()}>
            {DEBT.resume}
          </Button>
        )}
        <ButtonLink to={`/atendimento/${debt.id}`} icon="chat">
          {DEBT.answer}
        </ButtonLink>
        {isTest && (
          <ButtonLink to={`/simulador/${debt.id}`} icon="simulator">
            {DEBT.simulator}
          </ButtonLink>
        )}
        <Button icon="note" onClick={() => ask('note')}>
          {DEBT.note}
        </Button>
        {!OVER.has(debt.status) && (
          <>
            <Button icon="money" onClick={() => ask('settle')}>
              {DEBT.settle}
            </Button>
            <Button icon="note" onClick={() => ask('correct')}>
              {DEBT.correct}
            </Button>
            <Button kind="danger" icon="stop" onClick={() => ask('withdraw')}>
              {DEBT.withdraw}
            </Button>
          </>
        )}
      </div>
      {asked === 'correct' && <CorrectDialog debt={debt} onClose={() => ask(null)} />}
      {asked !== null && asked !== 'correct' && (
        <DecisionDialog
          asked={asked}
          debt={debt}
          onClose={() => ask(null)}
          onDone={async ({ said }) => {
            ask(null);
            announce(said);
            await refresh();
          }}
        />
      )}
    </Panel>
  );
}

function Person({ debt, campaignName }: { readonly debt: GetDebtResult; readonly campaignName: string | undefined }) {
  const { debtorCpf, debtorCnpj, debtorPhones, debtorEmails, dueDate, invoiceId, consentAt, consentSource } = debt;
  const [today] = useState(() => new Date().toISOString().slice(0, 10));
  const days = daysOverdue(dueDate, today);
  return (
    <Facts
      items={[
        [DEBT.due, `${formatPlainDate(dueDate)} (${days > 0 ? DEBT.overdue(days) : DEBT.notDue})`],
        debtorCpf === null
          ? [DEBT.cnpj, debtorCnpj === null ? COMMON.none : formatCnpj(debtorCnpj)]
          : [DEBT.cpf, <HiddenCpf key={debt.id} cpf={debtorCpf} />],
        [DEBT.phones, debtorPhones.map(formatPhone).join(', ') || COMMON.none],
        [DEBT.emails, debtorEmails.join(', ') || COMMON.none],
        ...(invoiceId === null ? [] : ([[DEBT.invoice, <bdi key="invoice">{invoiceId}</bdi>]] as const)),
        [
          DEBT.campaign,
          <Link key="campaign" to={`/campanhas/${debt.campaignId}`}>
            {campaignName ?? DEBT.openCampaign}
          </Link>,
        ],
        ...(consentAt === null
          ? []
          : ([[DEBT.consent, DEBT.consentOf(formatPlainDate(consentAt), consentSource ?? '')]] as const)),
      ]}
    />
  );
}

function Score({ debt: { score, scoreReasons } }: { readonly debt: GetDebtResult }) {
  if (score === null) return <Panel>{DEBT.noScore}</Panel>;
  return (
    <Panel title={DEBT.score(score)}>
      <p className={styles['muted']}>{DEBT.scoreText}</p>
      <ul className={styles['score']}>
        {(scoreReasons ?? []).map(({ code, points, text }) => (
          <li key={code}>
            <strong>{DEBT.points(points)}</strong>
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
