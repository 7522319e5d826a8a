import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const THEME_SCRIPT = fileURLToPath(new URL('src/theme-script.js', import.meta.url));

/**
 * Adds the script that applies the chosen theme. It stands before the page's own script and blocks it, so that a page
 * in the dark theme never flashes white; a file of its own is needed because the policy forbids inline scripts.
 */
function themeScript(): Plugin {
  return {
    name: 'quita-theme-script',
    async buildStart() {
      if (this.environment.config.command !== 'build') return;
      this.emitFile({ type: 'asset', name: 'theme.js', source: await readFile(THEME_SCRIPT, 'utf8') });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const built = Object.values(bundle ?? {}).find((one) => one.type === 'asset' && one.names.includes('theme.js'));
        const src = built === undefined ? '/console/src/theme-script.js' : `/console/${built.fileName}`;
        return [{ tag: 'script', attrs: { src }, injectTo: 'head' }];
      },
    },
  };
}

/** The first segments of what the API serves itself. `test/console/dev-server.test.ts` compares them with its routes. */
export const API_SEGMENTS = [
  '.well-known',
  'accept-invitation',
  'api',
  'assets',
  'change-email',
  'checkout',
  'confirm-email',
  'direitos',
  'docs',
  'health',
  'metrics',
  'openapi.json',
  'p',
  'pay',
  'problems',
  'reset-password',
  'verdade',
  'verify',
  'verify-evidence',
];
const OF_THE_API = new RegExp(`^/(?:${API_SEGMENTS.join('|').replaceAll('.', '[.]')})(?:[/?]|$)`);

const OF_OPERATORS = /^\/operador(?:[/?]|$)/;

/** Answers the addresses of both consoles with their pages, as the API does for the built ones. */
function consolePages(): Plugin {
  return {
    name: 'quita-console-pages',
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        const { url = '/' } = request;
        if (!url.startsWith('/console/') && !OF_THE_API.test(url)) {
          request.url = OF_OPERATORS.test(url) ? '/console/operador.html' : '/console/index.html';
        }
        next();
      });
    },
  };
}

const api = {
  target: `http://127.0.0.1:${process.env['PORT'] || 3000}`,
  // The API sees the Host of the dev server, which is the one in the browser's Origin: its check of the origin passes.
  changeOrigin: false,
};

export default defineConfig({
  root,
  base: '/console/',
  plugins: [react(), themeScript(), consolePages()],
  server: { port: 5173, strictPort: true, proxy: { [OF_THE_API.source]: api } },
  build: {
    outDir: '../build/web',
    // The operators' console is a page of its own, so that the one of the clients does not grow by it.
    rollupOptions: { input: [`${root}index.html`, `${root}operador.html`] },
    emptyOutDir: true,
    target: 'baseline-widely-available',
    // These browsers know `light-dark()`, which the two themes need.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // A style or a picture inside another file would need `data:` or inline styles in the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
  },
});
