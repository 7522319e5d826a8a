import { formatTime } from '../format.ts';
import { TIMELINE } from '../texts/timeline.ts';
import { CHANNEL, DELIVERY, INTENT, wordOf } from '../texts/words.ts';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/icon.tsx';
import { AttachmentLine } from './attachment-line.tsx';
import type { MessageEntry } from './entries.ts';
import { partsOf } from './plain-text.ts';
import styles from './timeline.module.css';

/** A text as its writer wrote it: nothing in it is markup, and only addresses of this service can be followed. */
export function PlainText({ text }: { readonly text: string }) {
  return (
    <p className={styles['text']} dir="auto">
      {partsOf(text, location.origin).map(({ text: part, href }, index) =>
        href === null ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: The parts of one text never change.
          <a key={index} href={href} target="_blank" rel="noreferrer">
            {part}
          </a>
        ),
      )}
    </p>
  );
}

const hasFailed = ({ delivery, refusedBy }: MessageEntry): boolean => delivery === 'failed' || refusedBy !== null;

/** One message: who wrote it, when at the debtor's place, by which channel, and what became of it. */
export function MessageBubble({
  entry,
  debtId,
  zone,
}: {
  readonly entry: MessageEntry;
  readonly debtId: string;
  readonly zone: string;
}) {
  const { from, at, channel, purpose, text, delivery, intent, cutFrom, textVersion, attachments, refusedBy } = entry;
  const facts = [
    channel === null ? '' : wordOf(CHANNEL, channel),
    from === 'debtor' || purpose === null ? '' : wordOf(TIMELINE.purpose, purpose),
    textVersion === null ? '' : TIMELINE.ownWording(textVersion),
    delivery === null ? '' : wordOf(DELIVERY, delivery),
    intent === null ? '' : TIMELINE.understood(wordOf(INTENT, intent)),
  ].filter((fact) => fact !== '');
  return (
    <div className={classNames(styles['bubble'], styles[from], hasFailed(entry) && styles['failed'])}>
      <p className={styles['head']}>
        <strong>{TIMELINE[from]}</strong>
        <time dateTime={at}>{formatTime(at, zone)}</time>
      </p>
      {text === null || text === '' ? (
        attachments.length === 0 && <p className={styles['quiet']}>{text === '' ? TIMELINE.erased : TIMELINE.noText}</p>
      ) : (
        <PlainText text={text} />
      )}
      {cutFrom !== null && <p className={styles['quiet']}>{TIMELINE.cutFrom(cutFrom)}</p>}
      {attachments.map((attachment) => (
        <AttachmentLine key={attachment.id} attachment={attachment} debtId={debtId} />
      ))}
      {refusedBy !== null && <p className={styles['refused']}>{TIMELINE.refusedLater(refusedBy)}</p>}
      {facts.length > 0 && (
        <p className={styles['facts']}>
          {hasFailed(entry) && <Icon name="warning" size={16} />}
          {facts.join(' · ')}
        </p>
      )}
    </div>
  );
}
