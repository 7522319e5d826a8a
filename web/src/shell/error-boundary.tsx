import { Component, type ReactNode } from 'react';
import { COMMON } from '../texts/common.ts';
import { PROBLEM_TEXT } from '../texts/problems.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/page.tsx';

const RELOADED = 'quita-reloaded';
const AGAIN_AFTER_MS = 60_000;

/** A screen's file is gone after an update of the service; one reload fetches the new page. */
function reloadOnce(): boolean {
  try {
    const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
    if (Date.now() - last < AGAIN_AFTER_MS) return false;
    sessionStorage.setItem(RELOADED, String(Date.now()));
  } catch {
    return false;
  }
  location.reload();
  return true;
}

const isMissingFile = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported module|module script|Importing a module/.test(error.message);

interface State {
  readonly failed: boolean;
}

/** Shows a way on when a screen fails, instead of an empty page. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError(): State {
    return { failed: true };
  }

  override componentDidCatch(error: unknown): void {
    if (isMissingFile(error)) reloadOnce();
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <Empty
        icon="danger"
        title={PROBLEM_TEXT.unknown}
        action={
          <Button kind="primary" icon="refresh" onClick={() => location.reload()}>
            {COMMON.retry}
          </Button>
        }
      />
    );
  }
}
