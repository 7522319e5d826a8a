import { useEffect, useState } from 'react';
import styles from './announce.module.css';

type Listener = (text: string) => void;
let listener: Listener | undefined;

/** Says something once to everybody: a short note on the screen that screen readers read aloud. */
export const announce = (text: string): void => listener?.(text);

const SHOWN_MS = 6_000;
const GATHER_MS = 200;

/** The one live region of the page. Notes that come together are read together. */
export function Announcer() {
  const [text, setText] = useState('');
  useEffect(() => {
    let waiting: string[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let gone: ReturnType<typeof setTimeout> | undefined;
    listener = (next) => {
      waiting.push(next);
      clearTimeout(gone);
      timer ??= setTimeout(() => {
        setText(waiting.join(' '));
        waiting = [];
        timer = undefined;
        gone = setTimeout(() => setText(''), SHOWN_MS);
      }, GATHER_MS);
    };
    return () => {
      clearTimeout(timer);
      clearTimeout(gone);
      listener = undefined;
    };
  }, []);
  return (
    <div className={styles['region']} role="status" aria-live="polite">
      {text !== '' && <p className={styles['note']}>{text}</p>}
    </div>
  );
}
