const form = document.getElementById('form');
const message = document.getElementById('message');
// The code is in the fragment, which browsers never send to a server.
const token = window.location.hash.slice(1);

// The code is removed from the address bar and the history, so that other people at this screen cannot read it.
window.history.replaceState(null, '', window.location.pathname);
// Opening another link in this tab changes only the fragment, which loads nothing, so the page is reloaded.
window.addEventListener('hashchange', () => window.location.reload());

if (token !== '') {
  form.elements.token.value = token;
  document.getElementById('code').hidden = true;
}

const say = (text, kind) => {
  message.textContent = text;
  message.className = kind;
};

const SENTENCES = {
  '/token':
    'Este convite não vale mais: ele serve uma única vez, por 7 dias. Peça a quem convidou você que o envie de novo.',
  '/name': 'Escreva o seu nome, com até 200 letras.',
  '/password': 'A senha precisa de pelo menos 8 caracteres, com uma letra maiúscula e um número.',
};

const explain = async (response) => {
  if (response.status === 429) return 'Muitas tentativas. Aguarde um minuto e tente de novo.';
  if (response.status === 409) return 'Este e-mail já tem acesso ao Quita. Entre com ele, ou peça uma nova senha.';
  if (response.status !== 400) return 'Não foi possível aceitar o convite agora. Tente de novo em instantes.';
  const { errors = [] } = await response.json();
  const found = Object.keys(SENTENCES).find((place) => errors.some(({ pointer }) => pointer === place));
  return SENTENCES[found] ?? 'Não foi possível aceitar o convite. Confira o que escreveu.';
};

const send = async ({ token: code, name, password }) => {
  const response = await fetch('/api/members/accept', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token: code.value.trim(), name: name.value, password: password.value }),
  });
  if (response.status !== 204) {
    say(await explain(response), 'error');
    return;
  }
  form.hidden = true;
  say('Tudo certo: você já faz parte da equipe. Entre com o e-mail que recebeu o convite e a sua nova senha.', 'done');
};

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const button = form.querySelector('button');
  button.disabled = true;
  try {
    await send(form.elements);
  } catch {
    say('Não foi possível aceitar o convite agora. Verifique a conexão e tente de novo.', 'error');
  } finally {
    button.disabled = false;
  }
});
