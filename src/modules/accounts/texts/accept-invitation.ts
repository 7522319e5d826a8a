/** The words of the page behind the link of an invitation. Its script, `accept-invitation.js`, has its own answers. */
export const ACCEPT_INVITATION_TEXTS = {
  title: 'Convite · Quita',
  heading: 'Bem-vindo à equipe',
  intro: 'Escolha como quer ser chamado e a sua senha. Depois é só entrar com o e-mail que recebeu o convite.',
  code: 'Código do convite (está no e-mail)',
  name: 'Seu nome',
  password: 'Senha',
  rules: 'Pelo menos 8 caracteres, com uma letra maiúscula e um número.',
  button: 'Aceitar o convite',
  console: 'Entrar no console',
  done: 'Tudo certo: você já faz parte da equipe. Entre com o e-mail que recebeu o convite e a senha que acabou de escolher.',
  back: 'Voltar e tentar de novo',
  problems: {
    link: 'Este convite não vale mais: ele serve uma única vez, por 7 dias. Peça a quem convidou você que o envie de novo.',
    password: 'A senha precisa de pelo menos 8 caracteres, com uma letra maiúscula e um número.',
    name: 'Escreva o seu nome, com até 200 letras.',
    taken: 'Este e-mail já tem acesso ao Quita. Entre com ele, ou peça uma nova senha.',
  },
} as const;
