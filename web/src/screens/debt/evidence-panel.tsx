import { quita } from '../../api/quita.ts';
import { DEBT } from '../../texts/debt.ts';
import { announce } from '../../ui/announce.tsx';
import { Button, ButtonAnchor } from '../../ui/button.tsx';
import { saveFile } from '../../ui/download.ts';
import { ProblemSummary, useSubmit } from '../../ui/form.tsx';
import { Panel } from '../../ui/page.tsx';
import styles from './debt.module.css';

/** The signed file of all that happened, and the page on which everybody can check such a file. */
export function EvidencePanel({ debtId }: { readonly debtId: string }) {
  const submit = useSubmit(async () => {
    saveFile(await quita.packEvidence({ path: { id: debtId } }), `provas-${debtId}.zip`);
    announce(DEBT.evidenceDownloaded);
  });
  return (
    <Panel title={DEBT.evidence}>
      <ProblemSummary failed={submit.failed} />
      <p className={styles['muted']}>{DEBT.evidenceText}</p>
      <div className={styles['links']}>
        <Button icon="download" busy={submit.busy} onClick={() => void submit.run()}>
          {DEBT.evidenceDownload}
        </Button>
        <ButtonAnchor href="/verify-evidence" icon="check">
          {DEBT.evidenceCheck}
        </ButtonAnchor>
      </div>
    </Panel>
  );
}
