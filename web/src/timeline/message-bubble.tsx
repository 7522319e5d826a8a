import { useQueryClient } from '@tanstack/react-query';
import type { Attachment } from '../api/client.ts';
import { quita } from '../api/quita.ts';
import { formatTime } from '../format.ts';
import { mayReadFiles } from '../session/may.ts';
import { TIMELINE } from '../texts/timeline-texts.ts';
import { CHANNEL, DELIVERY, INTENT, wordOf } from '../texts/words.ts';
import { announce } from '../ui/announce.tsx';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { saveFile } from '../ui/download.ts';
import { FailedNote } from '../ui/failure.tsx';
import { useSubmit } from '../ui/form.tsx';
import { Icon } from '../ui/icon.tsx';
import { actorOf, type MessageEntry, refusedBy, signed, writerOf } from './entries.ts';
import { inWrittenOrder, partsOf } from './plain-text.ts';
import styles from './timeline.module.css';

/** The types that programs open without running anything in them, with the ending of the name. */
const ENDINGS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'audio/aac': 'aac',
  'audio/amr': 'amr',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'video/3gpp': '3gp',
  'video/mp4': 'mp4',
};

/** The name under which a file is saved. The debtor's own name of it could end in anything. */
const safeFileName = (attachmentId: string, contentType: string): string =>
  `anexo-${attachmentId.slice(0, 8)}.${ENDINGS[contentType.split(';')[0]!.trim()] ?? 'bin'}`;

/**
 * A file that the debtor sent. It is only ever saved: opened in the page, a stranger's file would run beside the
 * company's data.
 */
function AttachmentLine({ attachment, debtId }: { readonly attachment: Attachment; readonly debtId: string }) {
  const { id, kind, filename, bytes, state } = attachment;
  const queries = useQueryClient();
  const download = useSubmit(async () => {
    const content = await quita.downloadAttachment({ path: { id: debtId, attachmentId: id } });
    saveFile(content, safeFileName(id, content.type));
    announce(TIMELINE.downloaded);
    // The item of the file leaves the inbox with the first download.
    void queries.invalidateQueries({ queryKey: ['inbox'] });
  });
  const name = filename === null || filename === '' ? TIMELINE.attachmentKind(kind) : inWrittenOrder(filename);
  const facts = [
    name === TIMELINE.attachmentKind(kind) ? '' : TIMELINE.attachmentKind(kind),
    bytes === null ? '' : TIMELINE.bytes(bytes),
    TIMELINE.attachmentState[state] ?? '',
  ].filter((fact) => fact !== '');
  return (
    <div className={styles['attachment']}>
      <Icon name="note" />
      <div>
        <p className={styles['fileName']}>
          <bdi>{name}</bdi>
        </p>
        {facts.length > 0 && <p className={styles['quiet']}>{facts.join(' · ')}</p>}
        {state === 'stored' && <p className={styles['quiet']}>{TIMELINE.stranger}</p>}
        {download.failed !== null && <FailedNote failed={download.failed} onRetry={() => void download.run()} />}
      </div>
      {state === 'stored' && mayReadFiles() && (
        <Button small icon="download" busy={download.busy} onClick={() => void download.run()}>
          {TIMELINE.download}
          <span className="visually-hidden">{` ${name}`}</span>
        </Button>
      )}
    </div>
  );
}

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
        entry.pixCode === undefined ? '' : TIMELINE.pixCode,
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
        <time dateTime={at}>{signed(actorOf(entry), formatTime(at, zone))}</time>
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
