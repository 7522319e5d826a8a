export const PASSKEYS = {
  title: 'Chaves de acesso',
  lead: 'Com uma chave de acesso você entra com a digital, o rosto ou o PIN do seu aparelho, sem digitar senha. Páginas falsas não conseguem pedi-la.',
  none: 'Você ainda não tem chaves de acesso.',
  unsupported: 'Este navegador, ou este endereço, não aceita chaves de acesso.',
  name: 'Nome da chave',
  nameHint: 'Para você reconhecê-la depois, por exemplo “Notebook da recepção”.',
  add: 'Adicionar chave de acesso',
  added: (name: string) => `Chave de acesso “${name}” adicionada.`,
  addedAt: 'Adicionada em',
  lastUsed: 'Usada em',
  never: 'Ainda não usada',
  synced: '(em vários aparelhos)',
  remove: 'Apagar',
  removeNamed: (name: string) => `Apagar a chave de acesso ${name}`,
  removeTitle: 'Apagar chave de acesso',
  removeText: (name: string) =>
    `A chave “${name}” deixa de abrir a sua conta. Apague-a também no aparelho em que está guardada.`,
  removed: 'Chave de acesso apagada.',
  codesText:
    'Guarde estes códigos em lugar seguro: eles aparecem só agora. Se perder a chave de acesso, entre com a senha e um deles. Cada código vale uma vez.',
  signIn: 'Entrar com chave de acesso',
  use: 'Usar chave de acesso',
  reason: {
    cancelled: 'A chave de acesso não foi usada. Se quiser, tente de novo.',
    known: 'Este aparelho já tem uma chave de acesso da sua conta.',
    unsupported: 'Este aparelho ou endereço não aceita chaves de acesso do Quita.',
    ended: 'O pedido venceu. Tente de novo.',
    refused: 'A chave de acesso não foi aceita. Ela pode ter sido apagada da sua conta.',
    none: 'Sua conta não tem chave de acesso. Use um código.',
  },
} as const;

/** Why a passkey did nothing: the browser or the person said no, or the service did. */
export type PasskeyReason = keyof typeof PASSKEYS.reason;
