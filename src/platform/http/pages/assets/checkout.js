import { preparePix } from './pix.js';

const POLL_MS = 3000;
const SLOWEST_MS = 60000;
const FINAL = ['APPROVED', 'CANCELLED'];

const page = () => document.getElementById('page');
const live = document.getElementById('live');
let pauseMs = POLL_MS;
let lapsesAt = Number.POSITIVE_INFINITY;

const fetchPage = async (path) => {
  const response = await fetch(path, { cache: 'no-store', credentials: 'omit' });
  if (!response.ok) throw new Error(String(response.status));
  return response;
};

/** Loads the page as the server renders it now and replaces the shown content with it. */
const refresh = async () => {
  // A visitor who wants to pay all of an agreement still does; a notice is shown once.
  const query = new URLSearchParams(location.search).has('quitar') ? '?quitar=tudo' : '';
  const text = await (await fetchPage(location.pathname + query)).text();
  const fresh = new DOMParser().parseFromString(text, 'text/html').getElementById('page');
  if (fresh === null) return location.reload();
  const before = page().dataset.status;
  page().replaceWith(fresh);
  prepare();
  if (fresh.dataset.status !== before) live.textContent = fresh.querySelector('h1').textContent;
};

function prepare() {
  // The page says how much time is left, because the clocks of the visitor and of the server may differ.
  const { expiresIn } = page().dataset;
  lapsesAt = expiresIn === '' ? Number.POSITIVE_INFINITY : Date.now() + Number(expiresIn);
  preparePix(page());
}

const look = async () => {
  const { statusPath, status, receipt } = page().dataset;
  if (FINAL.includes(status)) {
    if (receipt === 'waiting') await refresh();
    return;
  }
  const now = (await (await fetchPage(statusPath)).json()).status;
  if (now !== status || lapsesAt <= Date.now()) await refresh();
};

const waits = () => {
  const { status, receipt } = page().dataset;
  return !FINAL.includes(status) || receipt === 'waiting';
};

/** A hidden page does not poll, and the page polls less often while the server is busy. */
const poll = async () => {
  if (!document.hidden) {
    try {
      await look();
      pauseMs = page().dataset.receipt === 'waiting' ? Math.min(pauseMs + 500, 15000) : POLL_MS;
    } catch {
      pauseMs = Math.min(pauseMs * 2, SLOWEST_MS);
    }
  }
  if (waits()) setTimeout(poll, pauseMs);
};

prepare();
if (waits()) setTimeout(poll, POLL_MS);
