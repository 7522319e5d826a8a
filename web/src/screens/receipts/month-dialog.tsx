import { quita } from '../../api/quita.ts';
import { RECEIPTS } from '../../texts/receipts.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { saveFile } from '../../ui/download.ts';
import { SelectField } from '../../ui/field.tsx';
import { ProblemSummary, useSubmit } from '../../ui/form.tsx';
import { monthsUntil } from './month.ts';
import styles from './receipts.module.css';

/** Downloads all receipts of a month, or those of one campaign, as one file. */
export function MonthDialog({
  campaign,
  onClose,
}: {
  readonly campaign: { readonly id: string; readonly name: string } | null;
  readonly onClose: () => void;
}) {
  const submit = useSubmit(async (form) => {
    const month = String(form.get('month'));
    const query = { month, ...(campaign !== null && { campaignId: campaign.id }) };
    // The generated client takes the answer for JSON unless it is told otherwise.
    const file: unknown = await quita.downloadReceipts({ query }, { parseAs: 'blob' });
    saveFile(file as Blob, `recibos-${month}.zip`);
    announce(RECEIPTS.downloaded);
    onClose();
  });
  return (
    <Dialog title={RECEIPTS.monthTitle} onClose={onClose}>
      <form onSubmit={submit.onSubmit}>
        <ProblemSummary failed={submit.failed} />
        <div className={styles['lead']}>
          <p>{RECEIPTS.monthText}</p>
          {campaign !== null && <p>{RECEIPTS.monthOfCampaign(campaign.name)}</p>}
        </div>
        <SelectField label={RECEIPTS.monthOfIssue} name="month" options={monthsUntil(new Date())} />
        <div className={styles['more']}>
          <Button type="submit" kind="primary" icon="download" busy={submit.busy}>
            {RECEIPTS.monthStart}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
