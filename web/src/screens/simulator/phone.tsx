import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { Link } from 'wouter';
import type { GetDebtResult, ListSandboxOutboxResult, MoveSandboxClockBody } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatDate, formatDay, formatMoment, formatMoney, formatTime } from '../../format.ts';
import { may } from '../../session/may.ts';
import { SIMULATOR } from '../../texts/simulator.ts';
import { entriesOf, isMessage, type MessageEntry } from '../../timeline/entries.ts';
import { PlainText } from '../../timeline/message-bubble.tsx';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy.tsx';
import { TextAreaField } from '../../ui/field.tsx';
import { ProblemSummary, textOf, useSubmit } from '../../ui/form.tsx';
import { Loaded } from '../../ui/page.tsx';
import { DebtStatusBadge } from '../../ui/status.tsx';
import styles from './simulator.module.css';

type Command = MoveSandboxClockBody['command'];

/** Gives time to read and to answer: the simulated days of a campaign stand still, or pass one by one. */
function Clock({ campaignId }: { readonly campaignId: string }) {
  const queryKey = ['sandbox-clock', campaignId];
  const clock = useQuery({ queryKey, queryFn: () => quita.getSandboxClock({ path: { campaignId } }) });
  const isHeld = clock.data?.state === 'held';
  return (
    <fieldset className={styles['quick']}>
      <legend>{SIMULATOR.clockOf}</legend>
      <p>{isHeld ? SIMULATOR.held : SIMULATOR.running}</p>
      <Move campaignId={campaignId} command={isHeld ? 'release' : 'hold'} />
      <Move campaignId={campaignId} command="passDay" />
    </fieldset>
  );
}

function Move({ campaignId, command }: { readonly campaignId: string; readonly command: Command }) {
  const queries = useQueryClient();
  const move = useSubmit(async () => {
    await quita.moveSandboxClock({ path: { campaignId }, body: { command } }, { idempotencyKey: true });
    announce(SIMULATOR.moved[command]);
    await queries.invalidateQueries({ queryKey: ['sandbox-clock', campaignId] });
  });
  return (
    <>
      <Button right="manage" small busy={move.busy} onClick={() => void move.run()}>
        {SIMULATOR[command]}
      </Button>
      <ProblemSummary failed={move.failed} />
    </>
  );
}

const EVERY_MS = 1_000;

/** The phone and the bank of one simulated debtor. */
export function Phone({ debtId }: { readonly debtId: string }) {
  const debt = useQuery({
    queryKey: ['debt', debtId],
    queryFn: () => quita.getDebt({ path: { id: debtId } }),
    refetchInterval: EVERY_MS,
  });
  const outbox = useQuery({
    queryKey: ['outbox', debtId],
    queryFn: () => quita.listSandboxOutbox({ query: { debtId, limit: 100, include: 'steps' } }),
    refetchInterval: EVERY_MS,
  });
  return (
    <section className={styles['phonePane']} aria-label={SIMULATOR.title}>
      <Link to="/simulador" className={styles['back']}>
        {SIMULATOR.back}
      </Link>
      <Loaded query={debt} lines={8}>
        {(data) => <Open debt={data} sent={outbox.data?.items ?? []} />}
      </Loaded>
    </section>
  );
}

/** What came with a message: found by the moment of the message. */
type Sent = ListSandboxOutboxResult['items'][number];

function Open({ debt, sent }: { readonly debt: GetDebtResult; readonly sent: readonly Sent[] }) {
  const { id, campaignId, debtorName, originalAmount, status, timeline, clock } = debt;
  const messages = useMemo(() => entriesOf(timeline).filter(isMessage), [timeline]);
  return (
    <>
      <header className={styles['phoneHead']}>
        <h2>{SIMULATOR.phoneOf(debtorName)}</h2>
        <DebtStatusBadge status={status} />
        {clock !== null && <p className={styles['clock']}>{SIMULATOR.clock(formatMoment(clock))}</p>}
      </header>
      <Clock campaignId={campaignId} />
      <Chat messages={messages} sent={sent} />
      {may('work') && <Answer debtId={id} />}
      <Bank debtId={id} amount={originalAmount} isPaid={status === 'PAID'} />
    </>
  );
}

function Chat({ messages, sent }: { readonly messages: readonly MessageEntry[]; readonly sent: readonly Sent[] }) {
  const list = useRef<HTMLOListElement>(null);
  const count = messages.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: The newest message is shown when one has come.
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [count]);
  if (count === 0) return <p className={styles['waiting']}>{SIMULATOR.waiting}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: Without it the keyboard could not scroll the chat.
    <ol ref={list} className={styles['chat']} tabIndex={0}>
      {messages.flatMap(({ key, at, kind, text }, index) => [
        // The simulated clock passes over days in seconds, so each new day is named.
        (index === 0 || formatDate(at) !== formatDate(messages[index - 1]!.at)) && (
          <li key={`${key}-day`} className={styles['day']}>
            {formatDay(at)}
          </li>
        ),
        <li key={key} className={classNames(styles['bubble'], kind === 'message_received' && styles['mine'])}>
          <PlainText text={text ?? ''} />
          {kind === 'message_sent' && sent.filter((one) => one.at === at).map((one) => <Below key={one.id} {...one} />)}
          <time dateTime={at}>{formatTime(at)}</time>
        </li>,
      ])}
    </ol>
  );
}

/** What stands below the text of a message: its document, the code to copy, and how far it is to the payment. */
function Below({ document, pixCode = null, stepsToPay = null }: Sent) {
  return (
    <>
      {document !== null && (
        <a href={document.url} target="_blank" rel="noreferrer">
          {SIMULATOR.document(document.filename)}
        </a>
      )}
      {pixCode !== null && <CopyButton text={pixCode} label={SIMULATOR.copyPix} />}
      {stepsToPay !== null && <small className={styles['steps']}>{SIMULATOR.steps(stepsToPay)}</small>}
    </>
  );
}

function Answer({ debtId }: { readonly debtId: string }) {
  const queries = useQueryClient();
  const field = useRef<HTMLFormElement>(null);
  const send = async (text: string): Promise<void> => {
    await quita.sendSandboxMessage({ path: { debtId }, body: { text } }, { idempotencyKey: true });
    announce(SIMULATOR.sent);
    await queries.invalidateQueries({ queryKey: ['debt', debtId] });
  };
  const submit = useSubmit(async (form) => {
    await send(textOf(form, 'text'));
    field.current?.reset();
  });
  return (
    <>
      <ProblemSummary failed={submit.failed} />
      <fieldset className={styles['quick']}>
        <legend>{SIMULATOR.quick}</legend>
        {SIMULATOR.replies.map(({ key, label, text }) => (
          <Button key={key} small title={text} onClick={() => void send(text)}>
            {label}
          </Button>
        ))}
      </fieldset>
      <form ref={field} className={styles['write']} onSubmit={submit.onSubmit}>
        <TextAreaField
          label={SIMULATOR.write}
          name="text"
          rows={2}
          maxLength={4096}
          required
          error={submit.errorAt('/text')}
        />
        <Button type="submit" icon="send" busy={submit.busy}>
          {SIMULATOR.send}
        </Button>
      </form>
    </>
  );
}

function Bank({
  debtId,
  amount,
  isPaid,
}: {
  readonly debtId: string;
  readonly amount: number;
  readonly isPaid: boolean;
}) {
  const pay = useSubmit(async () => {
    await quita.payInSandbox({ path: { debtId } }, { idempotencyKey: true });
    announce(SIMULATOR.paid);
  });
  return (
    <div className={styles['bank']}>
      <h3>{SIMULATOR.bank}</h3>
      <ProblemSummary failed={pay.failed} />
      <div className={styles['bankButtons']}>
        <Button
          right="work"
          kind="primary"
          icon="money"
          busy={pay.busy}
          disabledBecause={isPaid ? SIMULATOR.alreadyPaid : undefined}
          onClick={() => void pay.run()}
        >
          {`${SIMULATOR.pay} · ${formatMoney(amount)}`}
        </Button>
        <a href={`/checkout/${debtId}`} target="_blank" rel="noreferrer">
          {SIMULATOR.page}
        </a>
        <Link to={`/dividas/${debtId}`}>{SIMULATOR.details}</Link>
      </div>
    </div>
  );
}
