import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Campaign } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { SETTINGS } from '../../texts/campaign-settings.ts';
import { timeOfField } from '../../time-field.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { CancelButton, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { ProblemSummary, type Submit, textOf, useSubmit } from '../../ui/form.tsx';
import { Note } from '../../ui/page.tsx';
import { ChannelsField } from './channels-field.tsx';
import { daysOf, RemindersField } from './reminders-field.tsx';
import { defaultSteps, type Step } from './sequence.ts';
import { SequenceField } from './sequence-field.tsx';
import styles from './settings.module.css';
import { type RealChannel, settingsChanges } from './settings-changes.ts';

interface SettingsProps {
  readonly campaign: Campaign;
  readonly onClose: () => void;
}

export default function Settings({ campaign: current, onClose }: SettingsProps) {
  const queries = useQueryClient();
  // What somebody else changes while the form is open is no change of this form, and is not undone by it.
  const [campaign] = useState(current);
  const [sequence, setSequence] = useState<readonly Step[] | null>(campaign.sequence);
  const [channels, setChannels] = useState<readonly RealChannel[]>(campaign.channels ?? []);
  const isEnded = campaign.status === 'COMPLETED' || campaign.status === 'ARCHIVED';
  const submit = useSubmit(async (form) => {
    const body = settingsChanges(campaign, {
      name: textOf(form, 'name'),
      sender: isEnded ? (campaign.sender ?? '') : textOf(form, 'sender'),
      from: isEnded ? timeOfField(campaign.hours?.from) : textOf(form, 'from'),
      to: isEnded ? timeOfField(campaign.hours?.to) : textOf(form, 'to'),
      channels,
      daysBefore: isEnded ? (campaign.reminders?.daysBefore ?? []) : daysOf(form),
      sequence,
    });
    const isSame = Object.keys(body).length === 0;
    if (!isSame) {
      queries.setQueryData(
        ['campaign', campaign.id],
        await quita.changeCampaignSettings({ path: { id: campaign.id }, body }),
      );
      void queries.invalidateQueries({ queryKey: ['campaigns'] });
      void queries.invalidateQueries({ queryKey: ['debts'] });
    }
    announce(isSame ? SETTINGS.same : SETTINGS.saved);
    onClose();
  });
  return (
    <Dialog title={SETTINGS.title} onClose={onClose}>
      <form onSubmit={submit.onSubmit}>
        <ProblemSummary failed={submit.failed} />
        <TextField
          label={SETTINGS.name}
          name="name"
          autoComplete="off"
          maxLength={200}
          required
          defaultValue={campaign.name}
          error={submit.errorAt('/name')}
        />
        {isEnded ? (
          <Note>{SETTINGS.ended}</Note>
        ) : (
          <Rules
            campaign={campaign}
            submit={submit}
            channels={channels}
            onChannels={setChannels}
            sequence={sequence}
            onSequence={setSequence}
          />
        )}
        <div className={styles['buttons']}>
          <CancelButton />
          <Button type="submit" kind="primary" busy={submit.busy}>
            {SETTINGS.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Rules({
  campaign,
  submit,
  channels,
  onChannels,
  sequence,
  onSequence,
}: {
  readonly campaign: Campaign;
  readonly submit: Submit;
  readonly channels: readonly RealChannel[];
  readonly onChannels: (next: readonly RealChannel[]) => void;
  readonly sequence: readonly Step[] | null;
  readonly onSequence: (next: readonly Step[] | null) => void;
}) {
  const policy = useQuery({ queryKey: ['policy'], queryFn: () => quita.getPolicy() });
  const connected = useQuery({ queryKey: ['channels'], queryFn: () => quita.listChannels() });
  const isConnected = (channel: string): boolean =>
    connected.data?.items.some((one) => one.channel === channel && one.state !== 'not_connected') ?? true;
  const [from, setFrom] = useState(timeOfField(campaign.hours?.from));
  const [to, setTo] = useState(timeOfField(campaign.hours?.to));
  const needsBoth = from !== '' || to !== '';
  return (
    <>
      <TextField
        label={SETTINGS.sender}
        hint={SETTINGS.senderHint}
        name="sender"
        autoComplete="off"
        minLength={2}
        maxLength={60}
        defaultValue={campaign.sender ?? ''}
        error={submit.errorAt('/sender')}
      />
      <fieldset className={styles['group']}>
        <legend>{SETTINGS.hours}</legend>
        <p className={styles['lead']}>{SETTINGS.hoursLead}</p>
        <div className={styles['fields']}>
          <TextField
            label={SETTINGS.from}
            name="from"
            type="time"
            value={from}
            required={needsBoth}
            onChange={({ target }) => setFrom(target.value)}
            error={submit.errorAt('/hours/from') ?? submit.errorAt('/hours')}
          />
          <TextField
            label={SETTINGS.to}
            name="to"
            type="time"
            value={to}
            required={needsBoth}
            onChange={({ target }) => setTo(target.value)}
            error={submit.errorAt('/hours/to')}
          />
        </div>
      </fieldset>
      <ChannelsField
        channels={channels}
        isConnected={isConnected}
        error={channels.map((_, at) => submit.errorAt(`/channels/${at}`)).find((text) => text !== undefined)}
        onChange={onChannels}
      />
      <RemindersField daysBefore={campaign.reminders?.daysBefore ?? []} submit={submit} />
      <SequenceField
        steps={sequence}
        defaults={policy.data === undefined ? [] : defaultSteps(policy.data)}
        submit={submit}
        onChange={onSequence}
      />
      <p className={styles['lead']}>{SETTINGS.applies}</p>
    </>
  );
}
