import type { PdfAsset } from './protocol.ts';

/** The addresses of the data files of pdf.js, by their path in its package. The renderer gets only these. */
const addresses = Object.fromEntries(
  Object.entries(
    import.meta.glob<string>(
      [
        '../../../../node_modules/pdfjs-dist/cmaps/*.bcmap',
        '../../../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}',
        '../../../../node_modules/pdfjs-dist/wasm/{openjpeg,jbig2}.wasm',
      ],
      { query: '?url', import: 'default', eager: true },
    ),
  ).map(([path, address]) => [path.split('/').slice(-2).join('/'), address]),
);

/** Fetches a data file for the renderer. Returns null if pdf.js has no such file. */
export async function fetchAsset({ folder, name }: PdfAsset): Promise<Uint8Array | null> {
  const address = addresses[`${folder}/${name}`];
  if (address === undefined) return null;
  const response = await fetch(address);
  return response.ok ? new Uint8Array(await response.arrayBuffer()) : null;
}
