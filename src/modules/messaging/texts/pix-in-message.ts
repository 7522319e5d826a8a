/** A channel shows so much text above a code, and not more. */
const MAX_LENGTH = 1_024;
const COPY_BELOW = 'Para copiar o código Pix, toque no botão abaixo.';
/** How the texts of replies introduce the code that follows on a line of its own. */
const INTRODUCTION = 'Pix copia e cola:';

/**
 * Returns what stands above a Pix code that comes with the message: the same text, in which the line of the code gives
 * way to a sentence about the button. Null when the channel has no room for it.
 */
export function textAbovePix(text: string, code: string): string | null {
  const lines = text.split('\n');
  const kept = lines.flatMap((line, index) => {
    if (line.trim() === code) return lines[index - 1] === INTRODUCTION ? [] : [COPY_BELOW];
    return line === INTRODUCTION && lines[index + 1]?.trim() === code ? [COPY_BELOW] : [line];
  });
  const above = kept.join('\n');
  return above.includes(code) || above.length > MAX_LENGTH ? null : above;
}
