import type { Campaign } from '../../api/client.ts';
import { IMPORT } from '../../texts/import.ts';
import { ButtonLink } from '../../ui/button.tsx';

/** A draft is rehearsed before it is launched; any other campaign shows its new debts. */
export function NextStep({ campaign: { id, status } }: { readonly campaign: Campaign }) {
  return status === 'DRAFT' ? (
    <ButtonLink kind="primary" to={`/campanhas/${id}/ensaio`}>
      {IMPORT.toRehearsal}
    </ButtonLink>
  ) : (
    <ButtonLink kind="primary" to={`/campanhas/${id}`}>
      {IMPORT.toCampaign}
    </ButtonLink>
  );
}
