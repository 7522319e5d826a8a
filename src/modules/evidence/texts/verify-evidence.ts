/** What the page shows before a file is chosen. What its script writes stands in `src/platform/http/pages/assets/verify-evidence.js`. */
export const VERIFY_EVIDENCE_TEXTS = {
  title: 'Conferir provas',
  heading: 'Conferir um pacote de provas',
  intro:
    'Recebeu um arquivo de provas sobre uma dívida? Escolha o arquivo abaixo para saber se ele saiu mesmo daqui e se nada foi mudado desde então.',
  stays: 'A conferência acontece no seu aparelho: o arquivo não é enviado a ninguém.',
  noScript: 'Esta página precisa de JavaScript para ler o arquivo no seu aparelho. Ative-o e recarregue a página.',
  choose: 'Arquivo de provas (.zip)',
} as const;
