/** A computer with a mouse is seldom the device that pays, so that it shows the QR code at once. */
const IS_COMPUTER = '(min-width: 40rem) and (pointer: fine)';

const copy = async (button) => {
  const pix = button.parentElement;
  const field = pix.querySelector('textarea');
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    field.select();
    document.execCommand('copy');
  }
  button.textContent = 'Copiado';
  pix.querySelector('.copied').textContent = 'Código copiado';
};

/** Shows what needs a script: the buttons that copy a code, and on a computer the QR codes. */
export const preparePix = (root) => {
  for (const button of root.querySelectorAll('button.copy')) {
    button.hidden = false;
    button.addEventListener('click', () => copy(button));
  }
  if (!matchMedia(IS_COMPUTER).matches) return;
  for (const fold of root.querySelectorAll('.pix > .fold')) fold.open = true;
};
