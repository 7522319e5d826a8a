import { PACE, useLive } from '../../live/use-live.ts';
import { useDashboard, useSandboxOnly } from '../../shell/use-dashboard.ts';
import { DEBTS } from '../../texts/debts.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Empty, PageHeader } from '../../ui/page.tsx';
import { DebtsTable } from '../debts-table/index.tsx';

export default function Debts() {
  const sandboxOnly = useSandboxOnly();
  const worlds = [useDashboard(sandboxOnly === false ? false : undefined), useDashboard(true)];
  const runs = worlds.some(
    ({ data }) => (data?.debts.byStatus.QUEUED ?? 0) + (data?.debts.byStatus.IN_COLLECTION ?? 0) > 0,
  );
  useLive(runs ? PACE.running : PACE.still);
  return (
    <>
      <PageHeader title={DEBTS.title}>{DEBTS.lead}</PageHeader>
      <DebtsTable
        nothingYet={
          <Empty
            icon="debts"
            title={DEBTS.emptyTitle}
            action={
              <ButtonLink to="/campanhas" kind="primary">
                {DEBTS.emptyAction}
              </ButtonLink>
            }
          >
            {DEBTS.emptyText}
          </Empty>
        }
      />
    </>
  );
}
