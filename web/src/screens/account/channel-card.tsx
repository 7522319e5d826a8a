import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Channel } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatCount, formatDate } from '../../format.ts';
import { ACCOUNT } from '../../texts/account.ts';
import { USAGE } from '../../texts/channel-usage.ts';
import { CHANNELS as TEXT } from '../../texts/channels.ts';
import { CHANNEL, type Tone } from '../../texts/words.ts';
import { Button } from '../../ui/button.tsx';
import { Facts, Loaded, Note } from '../../ui/page.tsx';
import { Badge } from '../../ui/status.tsx';
import styles from './account.module.css';
import { ConnectChannel, DisconnectChannel, TestChannel } from './channel-dialogs.tsx';
import { Usage } from './channel-usage.tsx';

const TONE: Readonly<Record<Channel['state'], Tone>> = {
  ready: 'paid',
  paused: 'waiting',
  failing: 'danger',
  not_connected: 'ended',
};

/** One channel: what it tells of the sender, and what an owner may do with it. */
export function ChannelCard({ channel }: Pick<Channel, 'channel'>) {
  const [asking, ask] = useState<'connect' | 'test' | 'disconnect' | null>(null);
  const query = useQuery({ queryKey: ['channels', channel], queryFn: () => quita.getChannel({ path: { channel } }) });
  const name = CHANNEL[channel];
  const close = () => ask(null);
  return (
    <section className={styles['webhook']}>
      <h3>{name}</h3>
      <Loaded query={query}>
        {({ state, reason, sender, connectedBy, quality, peoplePerDay, checkedAt, usage }) => (
          <>
            <Facts
              items={[
                [TEXT.state, <Badge key="state" tone={TONE[state]} label={ACCOUNT.channelState[state]} />],
                ...(sender === null ? [] : [[TEXT.sender, sender] as const]),
                ...(reason === null || reason === 'payment_suspected' ? [] : [[TEXT.problem, reason] as const]),
                ...(quality === undefined ? [] : [[TEXT.quality, TEXT.qualities[quality]] as const]),
                ...(peoplePerDay === undefined ? [] : [[TEXT.limit, formatCount(peoplePerDay)] as const]),
                ...(checkedAt === undefined ? [] : [[TEXT.checked, formatDate(checkedAt)] as const]),
              ]}
            />
            {reason === 'payment_suspected' && <Note tone="warning">{USAGE.suspected}</Note>}
            {reason === 'suspended 131042' && <Note tone="warning">{USAGE.missing}</Note>}
            {usage !== undefined && <Usage usage={usage} />}
            {connectedBy === 'operator' && <Note tone="info">{TEXT.byOperator}</Note>}
            {connectedBy === 'nobody' && <Note tone="info">{TEXT.notUsed}</Note>}
            <div className={styles['buttons']}>
              {connectedBy === 'company' && (
                <Button right="administer" onClick={() => ask('connect')}>
                  {(state === 'not_connected' ? TEXT.connect : TEXT.reconnect)(name)}
                </Button>
              )}
              {state !== 'not_connected' && (
                <Button right="administer" onClick={() => ask('test')}>
                  {TEXT.test(name)}
                </Button>
              )}
              {connectedBy === 'company' && state !== 'not_connected' && (
                <Button right="administer" onClick={() => ask('disconnect')}>
                  {TEXT.disconnect(name)}
                </Button>
              )}
            </div>
          </>
        )}
      </Loaded>
      {asking === 'connect' && <ConnectChannel channel={channel} onClose={close} />}
      {asking === 'test' && <TestChannel channel={channel} onClose={close} />}
      {asking === 'disconnect' && <DisconnectChannel channel={channel} onClose={close} />}
    </section>
  );
}
