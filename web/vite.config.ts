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

export default defineConfig({
  root,
  base: '/console/',
  plugins: [react(), themeScript()],
  build: {
    outDir: '../build/web',
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
