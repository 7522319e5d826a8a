import { useQueryClient } from '@tanstack/react-query';
import type { Attachment } from '../api/client.ts';
import { quita } from '../api/quita.ts';
import { TIMELINE } from '../texts/timeline.ts';
import { announce } from '../ui/announce.tsx';
import { Button } from '../ui/button.tsx';
import { saveFile } from '../ui/download.ts';
import { FailedNote } from '../ui/failure.tsx';
import { useSubmit } from '../ui/form.tsx';
import { Icon } from '../ui/icon.tsx';
import { safeFileName } from './attachment-names.ts';
import { inWrittenOrder } from './plain-text.ts';
import styles from './timeline.module.css';

/**
 * A file that the debtor sent. It is only ever saved: opened in the page, a stranger's file would run beside the
 * company's data.
 */
export function AttachmentLine({ attachment, debtId }: { readonly attachment: Attachment; readonly debtId: string }) {
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
      {state === 'stored' && (
        <Button small icon="download" busy={download.busy} onClick={() => void download.run()}>
          {TIMELINE.download}
          <span className="visually-hidden">{` ${name}`}</span>
        </Button>
      )}
    </div>
  );
}
