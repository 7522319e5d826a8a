import { useRef } from 'react';
import { SETTINGS } from '../../texts/campaign-settings.ts';
import { CHANNEL } from '../../texts/words.ts';
import { announce } from '../../ui/announce.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import styles from './settings.module.css';
import { CHANNELS, type RealChannel, withEarlier } from './settings-changes.ts';

/** The channels of the campaign in the order in which they are tried; none means all that are connected. */
export function ChannelsField({
  channels,
  isConnected,
  error,
  onChange,
}: {
  readonly channels: readonly RealChannel[];
  readonly isConnected: (channel: RealChannel) => boolean;
  readonly error: string | undefined;
  readonly onChange: (next: readonly RealChannel[]) => void;
}) {
  const field = useRef<HTMLFieldSetElement>(null);
  const nameOf = (channel: RealChannel): string =>
    isConnected(channel) ? CHANNEL[channel] : SETTINGS.notConnected(CHANNEL[channel]);
  /** The pressed button moves or goes away, so the focus moves to what holds the list, and the order is read. */
  const change = (next: readonly RealChannel[]): void => {
    onChange(next);
    announce(SETTINGS.channelOrder(next.map((channel) => CHANNEL[channel])), 'read');
    field.current?.focus();
  };
  return (
    <fieldset ref={field} className={styles['group']} tabIndex={-1}>
      <legend>{SETTINGS.channels}</legend>
      <p className={styles['lead']}>{channels.length === 0 ? SETTINGS.channelsAll : SETTINGS.channelsLead}</p>
      {channels.length > 0 && (
        <ol className={styles['channels']}>
          {channels.map((channel, at) => (
            <li key={channel}>
              <span>{`${at + 1}. ${nameOf(channel)}`}</span>
              {at > 0 && (
                <IconButton
                  icon="up"
                  label={SETTINGS.earlier(CHANNEL[channel])}
                  onClick={() => change(withEarlier(channels, at))}
                />
              )}
              <IconButton
                icon="trash"
                label={SETTINGS.without(CHANNEL[channel])}
                onClick={() => change(channels.filter((one) => one !== channel))}
              />
            </li>
          ))}
        </ol>
      )}
      {error !== undefined && <p className={styles['refused']}>{error}</p>}
      <div className={styles['stepButtons']}>
        {CHANNELS.filter((channel) => !channels.includes(channel)).map((channel) => (
          <Button key={channel} small icon="plus" onClick={() => change([...channels, channel])}>
            {nameOf(channel)}
          </Button>
        ))}
      </div>
    </fieldset>
  );
}
