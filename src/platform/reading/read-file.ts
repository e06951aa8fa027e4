import type { TextResponse, TextRequest } from './messages.ts';
import { officeText } from './office.ts';
import { pdfText } from './pdf.ts';

/** Reads one file in a process of its own, and answers its text. */
export async function work(argument: string, bytes: Buffer): Promise<string> {
  const asked = JSON.parse(argument) as TextRequest;
  const answered: TextResponse = await (asked.kind === 'pdf' ? pdfText : officeText)(bytes, asked.characters);
  return JSON.stringify(answered);
}
