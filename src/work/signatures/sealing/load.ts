import { PDF } from '@libpdf/core';
import { isLocked } from './drawn-pages.ts';
import { Unsealable } from './pdf-sealer.ts';

const broken =
  'The file is damaged and cannot be repaired automatically. Open it in a PDF viewer, save or print it as PDF and upload the new file.';

/** Loads a PDF that has pages, is not locked and can be extended. `repaired`: its cross-reference table was rebuilt. */
export async function loadWhole(bytes: Uint8Array): Promise<{ pdf: PDF; bytes: Uint8Array; repaired: boolean }> {
  const first = await tryToLoad(bytes);
  if (first?.isEncrypted && !first.isAuthenticated) throw locked();
  if (first && !first.recoveredViaBruteForce && first.getPageCount() > 0) return { pdf: first, bytes, repaired: false };
  // The library reports an encrypted file without a key as broken.
  if (await isLocked(bytes)) throw locked();
  const mended = await rewritten(bytes);
  const second = mended && (await tryToLoad(mended));
  if (!mended || !second || second.recoveredViaBruteForce) throw new Unsealable('broken', broken);
  if (second.getPageCount() === 0)
    throw new Unsealable('no_pages', 'The file has no page. The upload can be incomplete: export the file again and upload it.');
  return { pdf: second, bytes: mended, repaired: true };
}

/** Loads a PDF. Returns undefined if the library cannot read it. */
export async function tryToLoad(bytes: Uint8Array): Promise<PDF | undefined> {
  try {
    return continuable(await PDF.load(bytes));
  } catch {
    return undefined;
  }
}

/**
 * Makes a linearized file extendable. Viewers ignore the first cross-reference table of such a file after an update. Without this, the library would
 * rewrite the file.
 */
function continuable(pdf: PDF): PDF {
  (pdf as unknown as { _isLinearized: boolean })._isLinearized = false;
  return pdf;
}

const locked = () =>
  new Unsealable(
    'password',
    'The file needs a password or a certificate to open. Save it without this protection and upload the new file.',
  );

async function rewritten(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  // Few files need this library, and loading it takes longer than sealing most files.
  const { PDFDocument } = await import('@cantoo/pdf-lib');
  try {
    const document = await PDFDocument.load(bytes, { updateMetadata: false });
    return await document.save({ useObjectStreams: false, updateFieldAppearances: false });
  } catch {
    return undefined;
  }
}
