const form = document.getElementById('form');
const message = document.getElementById('message');
// The token is in the fragment, which browsers never send to a server.
const token = window.location.hash.slice(1);

// The token is removed from the address bar and the history, so that other people at this screen cannot read it.
window.history.replaceState(null, '', window.location.pathname);
// Opening another link in this tab changes only the fragment, which loads nothing, so the page is reloaded.
window.addEventListener('hashchange', () => window.location.reload());

const say = (text, kind) => {
  message.textContent = text;
  message.className = kind;
};

const explain = async (response) => {
  if (response.status === 429) return 'Muitas tentativas. Aguarde um minuto e tente de novo.';
  if (response.status !== 400) return 'Não foi possível trocar a senha agora. Tente de novo em instantes.';
  const { errors = [] } = await response.json();
  if (errors.some(({ pointer }) => pointer === '/token'))
    return 'Este endereço não vale mais: ele serve uma única vez, por 30 minutos. Peça outro e-mail.';
  return 'A senha precisa de pelo menos 8 caracteres, com uma letra maiúscula e um número.';
};

const send = async (password) => {
  const response = await fetch('/api/auth/password/reset', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token, password }),
  });
  if (response.status !== 204) {
    say(await explain(response), 'error');
    return;
  }
  form.hidden = true;
  say('Senha trocada. Todas as sessões foram encerradas: entre de novo com a nova senha.', 'done');
};

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { password, repeated, submit } = {
    password: form.elements.password.value,
    repeated: form.elements.repeated.value,
    submit: form.querySelector('button'),
  };
  if (password !== repeated) {
    say('As duas senhas não são iguais.', 'error');
    return;
  }
  submit.disabled = true;
  try {
    await send(password);
  } catch {
    say('Não foi possível trocar a senha agora. Verifique a conexão e tente de novo.', 'error');
  } finally {
    submit.disabled = false;
  }
});

if (token === '') {
  form.hidden = true;
  say('Este endereço está incompleto. Abra o que veio no e-mail, por inteiro.', 'error');
}
