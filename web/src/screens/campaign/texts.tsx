import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type {
  Campaign,
  ListMessageTextsResult,
  ListProductTextsResult,
  PreviewMessageTextResult,
} from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatDate } from '../../format.ts';
import { OWN_TEXTS, SETTINGS } from '../../texts/campaign-settings.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextAreaField } from '../../ui/field.tsx';
import { ProblemSummary, useSubmit } from '../../ui/form.tsx';
import { Loaded, Note } from '../../ui/page.tsx';
import { defaultSteps, type Step } from './sequence.ts';
import styles from './settings.module.css';

/** The service names the words that make a text advertising; every other problem is worded here. */
const problemText = ({ code, message }: { readonly code: string; readonly message: string }): string =>
  code === 'text_marketing' ? message : (OWN_TEXTS.problem[code] ?? OWN_TEXTS.otherProblem);

const MAX_LENGTH = 1_000;
const MAX_SHORT_LENGTH = 200;

interface Draft {
  readonly text: string;
  readonly short: string;
}

interface TextsProps {
  readonly campaign: Campaign;
  readonly onClose: () => void;
}

/** The company's own words for each contact, with what the product's guard says against them. */
export default function Texts({ campaign, onClose }: TextsProps) {
  const { id } = campaign;
  const texts = useQuery({
    queryKey: ['campaign', id, 'texts'],
    queryFn: async () => {
      const [own, { items: product }] = await Promise.all([
        quita.listMessageTexts({ path: { id } }),
        quita.listProductTexts(),
      ]);
      return { own, product };
    },
    placeholderData: undefined,
  });
  const policy = useQuery({ queryKey: ['policy'], queryFn: () => quita.getPolicy() });
  const [place, setPlace] = useState(1);
  const drafts = useRef(new Map<number, Draft>());
  const steps = campaign.sequence ?? (policy.data === undefined ? [] : defaultSteps(policy.data));
  const isUnsaved = (): boolean =>
    texts.data !== undefined &&
    [...drafts.current].some(([step, draft]) => {
      const saved = savedOf(texts.data, step, steps[step - 1]);
      return draft.text !== saved.text || draft.short !== saved.short;
    });
  return (
    <Dialog title={OWN_TEXTS.title} onClose={onClose} isUnsaved={isUnsaved}>
      <p className={styles['lead']}>{OWN_TEXTS.lead}</p>
      <Loaded query={texts}>
        {({ own: data, product }) => (
          <>
            <SelectField
              label={OWN_TEXTS.step}
              options={steps.map(({ kind, tone }: Step, at) => ({
                value: String(at + 1),
                label: OWN_TEXTS.stepOf(at + 1, SETTINGS.kinds[kind], SETTINGS.tones[tone]),
              }))}
              value={String(place)}
              onChange={({ target }) => setPlace(Number(target.value))}
            />
            <StepText
              key={place}
              campaignId={id}
              step={place}
              ours={oursOf(product, steps[place - 1])}
              saved={savedOf({ own: data, product }, place, steps[place - 1])}
              data={data}
              drafts={drafts.current}
            />
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

const oursOf = (product: ListProductTextsResult['items'], step: Step | undefined): string =>
  product.find(({ kind, tone }) => kind === step?.kind && tone === step.tone)?.text ?? '';

/** What stands in the fields of a contact when nothing was written in them. */
function savedOf(
  { own, product }: { readonly own: ListMessageTextsResult; readonly product: ListProductTextsResult['items'] },
  place: number,
  step: Step | undefined,
): Draft {
  const found = own.items.find((one) => one.step === place);
  return { text: found?.text ?? oursOf(product, step), short: found?.short ?? '' };
}

function StepText({
  campaignId: id,
  step,
  ours,
  saved,
  data,
  drafts,
}: {
  readonly campaignId: string;
  readonly step: number;
  /** The product's words, from which own words begin. */
  readonly ours: string;
  readonly saved: Draft;
  readonly data: ListMessageTextsResult;
  /** What was written for each contact and is not saved yet. */
  readonly drafts: Map<number, Draft>;
}) {
  const queries = useQueryClient();
  const own = data.items.find((one) => one.step === step);
  const draft = drafts.get(step) ?? saved;
  const [text, setText] = useState(draft.text);
  const [short, setShort] = useState(draft.short);
  useEffect(() => void drafts.set(step, { text, short }), [drafts, step, text, short]);
  const [preview, setPreview] = useState<PreviewMessageTextResult | null>(null);
  const area = useRef<HTMLDivElement>(null);
  const body = { text, short: short.trim() === '' ? null : short };
  const refresh = () => queries.invalidateQueries({ queryKey: ['campaign', id, 'texts'] });
  const look = useSubmit(async () => setPreview(await quita.previewMessageText({ path: { id }, body })));
  const save = useSubmit(async () => {
    await quita.changeMessageText({ path: { id, step }, body });
    announce(OWN_TEXTS.saved);
    await refresh();
  });
  const reset = useSubmit(async () => {
    await quita.deleteMessageText({ path: { id, step } });
    setText(ours);
    setShort('');
    setPreview(null);
    announce(OWN_TEXTS.resetDone);
    await refresh();
  });
  const failed = save.failed ?? look.failed ?? reset.failed;
  const problemAt = (pointer: string): string | undefined => {
    const codes = [...(failed?.errors ?? []), ...(preview?.problems ?? [])]
      .filter((one) => one.pointer === pointer)
      .map(problemText);
    return codes.length === 0 ? undefined : [...new Set(codes)].join(' ');
  };
  const insert = (placeholder: string): void => {
    const field = area.current?.querySelector('textarea');
    const [from, to] = [field?.selectionStart ?? text.length, field?.selectionEnd ?? text.length];
    setText(`${text.slice(0, from)}${placeholder}${text.slice(to)}`);
    field?.focus();
  };
  return (
    <form onSubmit={save.onSubmit}>
      <ProblemSummary failed={failed} />
      <p className={styles['lead']}>
        {own === undefined ? OWN_TEXTS.ours : OWN_TEXTS.own(own.version, formatDate(own.since))}
      </p>
      <div ref={area}>
        <TextAreaField
          label={OWN_TEXTS.text}
          hint={OWN_TEXTS.required}
          rows={5}
          maxLength={MAX_LENGTH}
          required
          value={text}
          onChange={({ target }) => setText(target.value)}
          error={problemAt('/text')}
        />
      </div>
      <div className={styles['placeholders']}>
        <span>{OWN_TEXTS.insert}</span>
        {data.placeholders.map((placeholder) => (
          <Button key={placeholder} small onClick={() => insert(placeholder)}>
            {placeholder}
          </Button>
        ))}
      </div>
      <TextAreaField
        label={OWN_TEXTS.short}
        hint={OWN_TEXTS.shortHint}
        rows={2}
        maxLength={MAX_SHORT_LENGTH}
        value={short}
        onChange={({ target }) => setShort(target.value)}
        error={problemAt('/short')}
      />
      <div className={styles['buttons']}>
        {own !== undefined && (
          <Button busy={reset.busy} onClick={() => void reset.run()}>
            {OWN_TEXTS.reset}
          </Button>
        )}
        <Button busy={look.busy} onClick={() => void look.run()}>
          {OWN_TEXTS.preview}
        </Button>
        <Button type="submit" kind="primary" busy={save.busy}>
          {OWN_TEXTS.save}
        </Button>
      </div>
      {preview !== null && <Preview preview={preview} />}
    </form>
  );
}

const Preview = ({ preview: { examples, problems } }: { readonly preview: PreviewMessageTextResult }) => (
  <section className={styles['preview']}>
    <h3>{OWN_TEXTS.previewTitle}</h3>
    {problems.length === 0 ? (
      <Note tone="good">{OWN_TEXTS.fine}</Note>
    ) : (
      <Note tone="warning">
        <p>{OWN_TEXTS.problems}</p>
        <ul className={styles['problems']}>
          {[...new Set(problems.map(problemText))].map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      </Note>
    )}
    {examples.map(({ debtorName, text, short }) => (
      <div key={debtorName}>
        <p>{OWN_TEXTS.previewFor(debtorName)}</p>
        <p className={styles['message']}>{text}</p>
        {short !== null && (
          <>
            <p>{OWN_TEXTS.previewShort}</p>
            <p className={styles['message']}>{short}</p>
          </>
        )}
      </div>
    ))}
  </section>
);
