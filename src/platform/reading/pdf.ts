import { getDocumentProxy } from 'unpdf';
import type { TextResponse } from './messages.ts';

/** Returns the text of a PDF, page by page, up to the requested length. */
export async function pdfText(bytes: Buffer, most: number): Promise<TextResponse> {
  let document;
  try {
    document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  } catch (error) {
    return { none: error instanceof Error && error.name === 'PasswordException' ? 'locked' : 'unreadable' };
  }
  let text = '';
  for (let number = 1; number <= document.numPages && text.length < most; number += 1) {
    // A broken page does not hide the others.
    text += `${await pageText(document, number).catch(() => '')}\n`;
  }
  return { text: text.slice(0, most) };
}

async function pageText(document: Awaited<ReturnType<typeof getDocumentProxy>>, number: number): Promise<string> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  return items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');
}
