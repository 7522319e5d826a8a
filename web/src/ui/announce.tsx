import { useEffect, useState } from 'react';
import styles from './announce.module.css';

/** `read` is for screen readers alone, where everybody else sees the change on the screen. */
type Way = 'shown' | 'read';
type Listener = (text: string, way: Way) => void;
let listener: Listener | undefined;

/** Says something once to everybody: a short note on the screen that screen readers read aloud. */
export const announce = (text: string, way: Way = 'shown'): void => listener?.(text, way);

const SHOWN_MS = 6_000;
const GATHER_MS = 200;

/** The one live region of the page. Notes that come together are read together. */
export function Announcer() {
  const [text, setText] = useState('');
  const [shown, setShown] = useState(false);
  useEffect(() => {
    let waiting: string[] = [];
    let isShown = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let gone: ReturnType<typeof setTimeout> | undefined;
    listener = (next, way) => {
      waiting.push(next);
      isShown ||= way === 'shown';
      clearTimeout(gone);
      timer ??= setTimeout(() => {
        setText(waiting.join(' '));
        setShown(isShown);
        waiting = [];
        isShown = false;
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
      {text !== '' && <p className={shown ? styles['note'] : 'visually-hidden'}>{text}</p>}
    </div>
  );
}
