/** What a simulated debtor does next: says something, or pays. */
export type SandboxAct = { readonly kind: 'say'; readonly text: string } | { readonly kind: 'pay' };

const SAYS: Readonly<Record<string, string>> = {
  '0003': 'Não reconheço essa dívida, nunca comprei nada com vocês.',
  '0004': 'PARAR. Não quero mais receber mensagens.',
  '0006': 'Esse número não é dessa pessoa, vocês ligaram para o contato errado.',
};

/** The last four digits of the phone tell what kind of debtor answers; any other one stays silent. */
export function actAfter(phone: string, purpose: string): SandboxAct | null {
  if (purpose !== 'collection') return null;
  const text = SAYS[phone.slice(-4)];
  return text === undefined ? null : { kind: 'say', text };
}
