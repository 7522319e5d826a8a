import { useQuery } from '@tanstack/react-query';
import type { Channel } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { may } from '../../session/may.ts';
import { useSandboxOnly } from '../../shell/use-dashboard.ts';
import { ACCOUNT } from '../../texts/account.ts';
import { CHANNEL, type Tone } from '../../texts/words.ts';
import { Loaded, Note, Panel } from '../../ui/page.tsx';
import { Badge } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { PaymentAccounts } from './payment-accounts.tsx';

const TONE: Readonly<Record<Channel['state'], Tone>> = {
  ready: 'paid',
  paused: 'waiting',
  failing: 'danger',
  not_connected: 'ended',
};

const COLUMNS: readonly Column<Channel>[] = [
  { key: 'channel', label: ACCOUNT.channel, cell: ({ channel }) => CHANNEL[channel] },
  {
    key: 'state',
    label: ACCOUNT.stateOf,
    cell: ({ state }) => <Badge tone={TONE[state]} label={ACCOUNT.channelState[state]} />,
  },
  { key: 'sender', label: ACCOUNT.sender, cell: ({ sender }) => sender ?? '–' },
  { key: 'detail', label: ACCOUNT.detail, wide: true, cell: ({ reason }) => reason ?? '–' },
];

/** Through what messages leave and money comes. */
export default function Channels() {
  const sandboxOnly = useSandboxOnly();
  const channels = useQuery({ queryKey: ['channels'], queryFn: () => quita.listChannels() });
  return (
    <>
      {may('manage') && <PaymentAccounts />}
      <Panel title={ACCOUNT.channelsTitle}>
        <Loaded query={channels}>
          {({ items }) =>
            items.length === 0 || sandboxOnly === true ? (
              <Note tone="test">{ACCOUNT.noChannels}</Note>
            ) : (
              <Table caption={ACCOUNT.channelsTitle} columns={COLUMNS} rows={items} rowKey={({ channel }) => channel} />
            )
          }
        </Loaded>
      </Panel>
    </>
  );
}
