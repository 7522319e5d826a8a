import { type DragEvent, useEffect, useRef, useState } from 'react';
import type { FieldError } from '../../api/problem.ts';
import { IMPORT } from '../../texts/import.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { saveFile } from '../../ui/download.ts';
import { FailedNote } from '../../ui/failure.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Note, Panel } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import styles from './import.module.css';
import { Progress, StepHeading } from './steps.tsx';
import type { Import } from './use-import.ts';

/**
 * An empty spreadsheet with the names of columns that are always recognised. It has no example row, because nobody may
 * be contacted on account of an example that was left in.
 */
const templateSheet = (): Blob =>
  new Blob([`\uFEFF${IMPORT.templateColumns.join(';')}\r\n`], { type: 'text/csv;charset=utf-8' });

const isKnown = (code: string): code is keyof typeof IMPORT.refusals => Object.hasOwn(IMPORT.refusals, code);

const textOfFile = (errors: readonly FieldError[]): string | undefined => {
  const code = errors.find((one) => 'pointer' in one && one.pointer === '/file')?.code;
  return code !== undefined && isKnown(code) ? IMPORT.refusals[code] : undefined;
};

/** A file that misses the field must not replace the console in the window. */
function useNoStrayDrop(): void {
  useEffect(() => {
    const stop = (event: Event): void => event.preventDefault();
    window.addEventListener('dragover', stop);
    window.addEventListener('drop', stop);
    return () => {
      window.removeEventListener('dragover', stop);
      window.removeEventListener('drop', stop);
    };
  }, []);
}

export function StepFile({ state, focus }: { readonly state: Import; readonly focus: boolean }) {
  const { work, failed, refusal, chosen, kept } = state;
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  useNoStrayDrop();
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    void state.take([...event.dataTransfer.files]);
  };
  const ofFile = failed === null ? undefined : textOfFile(failed.errors);
  const tooLarge = failed?.code === 'payload_too_large' ? IMPORT.refusals.too_large : undefined;
  const reason = refusal === null ? (ofFile ?? tooLarge) : IMPORT.refusals[refusal.reason];
  return (
    <>
      <Panel>
        <StepHeading focus={focus}>{IMPORT.fileHeading}</StepHeading>
        {kept !== null && <Note>{IMPORT.kept(kept.name)}</Note>}
        {reason !== undefined && (
          <div className={styles['refused']} role="alert">
            <Icon name="danger" />
            <div>
              <p className={styles['strong']}>{IMPORT.refused(refusal?.name ?? chosen?.name ?? '')}</p>
              <p>{reason}</p>
            </div>
          </div>
        )}
        {failed !== null && reason === undefined && <FailedNote failed={failed} onRetry={state.readAgain} />}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: Dropping is a second way; the button inside is the one for everybody. */}
        <div
          className={classNames(styles['drop'], over && styles['over'])}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          {work === null ? (
            <>
              <Icon name="upload" size={40} />
              <Button kind="primary" onClick={() => input.current?.click()}>
                {IMPORT.choose}
              </Button>
              <p>{IMPORT.dropHere}</p>
              <p className={styles['muted']}>{IMPORT.limits}</p>
            </>
          ) : (
            <Progress work={work} />
          )}
          <input
            ref={input}
            type="file"
            hidden
            accept=".csv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            onChange={(event) => {
              const files = [...(event.target.files ?? [])];
              // The same file may be chosen again after it was corrected.
              event.target.value = '';
              void state.take(files);
            }}
          />
        </div>
        <p className={styles['muted']}>{IMPORT.nothingYet}</p>
      </Panel>
      <Panel
        title={IMPORT.needsHeading}
        actions={
          <Button small icon="download" onClick={() => saveFile(templateSheet(), IMPORT.templateName)}>
            {IMPORT.template}
          </Button>
        }
      >
        <Table
          caption={IMPORT.needsCaption}
          columns={[
            { key: 'column', label: IMPORT.needsColumn, cell: ([name]) => name },
            { key: 'example', label: IMPORT.needsExample, cell: ([, example]) => example },
          ]}
          rows={IMPORT.needs}
          rowKey={([name]) => name}
        />
        <p className={classNames(styles['muted'], styles['after'])}>{IMPORT.needsMore}</p>
      </Panel>
    </>
  );
}
