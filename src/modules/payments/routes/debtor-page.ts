import { z } from 'zod';
import type { RouteRequest } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { PAGE_TYPE } from '../../../platform/http/pages/public-page.ts';
import { PROBLEM_TYPE } from '../../../platform/http/problem.ts';
import { createKeyedRate } from '../../../platform/http/rate-limit.ts';
import { requireSameOrigin } from '../../../platform/http/same-origin.ts';
import type { ButtonPage } from '../use-cases/press-button.ts';
import { addressOf } from './pages/buttons.ts';

/** The page of one debt needs no more presses of buttons per minute. */
const PRESSES_A_MINUTE = 10;

export const pageParams = z.object({ pageId: z.uuid().transform((id) => id.toLowerCase()) });
export const noticeQuery = z.object({
  aviso: z.string().optional().describe('The notice after a button; shown once'),
});
export const pageAnswer = {
  200: { description: 'The page, in Portuguese', contentType: PAGE_TYPE },
} as const;
export const back = { 303: { description: 'Back to the page' } } as const;

export const PRIVATE_PAGE = {
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
  'Referrer-Policy': 'no-referrer',
};

/** What is the same of every route of the pages. */
export const PAGE_ROUTE = { tags: ['Checkout'], auth: 'none', rate: 'public', isPage: true } as const;

/** Returns the answer that sends the browser to an address of a page, where the notice is shown. */
export const sendTo = (page: ButtonPage, noticeId: string | null, below = '') =>
  ({
    status: 303,
    headers: { Location: `${addressOf(page)}${below}${noticeId === null ? '' : `?aviso=${noticeId}`}` },
  }) as const;

/** Tells whether a browser has sent a form. A program that takes everything is told a problem by its code. */
export const isBrowser = ({ accepts }: Pick<RouteRequest, 'accepts'>): boolean =>
  accepts([PROBLEM_TYPE, 'application/json', 'text/html']) === 'text/html';

/** Runs what a button does, unless the page was pressed too often or the request comes from another site. */
export type Press = <Done>(page: ButtonPage, request: RouteRequest, run: () => Promise<Done>) => Promise<Done>;

export function createPress(config: HttpDeps['config']): Press {
  const takeFromPage = createKeyedRate({ points: PRESSES_A_MINUTE, durationSeconds: 60 });
  return async (page, request, run) => {
    await takeFromPage('debtId' in page ? page.debtId : page.pageId);
    requireSameOrigin(request, config);
    return run();
  };
}
