import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { quita } from '../../api/quita.ts';
import { CAMPAIGNS } from '../../texts/campaigns.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { CancelButton, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { ProblemSummary, textOf, useSubmit } from '../../ui/form.tsx';
import styles from './campaigns.module.css';

/** Asks for the name alone; the next step is the spreadsheet. */
export function NewCampaign({ onClose }: { readonly onClose: () => void }) {
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const submit = useSubmit(async (form) => {
    const { id } = await quita.createCampaign({ body: { name: textOf(form, 'name') } }, { idempotencyKey: true });
    announce(CAMPAIGNS.made);
    void queries.invalidateQueries({ queryKey: ['campaigns'] });
    navigate(`/campanhas/${id}/importar`);
  });
  return (
    <Dialog title={CAMPAIGNS.create} onClose={onClose}>
      <form onSubmit={submit.onSubmit}>
        <ProblemSummary failed={submit.failed} />
        <TextField
          label={CAMPAIGNS.name}
          hint={CAMPAIGNS.nameHint}
          name="name"
          autoComplete="off"
          maxLength={200}
          required
          error={submit.errorAt('/name')}
        />
        <div className={styles['buttons']}>
          <CancelButton />
          <Button type="submit" kind="primary" busy={submit.busy}>
            {CAMPAIGNS.create}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
