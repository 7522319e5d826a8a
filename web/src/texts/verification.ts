/** What the operators' console says of the verification of a company. It is loaded with the screen of one company. */
export const VERIFICATION = {
  verifiedBy: (at: string, by: string) => `Verificada em ${at} por ${by}.`,
  byNoOperator: 'um comando no servidor ou pela própria empresa',
  checked: (names: string) => `Conferido: ${names}.`,
  endsWhen: 'A verificação termina quando a empresa muda nome, CNPJ, endereço, um nome das mensagens ou de quem cobra.',
  verifyLead:
    'Compare com fontes de fora, como o cartão do CNPJ e o site da empresa, e marque o que você conferiu. A partir daí a empresa pode falar com pessoas reais.',
  verify: 'Marcar como verificada',
  verifiedNow: 'Empresa verificada.',
  changedMeanwhile:
    'Os dados da empresa mudaram enquanto você conferia, e nada foi verificado. A página já mostra os novos, e o que mudou ficou desmarcado: confira de novo.',
  noCnpj: 'A empresa ainda não informou o CNPJ. Sem ele não há o que conferir.',
  noAddress: 'ainda não informado',
  noSenders: 'só o próprio nome',
  cancelledText: 'A conta está cancelada. Não há o que verificar.',
} as const;
