import { PACE, useLive } from '../../live/use-live.ts';
import { DEBTS } from '../../texts/debts.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Empty, PageHeader } from '../../ui/page.tsx';
import { DebtsTable } from '../debts-table/index.tsx';

export default function Debts() {
  useLive(PACE.still);
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
