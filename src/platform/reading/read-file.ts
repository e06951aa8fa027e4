import type { TextResponse, TextRequest } from './messages.ts';
import { officeText } from './office.ts';
import { pdfText } from './pdf.ts';

/** Reads one file in a separate process and returns its text. */
export async function work(argument: string, bytes: Buffer): Promise<string> {
  const request = JSON.parse(argument) as TextRequest;
  const answered: TextResponse = await (request.kind === 'pdf' ? pdfText : officeText)(bytes, request.characters);
  return JSON.stringify(answered);
}
