export const SIGN_IN = {
  title: 'Entrar',
  lead: 'Recupere o que é seu com respeito: dentro da lei, sem incomodar ninguém.',
  email: 'E-mail da empresa',
  password: 'Senha',
  remember: 'Manter conectado neste computador',
  rememberHint: 'Não use em computador compartilhado.',
  submit: 'Entrar',
  identity: 'Entrar com o provedor de identidade',
  forgot: 'Esqueci a senha',
  signUp: 'Criar conta',
  noAccount: 'Ainda não tem conta?',
  ended: 'Sua sessão terminou. Entre de novo para continuar de onde parou.',
  unconfirmed:
    'Você saiu deste navegador, mas o Quita não respondeu: a sessão pode continuar aberta. Quando o serviço voltar, entre e use “Sair de todos” em Conta, Acesso.',
  locked: (text: string) => `A entrada com senha volta em ${text}. Uma senha nova libera antes.`,
  tooMany: (text: string) => `Tente de novo em ${text}.`,
  or: 'ou',
  codeTitle: 'Falta o código',
  codeLead: 'A senha confere. Agora abra o aplicativo de códigos no seu celular.',
  codeEnded:
    'O tempo ou as tentativas para o código acabaram, por segurança. É só entrar de novo e usar o código que o aplicativo mostrar na hora.',
  codeBack: 'Começar de novo',
} as const;

export const SIGN_UP = {
  title: 'Criar conta',
  closedTitle: 'Cadastro encerrado',
  closedText:
    'Este Quita atende uma única empresa, que já tem conta. Para trabalhar com ela, peça um convite a quem é Responsável pela conta.',
  lead: 'Grátis para experimentar no simulador, onde ninguém recebe mensagem.',
  name: 'Nome da empresa',
  nameHint: 'Como as pessoas a conhecem. Aparece nas mensagens.',
  email: 'E-mail da empresa',
  emailHint: 'Com o domínio da empresa, por exemplo financeiro@suaescola.com.br.',
  password: 'Senha',
  passwordHint: '8 caracteres ou mais, com uma letra maiúscula e um número.',
  cnpj: 'CNPJ',
  cnpjHint: 'Pode ficar para depois; o recibo leva o CNPJ da empresa.',
  segment: 'Área',
  segments: [
    { value: '', label: 'Escolha' },
    { value: 'saude', label: 'Saúde' },
    { value: 'saas', label: 'Software' },
    { value: 'utilities', label: 'Água, luz, gás e telefone' },
    { value: 'fintech', label: 'Fintech' },
    { value: 'banco', label: 'Banco' },
    { value: 'outro', label: 'Escola, condomínio ou outra' },
  ],
  example: 'Começar com o exemplo',
  exampleHint: 'Quinze devedores inventados, para ver o caminho inteiro antes da sua planilha.',
  submit: 'Criar conta',
  haveAccount: 'Já tem conta?',
} as const;

export const FORGOT = {
  title: 'Esqueci a senha',
  lead: 'Enviamos um link para escolher outra senha. Ele vale por 30 minutos.',
  submit: 'Enviar o link',
  sent: 'Se houver uma conta com este e-mail, o link chega em instantes. Confira também o lixo eletrônico.',
  terminal:
    'Neste Quita de teste talvez os e-mails não saiam. Então o link aparece no terminal em que ele foi iniciado, e quem o opera pode criar outro com “quita clients reset-password”.',
  back: 'Voltar para entrar',
} as const;
