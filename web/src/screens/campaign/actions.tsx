import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import type { Campaign, GetCampaignStatisticsResult } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { showsDebts } from '../../live/stale.ts';
import { CAMPAIGN } from '../../texts/campaign.ts';
import { announce } from '../../ui/announce.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ProblemSummary, useSubmit } from '../../ui/form.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { Note } from '../../ui/page.tsx';
import styles from './campaign.module.css';
import { openDebts } from './open-debts.ts';

const Settings = lazy(() => import('./settings.tsx'));
const AddDebt = lazy(() => import('./add-debt.tsx'));
const Texts = lazy(() => import('./texts.tsx'));

type Asked = 'add' | 'archive' | 'empty' | 'settings' | 'texts';

interface ActionsProps {
  readonly campaign: Campaign;
  readonly statistics: GetCampaignStatisticsResult | undefined;
}

/** What can be done with a campaign in its status; the next step stands outside the menu. */
export function Actions({ campaign, statistics }: ActionsProps) {
  const { id, status } = campaign;
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [asking, ask] = useState<Asked | null>(null);
  const refresh = () => queries.invalidateQueries({ predicate: showsDebts });
  const pause = useSubmit(async () => {
    await quita.pauseCampaign({ path: { id } });
    announce(CAMPAIGN.paused);
    await refresh();
  });
  const resume = useSubmit(async () => {
    await quita.resumeCampaign({ path: { id } });
    announce(CAMPAIGN.resumed);
    await refresh();
  });
  const archive = useSubmit(async () => {
    await quita.archiveCampaign({ path: { id } });
    ask(null);
    announce(CAMPAIGN.archived);
    await refresh();
  });
  const empty = useSubmit(async () => {
    await quita.deleteDraftDebts({ path: { id } });
    const { debts } = await quita.getCampaignStatistics({ path: { id } });
    ask(null);
    announce(debts.total === 0 ? CAMPAIGN.emptied : CAMPAIGN.emptiedBut(debts.total));
    await refresh();
  });
  const total = statistics?.debts.total ?? 0;
  const isDraft = status === 'DRAFT';
  const takesDebts = isDraft || status === 'RUNNING' || status === 'PAUSED';
  const items: readonly MenuItem[] = [
    ...(takesDebts && !(isDraft && total === 0)
      ? [{ label: CAMPAIGN.importMore, onSelect: () => navigate(`/campanhas/${id}/importar`) }]
      : []),
    ...(takesDebts ? [{ label: CAMPAIGN.addDebt, onSelect: () => ask('add') }] : []),
    { label: CAMPAIGN.settings, onSelect: () => ask('settings') },
    ...(takesDebts ? [{ label: CAMPAIGN.texts, onSelect: () => ask('texts') }] : []),
    ...(isDraft && total > 0 ? [{ label: CAMPAIGN.empty, onSelect: () => ask('empty'), danger: true }] : []),
    ...(status === 'ARCHIVED' ? [] : [{ label: CAMPAIGN.archive, onSelect: () => ask('archive'), danger: true }]),
  ];
  const close = (): void => ask(null);
  return (
    <>
      <ProblemSummary failed={pause.failed ?? resume.failed} />
      <div className={styles['actions']}>
        {isDraft && total > 0 && (
          <ButtonLink to={`/campanhas/${id}/ensaio`} kind="primary" icon="play">
            {CAMPAIGN.rehearse}
          </ButtonLink>
        )}
        {isDraft && statistics !== undefined && total === 0 && (
          <ButtonLink to={`/campanhas/${id}/importar`} kind="primary" icon="upload">
            {CAMPAIGN.importFirst}
          </ButtonLink>
        )}
        {status === 'RUNNING' && (
          <Button icon="pause" busy={pause.busy} onClick={() => void pause.run()}>
            {CAMPAIGN.pause}
          </Button>
        )}
        {status === 'PAUSED' && (
          <Button kind="primary" icon="play" busy={resume.busy} onClick={() => void resume.run()}>
            {CAMPAIGN.resume}
          </Button>
        )}
        <Menu items={items} />
      </div>
      {asking === 'archive' && (
        <ConfirmDialog
          title={CAMPAIGN.archiveTitle}
          action={CAMPAIGN.archive}
          danger
          busy={archive.busy}
          failed={archive.failed}
          onConfirm={() => void archive.run()}
          onClose={close}
        >
          {(statistics?.debts.byStatus.AGREEMENT ?? 0) > 0 && (
            <Note tone="warning">{CAMPAIGN.archiveAgreements(statistics?.debts.byStatus.AGREEMENT ?? 0)}</Note>
          )}
          <p>{CAMPAIGN.archiveText(statistics === undefined ? 0 : openDebts(statistics.debts.byStatus))}</p>
        </ConfirmDialog>
      )}
      {asking === 'empty' && (
        <ConfirmDialog
          title={CAMPAIGN.empty}
          action={CAMPAIGN.empty}
          danger
          busy={empty.busy}
          failed={empty.failed}
          onConfirm={() => void empty.run()}
          onClose={close}
        >
          <p>{CAMPAIGN.emptyText(total)}</p>
        </ConfirmDialog>
      )}
      <Suspense fallback={null}>
        {asking === 'add' && <AddDebt campaign={campaign} onClose={close} />}
        {asking === 'settings' && <Settings campaign={campaign} onClose={close} />}
        {asking === 'texts' && <Texts campaign={campaign} onClose={close} />}
      </Suspense>
    </>
  );
}
