/** Why a file is refused before it is sent. The server decides by the same signs; here the reason gets its words. */
export type FileRefusal = 'too_large' | 'empty' | 'old_excel' | 'pdf' | 'html' | 'binary' | 'unreadable' | 'several';

export const MAX_FILE_BYTES = 32 * 1024 * 1024;
/** So much of a file tells its kind. */
export const HEAD_BYTES = 4_096;

const startsWith = (head: Uint8Array, ...start: readonly number[]): boolean =>
  start.every((byte, at) => head[at] === byte);

const isMarkup = (head: Uint8Array): boolean =>
  new TextDecoder('latin1').decode(head).replace(/^ï»¿/, '').trimStart().startsWith('<');

export function refusalOf({ size, head }: { readonly size: number; readonly head: Uint8Array }): FileRefusal | null {
  if (size === 0) return 'empty';
  if (size > MAX_FILE_BYTES) return 'too_large';
  if (startsWith(head, 0x50, 0x4b, 0x03, 0x04)) return null;
  if (startsWith(head, 0xd0, 0xcf, 0x11, 0xe0)) return 'old_excel';
  if (startsWith(head, 0x25, 0x50, 0x44, 0x46)) return 'pdf';
  if (isMarkup(head)) return 'html';
  return head.includes(0) ? 'binary' : null;
}
