import { PDF } from '@libpdf/core';
import { isLocked } from './drawn-pages.ts';
import { Unsealable } from './pdf-sealer.ts';

const broken =
  'The file is broken so that no program could mend it here. Open it in a program that shows it, save or print it as PDF again, and send that.';

/** A PDF that has pages, is not locked and can be continued, and whether its table of objects had to be made anew. */
export async function loadWhole(bytes: Uint8Array): Promise<{ pdf: PDF; bytes: Uint8Array; repaired: boolean }> {
  const first = await tryToLoad(bytes);
  if (first?.isEncrypted && !first.isAuthenticated) throw locked();
  if (first && !first.recoveredViaBruteForce && first.getPageCount() > 0) return { pdf: first, bytes, repaired: false };
  // An encrypted file looks broken to the library if it has no key.
  if (await isLocked(bytes)) throw locked();
  const mended = await rewritten(bytes);
  const second = mended && (await tryToLoad(mended));
  if (!mended || !second || second.recoveredViaBruteForce) throw new Unsealable('broken', broken);
  if (second.getPageCount() === 0)
    throw new Unsealable('no_pages', 'The file has no page. It may have been cut off on its way: send it again from where it was made.');
  return { pdf: second, bytes: mended, repaired: true };
}

/** A PDF as it stands, or nothing where the library cannot read it. */
export async function tryToLoad(bytes: Uint8Array): Promise<PDF | undefined> {
  try {
    return continuable(await PDF.load(bytes));
  } catch {
    return undefined;
  }
}

/**
 * A linearised file may be continued as any other: what is added makes readers pass over its first table. The library would write
 * such a file anew.
 */
function continuable(pdf: PDF): PDF {
  (pdf as unknown as { _isLinearized: boolean })._isLinearized = false;
  return pdf;
}

const locked = () =>
  new Unsealable('password', 'The file opens with a password or a certificate only. Save it without one, and send that.');

async function rewritten(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  // Few files need it, and it takes longer to load than most files take to seal.
  const { PDFDocument } = await import('@cantoo/pdf-lib');
  try {
    const document = await PDFDocument.load(bytes, { updateMetadata: false });
    return await document.save({ useObjectStreams: false, updateFieldAppearances: false });
  } catch {
    return undefined;
  }
}
