import { describe, expect, it } from '@jest/globals';
import { textOfHtml } from './html-text.ts';
import { ownWords } from './own-words.ts';

describe('textOfHtml', () => {
  it('has a line for each block, decoded, without styles and scripts', () => {
    const html =
      '<html><head><title>x</title><style>p{}</style></head><body><p>J&aacute;\n  <b>paguei</b> &lt;hoje&gt;</p><div>Segue<br>o comprovante</div><script>alert(1)</script><!-- x --></body></html>';
    expect(textOfHtml(html)).toBe('Já paguei <hoje>\n\nSegue\no comprovante');
  });

  it.each([
    [
      'Gmail',
      '<div>Vou pagar</div><div class="gmail_quote gmail_quote_container"><div class="gmail_attr">Em 18/11, X escreveu:</div><blockquote class="gmail_quote"><p>PARAR</p></blockquote></div>',
    ],
    ['Apple Mail', '<div>Vou pagar</div><blockquote type="cite"><div>PARAR</div></blockquote>'],
    ['Yahoo', '<div>Vou pagar</div><div class="yahoo_quoted"><div>Em 18/11, X escreveu:</div><div>PARAR</div></div>'],
    [
      'Outlook on the web',
      '<div>Vou pagar</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg">De: X</div><div>PARAR</div>',
    ],
    [
      'Outlook',
      '<p>Vou pagar</p><div style="border-top:solid #E1E1E1 1.0pt"><p><b>De:</b> X<br><b>Enviada em:</b> hoje<br><b>Para:</b> Ana<br><b>Assunto:</b> x</p></div><p>PARAR</p>',
    ],
    ['a signature', '<div>Vou pagar</div><div class="gmail_signature">Ana<br>PARAR</div>'],
  ])('marks what %s quotes', (_name, html) => {
    expect(ownWords(textOfHtml(html))).toBe('Vou pagar');
  });

  it('survives elements that nobody closes', () => {
    expect(textOfHtml(`${'<div><i>'.repeat(5_000)}oi`)).toBe('oi');
    expect(textOfHtml('oi <a href="')).toBe('oi');
    expect(textOfHtml('</div></p>oi</b>')).toBe('oi');
  });
});
