import { useQuery } from '@tanstack/react-query';
import { quita } from '../../api/quita.ts';
import { HOME } from '../../texts/home.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ProblemSummary } from '../../ui/form.tsx';
import { PageHeader } from '../../ui/page.tsx';
import { Badge } from '../../ui/status.tsx';
import { useExample } from '../../use-example.ts';
import styles from './home.module.css';

/** The way from an empty account to a paid debt and its receipt. */
export function FirstRun() {
  const example = useExample();
  const account = useQuery({ queryKey: ['account'], queryFn: () => quita.readAccount() }).data;
  const isComplete = account !== undefined && account.cnpj !== null && account.address !== null;
  const { steps } = HOME;
  return (
    <>
      <PageHeader title={HOME.firstTitle}>{HOME.firstLead}</PageHeader>
      <ProblemSummary failed={example.failed} />
      <ol className={styles['steps']}>
        <li>
          <h2>{steps.company}</h2>
          <p>{steps.companyText}</p>
          {isComplete ? (
            <Badge tone="paid" label={steps.companyDone} />
          ) : (
            <ButtonLink to="/conta">{steps.companyAction}</ButtonLink>
          )}
        </li>
        <li>
          <h2>{steps.debts}</h2>
          <p>{steps.debtsText}</p>
          <div className={styles['choices']}>
            <Button kind="primary" icon="test" busy={example.busy} onClick={() => void example.run()}>
              {steps.example}
            </Button>
            <ButtonLink to="/campanhas?criar=sim" icon="upload">
              {steps.sheet}
            </ButtonLink>
          </div>
        </li>
        <li>
          <h2>{steps.rehearsal}</h2>
          <p>{steps.rehearsalText}</p>
        </li>
        <li>
          <h2>{steps.simulator}</h2>
          <p>{steps.simulatorText}</p>
        </li>
      </ol>
    </>
  );
}
