import { Link } from 'wouter';
import type { AgreementFigures } from '../../api/client.ts';
import { formatCount, formatMoney } from '../../format.ts';
import { CHARTS } from '../../texts/charts.ts';
import { RECOVERY } from '../../texts/recovery-figures.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { agingBands } from '../../ui/charts/aging.ts';
import { AgingBars } from '../../ui/charts/aging-bars.tsx';
import { Facts, Panel } from '../../ui/page.tsx';
import styles from './recovery-figures.module.css';

interface AgreementsPanelProps {
  readonly agreements: AgreementFigures;
  /** Leads to the agreements of this campaign; without it to all of them. */
  readonly campaignId?: string;
}

/** What became of the agreements, and how old the debts of the open ones are. Nothing is shown before there is one. */
export function AgreementsPanel({ agreements, campaignId }: AgreementsPanelProps) {
  const { open, kept, broken, recovered, byAge } = agreements;
  if (open + kept + broken === 0) return null;
  const listOf = (status?: 'ACTIVE' | 'COMPLETED' | 'BROKEN'): string => {
    const filter = new URLSearchParams({
      ...(status !== undefined && { situacao: status }),
      ...(campaignId !== undefined && { campanha: campaignId }),
    });
    return filter.size === 0 ? '/acordos' : `/acordos?${filter}`;
  };
  const countOf = (count: number, status: 'ACTIVE' | 'COMPLETED' | 'BROKEN') =>
    count === 0 ? formatCount(count) : <Link to={listOf(status)}>{RECOVERY.agreementCount(count)}</Link>;
  return (
    <Panel title={RECOVERY.agreements} actions={<ButtonLink to={listOf()}>{RECOVERY.all}</ButtonLink>}>
      <div className={styles['parts']}>
        <Facts
          items={[
            [RECOVERY.open, countOf(open, 'ACTIVE')],
            [RECOVERY.kept, countOf(kept, 'COMPLETED')],
            [RECOVERY.broken, countOf(broken, 'BROKEN')],
            [RECOVERY.recovered, formatMoney(recovered)],
          ]}
        />
        <p className={styles['note']}>{RECOVERY.agreementsMethod}</p>
        {open > 0 && (
          <>
            <h3>{CHARTS.agreementAging.name}</h3>
            <AgingBars words={CHARTS.agreementAging} bands={agingBands(byAge)} method={RECOVERY.ageMethod} />
          </>
        )}
      </div>
    </Panel>
  );
}
