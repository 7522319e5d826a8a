const form = document.getElementById('form');
const message = document.getElementById('message');
// In the fragment, which browsers send to no server.
const token = window.location.hash.slice(1);

// The token leaves the address bar and the history: whoever looks over a shoulder must not read it there.
window.history.replaceState(null, '', window.location.pathname);
// Another link that is opened in this tab changes the fragment only, which by itself loads nothing.
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
