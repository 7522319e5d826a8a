import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PaymentAccount } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatCount, formatDate } from '../../format.ts';
import { useConsole } from '../../shell/use-console.ts';
import { PAYMENT_ACCOUNTS } from '../../texts/payment-accounts.ts';
import type { Tone } from '../../texts/words.ts';
import { Button } from '../../ui/button.tsx';
import { Loaded, Note, Panel } from '../../ui/page.tsx';
import { Badge } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import styles from './account.module.css';
import { ConnectAccount } from './connect-account.tsx';

const TONE: Readonly<Record<PaymentAccount['state'], Tone>> = { ready: 'paid', failing: 'danger', replaced: 'ended' };

const COLUMNS: readonly Column<PaymentAccount>[] = [
  {
    key: 'account',
    label: PAYMENT_ACCOUNTS.account,
    cell: ({ profile, account }) => `${PAYMENT_ACCOUNTS.bankOf(profile)} · ${account}`,
  },
  {
    key: 'state',
    label: PAYMENT_ACCOUNTS.state,
    wide: true,
    cell: ({ state, reason }) => (
      <>
        <Badge tone={TONE[state]} label={PAYMENT_ACCOUNTS.states[state]} />
        {reason !== null && ` ${PAYMENT_ACCOUNTS.reasonOf(reason)}`}
      </>
    ),
  },
  {
    key: 'certificate',
    label: PAYMENT_ACCOUNTS.certificate,
    cell: ({ certificateExpiresAt }) => (certificateExpiresAt === null ? '–' : formatDate(certificateExpiresAt)),
  },
  { key: 'open', label: PAYMENT_ACCOUNTS.open, cell: ({ openCharges }) => formatCount(openCharges) },
];

/** The accounts to which the company's money goes. */
export function PaymentAccounts() {
  const [connecting, setConnecting] = useState(false);
  const facts = useConsole();
  const offered = facts.data?.paymentProviders ?? [];
  const query = useQuery({ queryKey: ['payment-accounts'], queryFn: () => quita.listPaymentAccounts() });
  return (
    <Panel title={PAYMENT_ACCOUNTS.title}>
      {offered.length === 0 ? (
        <Note tone="test">{PAYMENT_ACCOUNTS.sandbox}</Note>
      ) : (
        <>
          <p className={styles['muted']}>{PAYMENT_ACCOUNTS.lead}</p>
          <Loaded query={query}>
            {({ items }) =>
              items.length === 0 ? (
                <Note tone="warning">{PAYMENT_ACCOUNTS.none}</Note>
              ) : (
                <Table caption={PAYMENT_ACCOUNTS.title} columns={COLUMNS} rows={items} rowKey={({ id }) => id} />
              )
            }
          </Loaded>
          <div className={styles['buttons']}>
            <Button right="administer" icon="plus" onClick={() => setConnecting(true)}>
              {PAYMENT_ACCOUNTS.connect}
            </Button>
          </div>
          {connecting && <ConnectAccount offered={offered} onClose={() => setConnecting(false)} />}
        </>
      )}
    </Panel>
  );
}
