import { useQuery } from '@tanstack/react-query';
import { quita } from '../../api/quita.ts';
import { may } from '../../session/may.ts';
import { useSandboxOnly } from '../../shell/use-dashboard.ts';
import { ACCOUNT } from '../../texts/account.ts';
import { CHANNELS } from '../../texts/channels.ts';
import { Loaded, Note, Panel } from '../../ui/page.tsx';
import styles from './account.module.css';
import { ChannelCard } from './channel-card.tsx';
import { PaymentAccounts } from './payment-accounts.tsx';
import { Templates } from './templates.tsx';

/** Through what messages leave and money comes. */
export default function Channels() {
  const sandboxOnly = useSandboxOnly();
  const channels = useQuery({ queryKey: ['channels'], queryFn: () => quita.listChannels() });
  return (
    <>
      {may('manage') && <PaymentAccounts />}
      <Panel title={CHANNELS.title}>
        <Loaded query={channels}>
          {({ items }) =>
            items.length === 0 || sandboxOnly === true ? (
              <Note tone="test">{ACCOUNT.noChannels}</Note>
            ) : (
              <>
                <p className={styles['muted']}>{CHANNELS.lead}</p>
                {items.map(({ channel }) => (
                  <ChannelCard key={channel} channel={channel} />
                ))}
              </>
            )
          }
        </Loaded>
      </Panel>
      {sandboxOnly === false && <Templates />}
    </>
  );
}
