import { useEffect, useState } from 'react';
import { openPdf, PdfError, type PdfFile } from './pdf-file.ts';
import type { PdfFailure } from './protocol.ts';

export type PdfState = { status: 'loading' } | { status: 'ready'; file: PdfFile } | { status: 'failed'; reason: PdfFailure };

const loading: PdfState = { status: 'loading' };

/** Opens a PDF file, and closes it when the bytes change or the component leaves. The bytes stay usable. */
export function usePdf(bytes: Uint8Array | undefined): PdfState {
  const [opened, setOpened] = useState<{ bytes: Uint8Array; state: PdfState }>();
  useEffect(() => {
    if (bytes === undefined) return undefined;
    const ending = new AbortController();
    const become = (state: PdfState) => ending.signal.aborted || setOpened({ bytes, state });
    openPdf(new Uint8Array(bytes), ending.signal).then(
      (file) => become({ status: 'ready', file }),
      (error: unknown) => become({ status: 'failed', reason: error instanceof PdfError ? error.reason : 'broken' }),
    );
    return () => ending.abort();
  }, [bytes]);
  return opened?.bytes === bytes && opened !== undefined ? opened.state : loading;
}
