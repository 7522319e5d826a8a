import { formatTime } from '../format.ts';
import { TIMELINE } from '../texts/timeline.ts';
import { CHANNEL, DELIVERY, INTENT, wordOf } from '../texts/words.ts';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/icon.tsx';
import { AttachmentLine } from './attachment-line.tsx';
import { type MessageEntry, refusedBy, writerOf } from './entries.ts';
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

/** Why it was sent and what became of it; of a message that was received, how it was understood. */
const factsOf = (entry: MessageEntry): readonly string[] =>
  entry.kind === 'message_received'
    ? [entry.intent === null ? '' : TIMELINE.understood(wordOf(INTENT, entry.intent))]
    : [
        wordOf(TIMELINE.purpose, entry.purpose),
        entry.textVersion === undefined ? '' : TIMELINE.ownWording(entry.textVersion),
        entry.delivery === null ? '' : wordOf(DELIVERY, entry.delivery),
      ];

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
  const { at, channel, text } = entry;
  const from = writerOf(entry);
  const { cutFrom, attachments = [] } = entry.kind === 'message_received' ? entry : {};
  const refused = refusedBy(entry);
  const hasFailed = refused !== null || (entry.kind === 'message_sent' && entry.delivery === 'failed');
  const facts = [wordOf(CHANNEL, channel), ...factsOf(entry)].filter((fact) => fact !== '');
  return (
    <div className={classNames(styles['bubble'], styles[from], hasFailed && styles['failed'])}>
      <p className={styles['head']}>
        <strong>{TIMELINE[from]}</strong>
        <time dateTime={at}>{formatTime(at, zone)}</time>
      </p>
      {text === null || text === '' ? (
        attachments.length === 0 && <p className={styles['quiet']}>{text === '' ? TIMELINE.erased : TIMELINE.noText}</p>
      ) : (
        <PlainText text={text} />
      )}
      {cutFrom !== undefined && <p className={styles['quiet']}>{TIMELINE.cutFrom(cutFrom)}</p>}
      {attachments.map((attachment) => (
        <AttachmentLine key={attachment.id} attachment={attachment} debtId={debtId} />
      ))}
      {refused !== null && <p className={styles['refused']}>{TIMELINE.refusedLater(refused)}</p>}
      {facts.length > 0 && (
        <p className={styles['facts']}>
          {hasFailed && <Icon name="warning" size={16} />}
          {facts.join(' · ')}
        </p>
      )}
    </div>
  );
}
