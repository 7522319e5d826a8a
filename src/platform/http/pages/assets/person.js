import { preparePix } from './pix.js';

const POLL_MS = 4000;
const SLOWEST_MS = 60000;
const FINAL = ['APPROVED', 'CANCELLED'];

const debts = [...document.querySelectorAll('section[data-status-path]')];
let pauseMs = POLL_MS;

preparePix(document);

const statusOf = async ({ dataset }) => {
  const response = await fetch(dataset.statusPath, { cache: 'no-store', credentials: 'omit' });
  if (!response.ok) throw new Error(String(response.status));
  return (await response.json()).status;
};

/** A hidden page does not poll, and the page polls less often while the server is busy. */
const poll = async () => {
  if (!document.hidden) {
    try {
      const now = await Promise.all(debts.map(statusOf));
      if (now.some((status, index) => status !== debts[index].dataset.status)) return location.reload();
      pauseMs = POLL_MS;
    } catch {
      pauseMs = Math.min(pauseMs * 2, SLOWEST_MS);
    }
  }
  setTimeout(poll, pauseMs);
};

if (debts.some(({ dataset }) => !FINAL.includes(dataset.status))) setTimeout(poll, POLL_MS);
