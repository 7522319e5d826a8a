import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Channel, ChannelUsage } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatCount, formatDate, formatMoney } from '../../format.ts';
import { ACCOUNT } from '../../texts/account.ts';
import { USAGE } from '../../texts/channel-usage.ts';
import { CHANNELS as TEXT } from '../../texts/channels.ts';
import { CHANNEL, type Tone } from '../../texts/words.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { ProblemSummary, useSubmit } from '../../ui/form.tsx';
import { Facts, Loaded, Note } from '../../ui/page.tsx';
import { Badge } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import styles from './account.module.css';
import { ConnectChannel, DisconnectChannel, TestChannel } from './channel-dialogs.tsx';

/** What a number of WhatsApp has delivered this month, and what it costs. */
function Usage({ usage }: { readonly usage: ChannelUsage }) {
  const { month, messages, freeMessages, total } = usage;
  const { eachMonth, used, isEnding } = freeMessages;
  const shown = messages.filter(({ kind, free, paid }) => kind === 'service' || kind === 'utility' || free + paid > 0);
  return (
    <div className={styles['usage']}>
      <Table
        caption={USAGE.caption(month)}
        captionShown
        rows={shown}
        rowKey={({ kind }) => kind}
        columns={[
          { key: 'kind', label: USAGE.kind, cell: ({ kind }) => USAGE.kinds[kind] },
          { key: 'free', label: USAGE.free, numeric: true, cell: ({ free }) => formatCount(free) },
          { key: 'paid', label: USAGE.paid, numeric: true, cell: ({ paid }) => formatCount(paid) },
          {
            key: 'total',
            label: USAGE.cost,
            numeric: true,
            cell: ({ total: cost }) => (cost === null ? USAGE.unknown : formatMoney(cost)),
          },
        ]}
      />
      <p className={styles['muted']}>
        {eachMonth > 0 && `${USAGE.used(used, eachMonth)} `}
        {total === null ? USAGE.totalUnknown : USAGE.total(formatMoney(total))}
      </p>
      {isEnding && <Note tone="warning">{used < eachMonth ? USAGE.ending : USAGE.usedUp}</Note>}
    </div>
  );
}

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
        {({ state, reason, sender, connectedBy, quality, peoplePerDay, checkedAt, pixCodes, pixRefusal, usage }) => (
          <>
            <Facts
              items={[
                [TEXT.state, <Badge key="state" tone={TONE[state]} label={ACCOUNT.channelState[state]} />],
                ...(sender === null ? [] : [[TEXT.sender, sender] as const]),
                ...(reason === null || reason === 'payment_suspected' ? [] : [[TEXT.problem, reason] as const]),
                ...(quality === undefined ? [] : [[TEXT.quality, TEXT.qualities[quality]] as const]),
                ...(peoplePerDay === undefined ? [] : [[TEXT.limit, formatCount(peoplePerDay)] as const]),
                ...(checkedAt === undefined ? [] : [[TEXT.checked, formatDate(checkedAt)] as const]),
                ...(pixCodes === undefined ? [] : [[TEXT.pixCodes, TEXT.pixStates[pixCodes]] as const]),
              ]}
            />
            {pixCodes === 'refused' && <Note tone="warning">{TEXT.pixRefused(pixRefusal ?? '')}</Note>}
            {pixCodes === 'off' && <Note tone="info">{TEXT.pixHelp}</Note>}
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
              {pixCodes !== undefined && <PixSwitch channel={channel} isOn={pixCodes === 'on'} />}
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

/** Says whether messages of the sender may carry the Pix code. */
function PixSwitch({ channel, isOn }: Pick<Channel, 'channel'> & { readonly isOn: boolean }) {
  const queries = useQueryClient();
  const change = useSubmit(async () => {
    await quita.changeChannel({ path: { channel }, body: { pixCodes: !isOn } });
    await queries.invalidateQueries({ queryKey: ['channels', channel] });
    announce(isOn ? TEXT.pixTurnedOff : TEXT.pixTurnedOn);
  });
  return (
    <>
      <ProblemSummary failed={change.failed} />
      <Button right="administer" busy={change.busy} onClick={() => void change.run()}>
        {isOn ? TEXT.pixTurnOff : TEXT.pixTurnOn}
      </Button>
    </>
  );
}
