import { SECOND_FACTOR as TEXT } from '../texts/second-factor.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { saveFile } from '../ui/download.ts';
import { Note } from '../ui/page.tsx';
import styles from './second-factor.module.css';
import { type Heading, StepTitle } from './step-title.tsx';

/** The recovery codes, which are shown this once. */
export function RecoveryCodes({
  codes,
  explanation = TEXT.codesText,
  heading,
  onDone,
}: {
  readonly codes: readonly string[];
  /** When one of them is used, and what else has happened. */
  readonly explanation?: string;
  readonly heading: Heading;
  readonly onDone: () => void;
}) {
  const text = codes.join('\n');
  const save = (): void => {
    const file = new Blob([`${TEXT.fileTitle}\n\n${text}\n`], { type: 'text/plain;charset=utf-8' });
    saveFile(file, TEXT.fileName);
  };
  return (
    <>
      <StepTitle as={heading}>{TEXT.codesTitle}</StepTitle>
      <Note tone="warning">{explanation}</Note>
      <ul className={styles['codes']} aria-label={TEXT.codesTitle}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={styles['after']}>
        <CopyButton text={text} label={TEXT.copyCodes} />
        <Button small icon="download" onClick={save}>
          {TEXT.download}
        </Button>
        <Button small icon="receipt" onClick={() => window.print()}>
          {TEXT.print}
        </Button>
      </div>
      <div className={styles['buttons']}>
        <Button kind="primary" onClick={onDone}>
          {TEXT.kept}
        </Button>
      </div>
    </>
  );
}
