import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { Link, useParams } from 'wouter';
import { quita } from '../../api/quita.ts';
import { formatMoment, formatMoney } from '../../format.ts';
import { PACE, useLive } from '../../live/use-live.ts';
import { may } from '../../session/may.ts';
import { SIMULATOR } from '../../texts/simulator.ts';
import { PlainText } from '../../timeline/message-bubble.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Empty, Loaded, PageHeader } from '../../ui/page.tsx';
import { DebtStatusBadge } from '../../ui/status.tsx';
import { useFilters } from '../../use-filters.ts';
import { useSearchText } from '../../use-search-text.ts';
import { Phone } from './phone.tsx';
import styles from './simulator.module.css';

/** The mails to the company itself, where no mail server takes them. */
function Mails() {
  const mails = useQuery({
    queryKey: ['sandbox-mails'],
    queryFn: () => quita.listSandboxMails({ query: { limit: 20 } }),
    enabled: may('administer'),
  });
  const items = mails.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <details className={styles['mails']}>
      <summary>{SIMULATOR.mails}</summary>
      <p>{SIMULATOR.mailsText}</p>
      <ul>
        {items.map(({ id, to, text, at }) => (
          <li key={id}>
            <p>{SIMULATOR.mailTo(to, formatMoment(at))}</p>
            <PlainText text={text ?? SIMULATOR.mailHidden} />
          </li>
        ))}
      </ul>
    </details>
  );
}

export default function Simulator() {
  const { id } = useParams();
  useLive(PACE.simulator);
  return (
    <>
      <PageHeader title={SIMULATOR.title}>{SIMULATOR.lead}</PageHeader>
      <div className={classNames(styles['panes'], id !== undefined && styles['chosen'])}>
        <People chosen={id} />
        {id === undefined ? (
          <div className={styles['phonePane']}>
            <Empty icon="simulator" title={SIMULATOR.choose}>
              {SIMULATOR.chooseText}
            </Empty>
          </div>
        ) : (
          <Phone key={id} debtId={id} />
        )}
      </div>
      <Mails />
      <p className={styles['acts']}>{SIMULATOR.acts}</p>
    </>
  );
}

function People({ chosen }: { readonly chosen: string | undefined }) {
  const [{ campanha }, changeFilters] = useFilters(['campanha']);
  const [text, setText] = useSearchText();
  const q = useDeferredValue(text.trim());
  const campaigns = useQuery({
    queryKey: ['campaigns', 'simulator'],
    queryFn: () => quita.listCampaigns({ query: { limit: 100 } }),
  });
  const body = {
    sandbox: true,
    sort: '-createdAt',
    limit: 50,
    ...(q !== '' && { q }),
    ...(campanha !== '' && { campaignId: campanha }),
  } as const;
  const people = useQuery({ queryKey: ['debts', 'simulator', body], queryFn: () => quita.searchDebts({ body }) });
  const isFiltered = q !== '' || campanha !== '';
  const options = [
    { value: '', label: SIMULATOR.allCampaigns },
    ...(campaigns.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <section className={styles['people']} aria-label={SIMULATOR.people}>
      <SelectField
        label={SIMULATOR.campaign}
        options={options}
        value={campanha}
        onChange={(event) => changeFilters({ campanha: event.target.value })}
      />
      <TextField
        type="search"
        label={SIMULATOR.find}
        value={text}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
      />
      <Loaded query={people}>
        {({ items }) => {
          // Before the launch nobody has a phone to play with.
          const launched = items.filter(({ status }) => status !== 'IMPORTED');
          if (launched.length === 0 && isFiltered) return <p>{SIMULATOR.noneFound}</p>;
          if (launched.length === 0) {
            return (
              <Empty
                icon="simulator"
                title={SIMULATOR.noneTitle}
                action={
                  <ButtonLink to="/campanhas" kind="primary">
                    {SIMULATOR.noneAction}
                  </ButtonLink>
                }
              >
                {SIMULATOR.noneText}
              </Empty>
            );
          }
          return (
            <ul className={styles['list']}>
              {launched.map(({ id, debtorName, originalAmount, status }) => (
                <li key={id}>
                  <Link
                    to={`/simulador/${id}${campanha === '' ? '' : `?campanha=${campanha}`}`}
                    className={classNames(styles['person'], id === chosen && styles['here'])}
                    aria-current={id === chosen ? 'true' : undefined}
                  >
                    <strong>{debtorName}</strong>
                    <span>{formatMoney(originalAmount)}</span>
                    <DebtStatusBadge status={status} />
                  </Link>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </section>
  );
}
