import { useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import type { Account, Campaign, CampaignRehearsal } from '../../api/client.ts';
import type { Failed } from '../../api/problem.ts';
import { quita } from '../../api/quita.ts';
import { formatCount, formatMoney } from '../../format.ts';
import { useNeeds } from '../../shell/use-console.ts';
import { CHANNEL_LACK, NEED, REHEARSAL, WARNING } from '../../texts/rehearsal.ts';
import { CHANNEL, wordOf } from '../../texts/words.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { CancelButton, ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { useSubmit } from '../../ui/form.tsx';
import { Facts, Note } from '../../ui/page.tsx';
import styles from './rehearsal.module.css';
import { momentOf } from './result.tsx';
import { lackOf, summaryOf } from './summary.ts';

/** Warnings of the rehearsal that refuse a real launch and that the account does not name. */
const OF_CHANNELS: ReadonlySet<string> = new Set(['templates_missing', 'channel_not_ready']);

export function LaunchDialog({
  campaign: { id, name },
  rehearsal,
  amount,
  missing,
  isTest,
  isOnlyTest,
  onTest,
  onClose,
}: {
  readonly campaign: Campaign;
  readonly rehearsal: CampaignRehearsal;
  readonly amount: number;
  /** What the account lacks for a real launch. */
  readonly missing: Account['missing'];
  readonly isTest: boolean;
  /** Nothing can leave this deployment, or the campaign is an example. */
  readonly isOnlyTest: boolean;
  readonly onTest: () => void;
  readonly onClose: () => void;
}) {
  const lacking = useNeeds(missing);
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const launch = useSubmit(async () => {
    const mode = isTest ? 'true' : 'false';
    const { queued } = await quita.launchCampaign({ path: { id }, query: { sandbox: mode } }, { idempotencyKey: true });
    for (const topic of ['campaigns', 'dashboard', 'debts']) void queries.invalidateQueries({ queryKey: [topic] });
    void queries.invalidateQueries({ queryKey: ['statistics', id] });
    await queries.invalidateQueries({ queryKey: ['campaign', id] });
    announce(REHEARSAL.launched(queued));
    navigate(`/campanhas/${id}`);
  });
  const facts = (
    <Facts
      items={[
        [REHEARSAL.factPeople, formatCount(summaryOf(rehearsal).people)],
        [REHEARSAL.factDebts, formatCount(rehearsal.debts.total)],
        [REHEARSAL.factAmount, formatMoney(amount)],
        [REHEARSAL.factFirst, momentOf(rehearsal.firstAt)],
      ]}
    />
  );
  const channels = rehearsal.warnings.filter(({ code }) => OF_CHANNELS.has(code));
  const needs = isTest
    ? []
    : [...lacking.map((need) => NEED[need]), ...channels.map(({ code, debts }) => WARNING[code].title(debts))];
  if (needs.length > 0) {
    return (
      <Dialog key="needs" title={REHEARSAL.launchTitle(name)} onClose={onClose}>
        <div className={styles['body']}>
          <Needs needs={needs} />
          {facts}
          <p>{REHEARSAL.needsTest}</p>
        </div>
        <div className={styles['buttons']}>
          <CancelButton />
          <Button kind="primary" icon="test" onClick={onTest}>
            {REHEARSAL.launchTest}
          </Button>
        </div>
      </Dialog>
    );
  }
  const lacks = lacksOf(launch.failed);
  return (
    <ConfirmDialog
      key={isTest ? 'test' : 'real'}
      title={isTest ? REHEARSAL.launchTestTitle(name) : REHEARSAL.launchTitle(name)}
      action={isTest ? REHEARSAL.launchTest : REHEARSAL.launch}
      {...(!isTest && { typed: name })}
      busy={launch.busy}
      failed={launch.failed}
      onConfirm={() => void launch.run()}
      onClose={onClose}
    >
      {lacks.length > 0 && <Needs needs={lacks} />}
      {facts}
      <Note tone={isTest ? 'test' : 'warning'}>
        <p>{isTest ? REHEARSAL.testNote : REHEARSAL.realNote}</p>
        {isTest && !isOnlyTest && <p>{REHEARSAL.testForever}</p>}
      </Note>
    </ConfirmDialog>
  );
}

/** What the server said that the channels lack. */
const lacksOf = (failed: Failed | null): readonly string[] =>
  (failed?.problem?.missing ?? []).map(lackOf).map(({ channel, template, word, detail }) => {
    const parts = [wordOf(CHANNEL_LACK, word), template, detail].filter((part) => part !== null && part !== '');
    return `${wordOf(CHANNEL, channel)}: ${parts.join(', ')}`;
  });

const Needs = ({ needs }: { readonly needs: readonly string[] }) => (
  <Note tone="warning">
    <p className={styles['strong']}>{REHEARSAL.needs}</p>
    <ul className={styles['needs']}>
      {needs.map((need) => (
        <li key={need}>{need}</li>
      ))}
    </ul>
    <Link to="/conta" className={styles['link']}>
      {REHEARSAL.needsAction}
    </Link>
  </Note>
);
