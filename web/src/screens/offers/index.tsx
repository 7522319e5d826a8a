import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePolicy } from '../../agreements/use-agreements.ts';
import { quita } from '../../api/quita.ts';
import { OFFERS } from '../../texts/offers.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useSubmit } from '../../ui/form.tsx';
import { Loaded, Note, PageHeader } from '../../ui/page.tsx';
import { PolicyEditor } from './policy-editor.tsx';

function RemoveDialog({ onRemoved, onClose }: { readonly onRemoved: () => void; readonly onClose: () => void }) {
  const submit = useSubmit(async () => {
    await quita.changeOffersPolicy({ body: null });
    onRemoved();
    announce(OFFERS.removed);
  });
  return (
    <ConfirmDialog
      title={OFFERS.remove}
      action={OFFERS.remove}
      danger
      busy={submit.busy}
      failed={submit.failed}
      onConfirm={() => void submit.run()}
      onClose={onClose}
    >
      <p>{OFFERS.removeText}</p>
      <p>{OFFERS.removeKeeps}</p>
    </ConfirmDialog>
  );
}

/** What the company offers to people who want to negotiate, with an example beside it. */
export default function OffersScreen() {
  const queries = useQueryClient();
  const query = usePolicy();
  const [removing, setRemoving] = useState(false);
  const [removals, setRemovals] = useState(0);
  // Offers begin and end with the policy.
  const refresh = () =>
    Promise.all(['offers-policy', 'debt'].map((topic) => queries.invalidateQueries({ queryKey: [topic] })));
  const stored = query.data?.policy ?? null;
  return (
    <>
      <PageHeader
        title={OFFERS.title}
        actions={
          stored !== null && (
            <Button right="manage" icon="trash" onClick={() => setRemoving(true)}>
              {OFFERS.remove}
            </Button>
          )
        }
      >
        {OFFERS.lead}
      </PageHeader>
      <Loaded query={query} lines={10}>
        {({ policy }) => (
          <>
            {policy === null && <Note>{OFFERS.none}</Note>}
            <PolicyEditor key={removals} stored={policy} onSaved={refresh} />
          </>
        )}
      </Loaded>
      {removing && (
        <RemoveDialog
          onRemoved={() => {
            setRemoving(false);
            void refresh().then(() => setRemovals(removals + 1));
          }}
          onClose={() => setRemoving(false)}
        />
      )}
    </>
  );
}
