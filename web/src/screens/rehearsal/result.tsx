import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { CampaignRehearsal } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatCount, formatDay, formatFineMoney, formatMoney, formatPlainDate, formatTime } from '../../format.ts';
import { hasCharges, partsOf } from '../../texts/components.ts';
import { NEVER, REHEARSAL, WARNING } from '../../texts/rehearsal.ts';
import { CHANNEL, RULE, wordOf } from '../../texts/words.ts';
import { HeatTable } from '../../ui/charts/heat-table.tsx';
import { Figures, Note, Panel } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import styles from './rehearsal.module.css';
import { isOldList, summaryOf } from './summary.ts';

export const momentOf = (at: string | null): string =>
  at === null ? REHEARSAL.nobody : `${formatDay(at)} ${formatTime(at)}`;

const totalNote = (amount: number, owed: CampaignRehearsal['owed']): string =>
  hasCharges(owed)
    ? `${REHEARSAL.totalNote(amount)}; ${REHEARSAL.owedNote(owed.total)}: ${partsOf(owed)}`
    : REHEARSAL.totalNote(amount);

/** Without a policy of offers nothing is said about offers. */
function offeredItems(offered: CampaignRehearsal['offered']) {
  if (offered === null) return [];
  const { debts, owed, withBestDiscount } = offered;
  const note = debts === 0 ? REHEARSAL.offeredNone : REHEARSAL.offeredNote(owed, withBestDiscount);
  return [{ label: REHEARSAL.offered, value: REHEARSAL.debts(debts), note }];
}

export function Result({ rehearsal, amount }: { readonly rehearsal: CampaignRehearsal; readonly amount: number }) {
  const { firstAt, debts, contacts, warnings, onWhatsapp } = rehearsal;
  const reminders = contacts.reduce((sum, each) => sum + each.reminders, 0);
  const { people, messages, cost } = summaryOf(rehearsal);
  return (
    <>
      <Figures
        items={[
          {
            label: REHEARSAL.firstContact,
            value: momentOf(firstAt),
            note: firstAt === null ? REHEARSAL.nobodyNote : REHEARSAL.firstNote,
          },
          {
            label: REHEARSAL.contacted,
            value: formatCount(people),
            note: REHEARSAL.contactedNote(debts.contacted, messages),
          },
          { label: REHEARSAL.total, value: formatCount(debts.total), note: totalNote(amount, rehearsal.owed) },
          ...offeredItems(rehearsal.offered),
          {
            label: REHEARSAL.cost,
            value: cost === null ? REHEARSAL.costUnknown : formatMoney(cost),
            note:
              cost === null
                ? REHEARSAL.costUnknownNote
                : onWhatsapp?.total == null
                  ? REHEARSAL.costNote
                  : REHEARSAL.costOnWhatsapp(onWhatsapp.total),
          },
        ]}
      />
      {warnings.length > 0 && <Warnings warnings={warnings} />}
      <Panel title={REHEARSAL.when}>
        <HeatTable
          cells={contacts}
          method={REHEARSAL.whenMethod}
          {...(contacts.length === 0 && { sentence: REHEARSAL.heatEmpty })}
        />
        {reminders > 0 && <p className={styles['muted']}>{REHEARSAL.reminders(reminders)}</p>}
      </Panel>
      <Examples examples={rehearsal.examples} />
      <div className={styles['pair']}>
        <Often people={rehearsal.people} />
        <Never rehearsal={rehearsal} />
      </div>
      <Cost
        cost={rehearsal.cost}
        answers={onWhatsapp?.answers ?? rehearsal.cost.find(({ channel }) => channel === 'whatsapp')?.answers}
        version={rehearsal.prices.version}
      />
      <Rules />
    </>
  );
}

const Warnings = ({ warnings }: Pick<CampaignRehearsal, 'warnings'>) => (
  <Panel title={REHEARSAL.warnings}>
    {warnings.map(({ code, debts }) => {
      const { title, action, link } = WARNING[code];
      return (
        <Note key={code} tone={code === 'several_debts_of_one_person' || code === 'prescribed' ? 'info' : 'warning'}>
          <p className={styles['strong']}>{title(debts)}</p>
          <p>{action}</p>
          {link !== undefined && (
            <Link to={link.to} className={styles['link']}>
              {link.label}
            </Link>
          )}
        </Note>
      );
    })}
  </Panel>
);

function Examples({ examples }: Pick<CampaignRehearsal, 'examples'>) {
  if (examples.length === 0) return null;
  const seen = new Map<string, number>();
  return (
    <Panel title={REHEARSAL.examples}>
      <ul className={styles['examples']}>
        {examples.map(({ debtId, channel, purpose, text }) => {
          const kind = `${channel} ${purpose}`;
          const at = (seen.get(kind) ?? 0) + 1;
          seen.set(kind, at);
          const label = purpose === 'reminder' ? REHEARSAL.reminderOf : REHEARSAL.exampleOf;
          return (
            <li key={`${kind}-${debtId}`}>
              <p className={styles['muted']}>{label(CHANNEL[channel], at)}</p>
              <p className={styles['bubble']}>{text}</p>
            </li>
          );
        })}
      </ul>
      <p className={styles['muted']}>{REHEARSAL.exampleHint}</p>
    </Panel>
  );
}

const Often = ({ people }: Pick<CampaignRehearsal, 'people'>) => (
  <Panel title={REHEARSAL.often}>
    {people.contacts.length === 0 ? (
      <p>{REHEARSAL.heatEmpty}</p>
    ) : (
      <Table
        caption={REHEARSAL.oftenCaption}
        rows={people.contacts}
        rowKey={({ contacts }) => `${contacts}`}
        columns={[
          { key: 'contacts', label: REHEARSAL.oftenTimes, cell: ({ contacts }) => REHEARSAL.times(contacts) },
          { key: 'people', label: REHEARSAL.oftenPeople, numeric: true, cell: (one) => formatCount(one.people) },
        ]}
      />
    )}
    {people.movedByCap > 0 && <p className={styles['after']}>{REHEARSAL.moved(people.movedByCap)}</p>}
  </Panel>
);

function Never({ rehearsal: { never, debts } }: { readonly rehearsal: CampaignRehearsal }) {
  const rows = never.map(({ rule, debts: some }) => ({
    key: rule as string,
    rule: wordOf(RULE, rule),
    why: NEVER[rule],
    debts: some,
  }));
  if (debts.later > 0) rows.push({ key: 'later', rule: REHEARSAL.later, why: REHEARSAL.laterWhy, debts: debts.later });
  return (
    <Panel title={REHEARSAL.never}>
      {rows.length === 0 ? (
        <p>{debts.contacted === 0 ? REHEARSAL.heatEmpty : REHEARSAL.everybody}</p>
      ) : (
        <Table
          caption={REHEARSAL.neverCaption}
          rows={rows}
          rowKey={({ key }) => key}
          columns={[
            { key: 'rule', label: REHEARSAL.neverRule, cell: ({ rule }) => rule },
            { key: 'why', label: REHEARSAL.neverWhy, cell: ({ why }) => why },
            { key: 'debts', label: REHEARSAL.neverDebts, numeric: true, cell: (row) => formatCount(row.debts) },
          ]}
        />
      )}
    </Panel>
  );
}

interface CostProps {
  readonly cost: CampaignRehearsal['cost'];
  /** What the answers of people would cost; of a test as if it were sent by WhatsApp. */
  readonly answers: CampaignRehearsal['cost'][number]['answers'];
  readonly version: string;
}

const Cost = ({ cost, answers, version }: CostProps) => (
  <Panel title={REHEARSAL.costHeading}>
    <Table
      caption={REHEARSAL.costCaption}
      rows={cost}
      rowKey={({ channel }) => channel}
      columns={[
        { key: 'channel', label: REHEARSAL.channel, cell: ({ channel }) => CHANNEL[channel] },
        { key: 'messages', label: REHEARSAL.messages, numeric: true, cell: ({ messages }) => formatCount(messages) },
        {
          key: 'unit',
          label: REHEARSAL.unit,
          numeric: true,
          cell: ({ unit }) => (unit === null ? REHEARSAL.noPrice : formatFineMoney(unit)),
        },
        {
          key: 'sum',
          label: REHEARSAL.sum,
          numeric: true,
          cell: ({ total }) => (total === null ? REHEARSAL.noPrice : formatMoney(total)),
        },
      ]}
    />
    <p className={styles['after']}>
      {cost.some(({ unit }) => unit === null) && <span>{`${REHEARSAL.unknownPrice} `}</span>}
      {REHEARSAL.costMethod(formatPlainDate(version))}
      {isOldList(version, Date.now()) && <strong>{` ${REHEARSAL.oldList}`}</strong>}
    </p>
    {answers !== undefined && answers.unit !== null && (
      <p className={styles['after']}>
        {REHEARSAL.answers(answers.freeEachMonth, formatFineMoney(answers.unit))}{' '}
        {answers.messages === null || answers.total === null
          ? REHEARSAL.answersUnknown
          : REHEARSAL.answersEstimate(answers.messages, answers.free ?? 0, formatMoney(answers.total))}
      </p>
    )}
  </Panel>
);

function Rules() {
  const { data } = useQuery({ queryKey: ['policy'], queryFn: () => quita.getPolicy() });
  return (
    <Panel title={REHEARSAL.rules}>
      <p>{data === undefined ? '\u00a0' : REHEARSAL.pack(formatPlainDate(data.version))}</p>
      <p>
        {`${REHEARSAL.packNote} `}
        <Link to="/regras">{REHEARSAL.rulesLink}</Link>
      </p>
    </Panel>
  );
}
