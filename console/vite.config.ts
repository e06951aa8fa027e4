import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

/** The service that `npm run dev -w console` uses. */
const service = process.env.CHANCERY_URL ?? 'http://localhost:8080';
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Replaces the placeholders of index.html as the service does (`src/platform/http/console`), without a policy. */
const placeholders: Plugin = {
  name: 'placeholders',
  apply: 'serve',
  transformIndexHtml: (page) =>
    page.replaceAll('/CONSOLE-ADDRESS', '/app').replaceAll('CONSOLE-REGISTRATION', 'open').replaceAll('CONSOLE-NONCE', 'development'),
};

/** Classic scripts for the frame that shows PDF files. Its opaque origin cannot load modules. The mode selects one. */
const classicScripts: Readonly<Record<string, string>> = {
  'pdf-frame': 'src/parts/pdf/frame.ts',
  'pdf-renderer': 'src/parts/pdf/renderer.ts',
};

const ignored = new Set(['MODULE_LEVEL_DIRECTIVE', 'EMPTY_IMPORT_META', 'PLUGIN_TIMINGS']);

export default defineConfig(({ command, mode }) => ({
  root: at('.'),
  // The files name each other by relative addresses, because the public address of the service can have a path.
  base: command === 'serve' ? '/app/' : './',
  experimental: {
    renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `/CONSOLE-ADDRESS/${file}` : { relative: true }),
  },
  plugins: [placeholders],
  resolve: { alias: { '@chancery/client': at('../packages/client/index.ts') } },
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    target: 'es2023',
    outDir: at('../.tmp/console/files'),
    emptyOutDir: !(mode in classicScripts),
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2_000,
    modulePreload: mode in classicScripts ? false : { polyfill: false },
    // Mantine has no use for its own directives, and a classic script none for the address of its module.
    rolldownOptions: {
      onwarn: (warning, warn) => void (ignored.has(warning.code ?? '') || warn(warning)),
      ...(mode in classicScripts
        ? { input: at(classicScripts[mode] ?? ''), output: { format: 'iife' as const, entryFileNames: `assets/${mode}-[hash].js` } }
        : {}),
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/f', '/sign', '/forgot-password', '/assets', '/app/pdf-renderer.html', '/app/assets/pdf-'].map((path) => [
        path,
        { target: service, changeOrigin: true },
      ]),
    ),
    fs: { allow: [at('..')] },
  },
}));
