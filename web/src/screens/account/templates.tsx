import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ChannelTemplate } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { CHANNELS as TEXT } from '../../texts/channels.ts';
import type { Tone } from '../../texts/words.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { ProblemSummary, useSubmit } from '../../ui/form.tsx';
import { Loaded, Note, Panel } from '../../ui/page.tsx';
import { Badge } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import styles from './account.module.css';

const TONE: Readonly<Record<ChannelTemplate['state'], Tone>> = {
  approved: 'paid',
  pending: 'waiting',
  rejected: 'danger',
  paused: 'waiting',
  missing: 'ended',
  marketing: 'danger',
};

const COLUMNS: readonly Column<ChannelTemplate>[] = [
  { key: 'name', label: TEXT.template, cell: ({ name }) => name },
  {
    key: 'state',
    label: TEXT.templateState,
    cell: ({ state }) => <Badge tone={TONE[state]} label={TEXT.templateStates[state]} />,
  },
  { key: 'reason', label: TEXT.templateReason, wide: true, cell: (template) => TEXT.reasonOf(template) },
];

/** What needs somebody stands first, because the list is long. */
const ORDER: readonly ChannelTemplate['state'][] = [
  'marketing',
  'rejected',
  'paused',
  'missing',
  'pending',
  'approved',
];
const sorted = (items: readonly ChannelTemplate[]): readonly ChannelTemplate[] =>
  items.toSorted((one, other) => placeOf(one) - placeOf(other));
const placeOf = ({ state, marketingFrom }: ChannelTemplate): number =>
  marketingFrom === null ? ORDER.indexOf(state) : 0;

/** The texts that a channel approves, when one of the connected channels does so. */
export function Templates() {
  const queries = useQueryClient();
  const query = useQuery({ queryKey: ['channels', 'templates'], queryFn: () => quita.listChannelTemplates() });
  const push = useSubmit(async () => {
    await quita.pushChannelTemplates({}, { idempotencyKey: true });
    await queries.invalidateQueries({ queryKey: ['channels', 'templates'] });
    announce(TEXT.pushed);
  });
  return (
    <Loaded query={query}>
      {({ items }) =>
        items.length > 0 && (
          <Panel title={TEXT.templates}>
            <p className={styles['muted']}>{TEXT.templatesLead}</p>
            {items.some(({ marketingFrom }) => marketingFrom !== null) && (
              <Note tone="warning">
                <p>{TEXT.moved}</p>
                <p>{TEXT.movedBack}</p>
              </Note>
            )}
            <ProblemSummary failed={push.failed} />
            <div className={styles['buttons']}>
              <Button right="administer" busy={push.busy} onClick={() => void push.run()}>
                {TEXT.push}
              </Button>
            </div>
            <Table caption={TEXT.templates} columns={COLUMNS} rows={sorted(items)} rowKey={({ name }) => name} />
          </Panel>
        )
      }
    </Loaded>
  );
}
