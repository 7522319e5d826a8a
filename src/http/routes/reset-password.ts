import { readFileSync } from 'node:fs';
import { defineRoute, type Route } from '../guard.ts';
import { PAGE_TYPE } from '../pages/layout.ts';
import { RESET_SCRIPT_PATH, RESET_STYLE_PATH, resetPasswordPage } from '../pages/reset-password.ts';

const script = readFileSync(new URL('../pages/assets/reset-password.js', import.meta.url), 'utf8');
const style = readFileSync(new URL('../pages/assets/reset-password.css', import.meta.url), 'utf8');
const CACHED = { 'Cache-Control': 'public, max-age=3600' } as const;
const tags = ['Authentication'];

/** Where the link of the mail leads: the page reads the token from its address, and its script asks the API. */
export function resetPasswordRoutes(): Route[] {
  const page = defineRoute({
    method: 'GET',
    path: '/reset-password',
    operationId: 'getResetPasswordPage',
    summary: 'Page to choose a new password (the link of the mail)',
    tags,
    auth: 'none',
    rate: 'public',
    responses: { 200: { description: 'The page, in Portuguese', contentType: PAGE_TYPE } },
    errors: [],
    handler: async () => ({
      status: 200,
      body: resetPasswordPage(),
      headers: { 'X-Robots-Tag': 'noindex' },
    }),
  });
  const scriptFile = defineRoute({
    method: 'GET',
    path: RESET_SCRIPT_PATH,
    operationId: 'getResetPasswordScript',
    summary: 'Script of that page',
    tags,
    auth: 'none',
    responses: { 200: { description: 'JavaScript', contentType: 'text/javascript; charset=utf-8' } },
    errors: [],
    handler: async () => ({ status: 200, body: script, headers: CACHED }),
  });
  const styleFile = defineRoute({
    method: 'GET',
    path: RESET_STYLE_PATH,
    operationId: 'getResetPasswordStyle',
    summary: 'Style of that page',
    tags,
    auth: 'none',
    responses: { 200: { description: 'CSS', contentType: 'text/css; charset=utf-8' } },
    errors: [],
    handler: async () => ({ status: 200, body: style, headers: CACHED }),
  });
  return [page, scriptFile, styleFile];
}
