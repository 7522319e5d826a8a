import { useQuery } from '@tanstack/react-query';
import { quita } from '../../api/quita.ts';
import { HOME } from '../../texts/home.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Panel } from '../../ui/page.tsx';
import styles from './home.module.css';

/** The most campaigns of examples that somebody makes before the first of their own. */
const LOOKED_AT = 20;

/** Whether the company has only campaigns of the example; undefined until that is known. */
export function useOnlyExamples(): boolean | undefined {
  const campaigns = useQuery({
    queryKey: ['campaigns', 'own'],
    queryFn: () => quita.listCampaigns({ query: { limit: LOOKED_AT } }),
  });
  if (campaigns.data === undefined) return campaigns.error === null ? undefined : false;
  const { items } = campaigns.data;
  return items.length > 0 && items.every(({ name, sandbox }) => sandbox === true && name.startsWith(HOME.exampleName));
}

/** What comes after the example, until the company has a campaign of its own. */
export const NextSheet = () => (
  <Panel title={HOME.nextTitle}>
    <p className={styles['muted']}>{HOME.nextText}</p>
    <div className={styles['choices']}>
      <ButtonLink to="/campanhas?criar=sim" kind="primary" icon="upload">
        {HOME.steps.sheet}
      </ButtonLink>
      <ButtonLink to="/simulador" icon="simulator">
        {HOME.steps.simulator}
      </ButtonLink>
      <ButtonLink to="/conta">{HOME.steps.companyAction}</ButtonLink>
    </div>
  </Panel>
);
