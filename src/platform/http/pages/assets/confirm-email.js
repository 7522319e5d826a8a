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

const explain = ({ status }) => {
  if (status === 429) return 'Muitas tentativas. Aguarde um minuto e tente de novo.';
  if (status === 409) return 'Este e-mail já é de outra pessoa no Quita. Peça a troca com outro e-mail.';
  if (status !== 400) return 'Não foi possível confirmar o e-mail agora. Tente de novo em instantes.';
  return form.dataset.ended;
};

const send = async () => {
  const response = await fetch(form.dataset.call, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  if (!response.ok) {
    say(explain(response), 'error');
    return;
  }
  form.hidden = true;
  const isPending = response.status === 200 && (await response.json()).changed === false;
  say(isPending ? form.dataset.pending : form.dataset.done, 'done');
};

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const button = form.querySelector('button');
  button.disabled = true;
  try {
    await send();
  } catch {
    say('Não foi possível confirmar o e-mail agora. Verifique a conexão e tente de novo.', 'error');
  } finally {
    button.disabled = false;
  }
});

if (token === '') {
  form.hidden = true;
  say('Este endereço está incompleto. Abra o que veio no e-mail, por inteiro.', 'error');
}
