import { COMMON } from '../texts/common.ts';
import { announce } from './announce.tsx';
import { Button } from './button.tsx';

/** Copies a text. Where the clipboard is forbidden (plain http), the text beside it can be selected. */
export function CopyButton({ text, label = COMMON.copy }: { readonly text: string; readonly label?: string }) {
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    announce(COMMON.copied);
  };
  if (!window.isSecureContext) return null;
  return (
    <Button small icon="copy" onClick={() => void copy()}>
      {label}
    </Button>
  );
}
