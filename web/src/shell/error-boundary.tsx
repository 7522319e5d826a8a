import { Component, type ReactNode } from 'react';
import { COMMON } from '../texts/common.ts';
import { PROBLEM_TEXT } from '../texts/problem-texts.ts';
import { SHELL } from '../texts/shell-texts.ts';
import { Button } from '../ui/button.tsx';
import { Empty, Skeleton } from '../ui/page.tsx';

const RELOADED = 'quita-reloaded';
const AGAIN_AFTER_MS = 60_000;
/** A page that the service always has. */
const ANY_PAGE = '/entrar';

/** A reload while the service is away would replace the console by the browser's own error page. */
async function reload(): Promise<boolean> {
  const answer = await fetch(ANY_PAGE, { cache: 'no-store', headers: { accept: 'text/html' } }).catch(() => undefined);
  if (answer?.ok !== true) return false;
  location.reload();
  return true;
}

/** Whether the console has not reloaded itself a moment ago; without storage it never does, or it might never end. */
function mayReload(): boolean {
  try {
    return Date.now() - Number(sessionStorage.getItem(RELOADED) ?? 0) >= AGAIN_AFTER_MS;
  } catch {
    return false;
  }
}

/** A screen's file is gone after an update of the service; one reload fetches the new page. */
async function reloadOnce(): Promise<boolean> {
  if (!mayReload() || !(await reload())) return false;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  return true;
}

/** The words of Chromium, Firefox and Safari for a script, and those of Vite for a style. */
const MISSING_FILE = /dynamically imported module|module script|Importing a module|Unable to preload CSS/;
const isMissingFile = (error: unknown): boolean => error instanceof Error && MISSING_FILE.test(error.message);

interface State {
  readonly failure: 'none' | 'looking' | 'missing' | 'unknown';
}

/** Shows a way on when a screen fails, instead of an empty page. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { failure: 'none' };

  static getDerivedStateFromError(error: unknown): State {
    return { failure: isMissingFile(error) ? 'looking' : 'unknown' };
  }

  override componentDidCatch(error: unknown): void {
    if (!isMissingFile(error)) return;
    void reloadOnce().then((reloads) => {
      if (!reloads) this.setState({ failure: 'missing' });
    });
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === 'none') return this.props.children;
    if (failure === 'looking') return <Skeleton lines={6} />;
    return (
      <Empty
        icon="danger"
        title={failure === 'missing' ? SHELL.screenMissing : PROBLEM_TEXT.unknown}
        action={
          <Button kind="primary" icon="refresh" onClick={() => void reload()}>
            {COMMON.retry}
          </Button>
        }
      />
    );
  }
}
