import { formatCount } from '../format.ts';

export const SECOND_FACTOR = {
  title: 'Segundo fator',
  lead: 'Além da senha, o Quita pede um código que só o seu celular mostra. Assim, quem descobrir a sua senha não entra.',
  on: 'Ativo: aplicativo de códigos',
  onByPasskey: 'Ativo: chave de acesso',
  off: 'Você ainda não tem',
  left: (count: number) =>
    count === 0
      ? 'Não resta nenhum código de recuperação. Cadastre o aplicativo de novo para receber outros.'
      : count === 1
        ? 'Resta 1 código de recuperação.'
        : `Restam ${formatCount(count)} códigos de recuperação.`,
  setUp: 'Cadastrar o aplicativo',
  setUpAgain: 'Cadastrar de novo',
  isSetUp: 'Pronto. Na próxima entrada, o Quita pede o código.',
  // The code
  code: 'Código do aplicativo',
  codeHint: 'Os 6 números que o aplicativo mostra agora.',
  recoveryCode: 'Código de recuperação',
  recoveryCodeHint: 'Um dos códigos que você guardou. Cada um serve uma única vez.',
  useRecovery: 'Usar um código de recuperação',
  useApp: 'Usar o código do aplicativo',
  wrongCode: 'Este código não confere, ou já foi usado. Espere o aplicativo mostrar o próximo e tente com ele.',
  // Again, for what needs it
  stepUp: 'Confirme que é você',
  stepUpText: 'Esta ação é delicada, por isso pedimos o código de novo. Ele vale por 5 minutos nesta sessão.',
  continue: 'Continuar',
  // Setting up
  scanTitle: 'Leia o código com o aplicativo',
  scanText:
    'No celular, abra um aplicativo de códigos, como Google Authenticator, Microsoft Authenticator ou Aegis, escolha adicionar uma conta e aponte a câmera para o desenho.',
  qr: 'Código QR para o aplicativo. A mesma chave está escrita abaixo.',
  typeText: 'Sem câmera? Digite esta chave no aplicativo:',
  copySecret: 'Copiar a chave',
  confirm: 'Confirmar o código',
  notNow: 'Agora não',
  // Recovery codes
  codesTitle: 'Guarde os códigos de recuperação',
  codesText:
    'Se você perder o celular, um destes códigos entra no lugar do aplicativo. Eles aparecem só agora: guarde-os fora do celular. As suas outras sessões foram encerradas.',
  copyCodes: 'Copiar os códigos',
  download: 'Baixar',
  print: 'Imprimir',
  kept: 'Guardei os códigos',
  fileTitle: 'Códigos de recuperação do Quita. Cada um serve uma única vez.',
  fileName: 'quita-codigos-de-recuperacao.txt',
  // Removing
  remove: 'Remover o segundo fator',
  removeText: 'Depois disso, só a senha protege a sua entrada, e os códigos de recuperação deixam de valer.',
  password: 'Senha',
  passwordHint: 'Se você entra pelo provedor de identidade e não tem senha no Quita, deixe em branco.',
  removed: 'Segundo fator removido.',
  // The rule of the company
  rule: 'Segundo fator de toda a equipe',
  ruleOn: 'Pedido a toda a equipe',
  ruleOff: 'Cada pessoa escolhe',
  ruleText:
    'Quando é pedido a toda a equipe, quem ainda não tem só consegue cadastrar o seu ou sair, já na próxima ação. O que a pessoa estava escrevendo pode se perder: avise antes. Chaves de API continuam funcionando.',
  ruleOwnFirst: 'Cadastre antes o seu próprio segundo fator, em Acesso',
  ask: 'Pedir a toda a equipe',
  askConfirm: 'Quem aparece na lista como “Não tem” passa a ver somente a página de cadastro. Ninguém perde a conta.',
  stopAsking: 'Deixar cada pessoa escolher',
  stopConfirm: 'Quem já tem o segundo fator continua com ele, e passa a poder removê-lo.',
  ruleChanged: 'Regra da equipe mudada.',
  // Without one
  missingTitle: 'Falta o seu segundo fator',
  missingText: 'A sua empresa pede o segundo fator a toda a equipe. São dois minutos, e depois tudo volta a abrir.',
} as const;
