/** What a simulated debtor does next: says something, or pays. */
export type SandboxAct = { readonly kind: 'say'; readonly text: string } | { readonly kind: 'pay' };

const SAYS: Readonly<Record<string, string>> = {
  '0002': 'Vou pagar na sexta-feira.',
  '0003': 'Não reconheço essa dívida, nunca comprei nada com vocês.',
  '0004': 'PARAR. Não quero mais receber mensagens.',
  '0005': 'Qual é o valor dessa conta?',
  '0006': 'Esse número não é dessa pessoa, vocês ligaram para o contato errado.',
};
/** The purpose of the message after which a debtor of this kind pays. */
const PAYS_AFTER: Readonly<Record<string, string>> = { '0001': 'collection', '0002': 'reply', '0005': 'reply' };

/** The last four digits of the phone select the kind of debtor; a debtor with any other digits never answers. */
export function actAfter(phone: string, purpose: string): SandboxAct | null {
  const kind = phone.slice(-4);
  if (PAYS_AFTER[kind] === purpose) return { kind: 'pay' };
  const text = purpose === 'collection' ? SAYS[kind] : undefined;
  return text === undefined ? null : { kind: 'say', text };
}
